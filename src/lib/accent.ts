import { BRAND } from './brand.ts';

/** Contrast that text needs (WCAG 2.2, 1.4.3). */
const TEXT_CONTRAST = 4.5;
/** Part of black or white that is mixed into a color with each step. */
const STEP = 0.04;

/** How a brand's color is used on light or on dark paper, as `#rrggbb`. */
export interface Accent {
  /** For words, lines and the focus: the color, darker or lighter until it has a contrast of 4.5:1 on all surfaces. */
  text: string;
  /** For areas, such as buttons: the color itself. */
  fill: string;
  /** For words on the area: white or black, whichever has a contrast of 4.5:1. */
  onFill: string;
}

/** Derives the uses of a brand's color. @param color `#rrggbb`. */
export function accentOn(color: string, scheme: 'light' | 'dark'): Accent {
  const index = scheme === 'light' ? 0 : 1;
  const surfaces = [BRAND.bg, BRAND.surface, BRAND['surface-2']].map((pair) => pair[index]);
  const isReadable = (text: string) =>
    surfaces.every((surface) => contrast(text, surface) >= TEXT_CONTRAST);
  let text = color;
  for (let part = 0; part < 1 && !isReadable(text); part += STEP)
    text = mixed(color, scheme === 'light' ? 0 : 255, part);
  return {
    text,
    fill: color,
    onFill: contrast('#ffffff', color) >= TEXT_CONTRAST ? '#ffffff' : '#000000',
  };
}

/** Contrast of two colors, 1 to 21 (WCAG 2.2, "contrast ratio"). @param one `#rrggbb`. */
export function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light! + 0.05) / (dark! + 0.05);
}

function luminance(color: string): number {
  const [red, green, blue] = channelsOf(color).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function mixed(color: string, into: number, part: number): string {
  const channels = channelsOf(color).map((value) => Math.round(value + (into - value) * part));
  return `#${channels.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

function channelsOf(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}

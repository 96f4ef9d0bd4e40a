/** What the tab of the browser says of monitors that are down. Pure. */

/** Largest number that the icon has room for. */
const MAX_SHOWN = 99;

/** Title of the tab. One that begins with the number says it already. */
export function tabTitle(page: string, count: number): string {
  const text = page === '' ? 'Tocsin' : `${page} · Tocsin`;
  return count === 0 || numberAtStart(page) === count ? text : `(${count}) ${text}`;
}

/** The number that a text begins with, written with separators of thousands. */
function numberAtStart(text: string): number | null {
  const [digits] = /^\d{1,3}(?:[.,\u202f\u00a0]?\d{3})*(?= )/.exec(text) ?? [];
  return digits === undefined ? null : Number(digits.replaceAll(/\D/g, ''));
}

/** Icon with the number of monitors that are down, as an address. */
export function iconWith(count: number): string {
  const text = count > MAX_SHOWN ? `${MAX_SHOWN}+` : String(count);
  const size = [0, 22, 18, 14][text.length]!;
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 28 28"><rect width="28" height="28" rx="7" fill="#c8102e"/>' +
    `<text x="14" y="${14 + size * 0.36}" text-anchor="middle" font-family="system-ui,sans-serif" font-weight="700" ` +
    `font-size="${size}" fill="#fff">${text}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

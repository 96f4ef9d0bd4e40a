/** Name of a program by its User-Agent header. Pure. */

/**
 * Browser and system of a User-Agent header; the start of the header when it is no known browser, null without one.
 */
export function agentOf(
  userAgent: string | null,
): { browser: string; system: string | null } | null {
  if (userAgent === null || userAgent === '') return null;
  const browser = BROWSERS.find(([, pattern]) => pattern.test(userAgent))?.[0];
  const system = SYSTEMS.find(([, pattern]) => pattern.test(userAgent))?.[0];
  if (browser === undefined) return { browser: userAgent.slice(0, 60), system: null };
  return { browser, system: system ?? null };
}

/** The first match counts, since most browsers also name others. */
const BROWSERS: readonly (readonly [string, RegExp])[] = [
  ['Edge', /\bEdg/],
  ['Opera', /\bOPR\//],
  ['Firefox', /\bFirefox\/|\bFxiOS\//],
  ['Chrome', /Chrome\/|\bCriOS\//],
  ['Safari', /\bVersion\/.*\bSafari\//],
];

const SYSTEMS: readonly (readonly [string, RegExp])[] = [
  ['Android', /\bAndroid\b/],
  ['iOS', /\b(?:iPhone|iPad)\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
];

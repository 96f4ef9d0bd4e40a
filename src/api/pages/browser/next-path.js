/**
 * Where to go after signing in. Only a path of our own: whatever could lead to another site is left out, so that a link
 * to the sign-in page can't be bait.
 *
 * @param {string | null} wanted as the address bar has it
 * @param {string} home where to go else
 * @returns {string}
 */
export function nextPath(wanted, home) {
  // Browsers leave tabs and line ends out of addresses, and take a backslash for a slash.
  if (wanted === null || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(wanted)) return home;
  const base = 'http://here.invalid';
  const url = URL.parse(wanted, base);
  return url?.origin === base ? url.pathname.replace(/^\/+/, '/') + url.search + url.hash : home;
}

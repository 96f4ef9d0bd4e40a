/**
 * Path to open after signing in. Accepts paths of this site only, so that links to the sign-in page can't be used for
 * phishing.
 *
 * @param wanted path of the address bar
 * @param home default path
 */
export function nextPath(wanted: string | null, home: string): string {
  // Browsers remove tabs and line breaks from URLs, and treat a backslash as a slash.
  if (wanted === null || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(wanted)) return home;
  const base = 'http://here.invalid';
  const url = URL.parse(wanted, base);
  return url?.origin === base ? url.pathname.replace(/^\/+/, '/') + url.search + url.hash : home;
}

import { basePathOf } from '../url.ts';

/**
 * An application in a browser may open the way to connect it in a window of its own, and hears of the result from there:
 * the pages on that way leave it that window.
 */
const HEADERS_IN_WINDOW = { 'cross-origin-opener-policy': 'unsafe-none' };
const WAY_TO_CONNECT = ['/connect', '/api/auth/oauth2/authorize'];

/**
 * Additional headers of a page on the way to connect an application; none for other pages.
 *
 * @param path of the page, below BASE_URL. The sign-in page is on that way if it leads there.
 * @param query without the question mark.
 */
export function wayToConnectHeaders(
  path: string,
  query: string | undefined,
  baseUrl: string,
): Partial<typeof HEADERS_IN_WINDOW> {
  const next = path === '/sign-in' ? new URLSearchParams(query).get('next') : path;
  return leadsToConnect(next ?? '', baseUrl) ? HEADERS_IN_WINDOW : {};
}

function leadsToConnect(next: string, baseUrl: string): boolean {
  const base = basePathOf(baseUrl);
  const path = next.split('?', 1)[0]!;
  return WAY_TO_CONNECT.some((way) => path === way || path === base + way);
}

/** `/api/...` is the same as `/api/v1/...` (contract 1.1). */
const UNVERSIONED = /^\/api(?!\/v1(?:\/|$))(?=\/|$)/;

/** Characters not allowed in a query (RFC 3986, section 3.4), and percent signs that encode nothing. */
const UNENCODED = /%(?![0-9a-f]{2})|[^\w\-.~!$&'()*+,;=:@/?%\u0100-\uffff]/gi;

/**
 * Normalizes a request target for the router. Drops the origin of an absolute target (RFC 9112, section 3.2.2) and the
 * fragment. Invalid percent-encodings are taken literally, so that such a path is handled as any other. The query is
 * encoded, so that links to other pages can repeat it.
 */
export function routedUrl(target: string): string {
  const [, path = '', query = ''] =
    /^(?:https?:\/\/[^/?#]*)?([^?#]*)(\?[^#]*)?/is.exec(target) ?? [];
  const routed = isDecodable(path) ? path : path.replaceAll('%', '%25');
  return (routed.replace(UNVERSIONED, '/api/v1') || '/') + query.replace(UNENCODED, encodeByte);
}

export function pathOf(url: string): string {
  const [path = '/'] = url.split(/[?#]/, 1);
  return decodeURI(path);
}

export function isApiPath(path: string): boolean {
  return path === '/api' || path.startsWith('/api/');
}

function isDecodable(path: string): boolean {
  if (!path.includes('%')) return true;
  try {
    decodeURI(path);
    return true;
  } catch {
    return false;
  }
}

/** Encodes a character of a raw request target, which stands for one byte. */
function encodeByte(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

/** Path of BASE_URL without a trailing slash; empty for the root. */
export function basePathOf(baseUrl: string): string {
  return new URL(baseUrl).pathname.replace(/\/$/, '');
}

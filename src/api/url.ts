/** `/api/...` is the same as `/api/v1/...` (contract 1.1). */
const UNVERSIONED = /^\/api(?!\/v1(?:\/|$))(?=\/|$)/;

/** What a query can't hold as it is (RFC 3986, section 3.4), and percent signs that encode nothing. */
const UNENCODED = /%(?![0-9a-f]{2})|[^\w\-.~!$&'()*+,;=:@/?%\u0100-\uffff]/gi;

/**
 * The request target as the router reads it. The origin of an absolute one (RFC 9112, section 3.2.2) is left out, and
 * so is a fragment. A path whose percent signs encode nothing is taken for the letters it was sent with, so that it is
 * a path like any other and is judged in the same order. The query is one that links to other pages may repeat.
 */
export function routedUrl(target: string): string {
  const [, path = '', query = ''] =
    /^(?:https?:\/\/[^/?#]*)?([^?#]*)(\?[^#]*)?/is.exec(target) ?? [];
  const routed = isDecodable(path) ? path : path.replaceAll('%', '%25');
  return (routed.replace(UNVERSIONED, '/api/v1') || '/') + query.replace(UNENCODED, encodeByte);
}

/** The decoded path of a routed URL. */
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

/** Of a target that came over the network: each of its characters stands for one byte. */
function encodeByte(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

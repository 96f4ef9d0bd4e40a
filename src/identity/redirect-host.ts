/**
 * Place to which a redirect address of an application leads, for people: its host with the port, or the scheme of an
 * address that belongs to an application on a device (RFC 8252, section 7.1), such as `cursor:`.
 */
export function redirectHost(address: string): string {
  const url = URL.parse(address);
  if (url === null) return '';
  return /^https?:$/.test(url.protocol) ? url.host : url.protocol;
}

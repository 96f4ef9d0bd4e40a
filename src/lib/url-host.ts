import { isIPv6 } from 'node:net';

/**
 * The host to look for when a ping or port monitor's url is a host name, an IPv4 address, an IPv6 address (bare or
 * bracketed) or a URL whose host is used (contract 7.4). International names come back in ASCII, addresses
 * without brackets. Null when there is no host in it.
 */
export function hostOf(url: string): string | null {
  const text = url.trim();
  if (isIPv6(text)) return text;
  // Parsed as http whatever the scheme is: for schemes it does not know, URL leaves international names encoded.
  const rest = text.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '');
  const parsed = URL.parse(`http://${rest}`);
  if (parsed === null || parsed.hostname === '') return null;
  return parsed.hostname.replace(/^\[(.*)\]$/, '$1');
}

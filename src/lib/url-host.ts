import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Extracts the host from a ping or port monitor's url (contract 7.4): a host name, an IPv4 address, an IPv6 address (bare or in
 * brackets) or a URL. Internationalized names are returned in ASCII, addresses without brackets; null if there is no
 * host.
 */
export function hostOf(url: string): string | null {
  const text = url.trim();
  if (isIPv6(text)) return text;
  // Parse every scheme as http: for unknown schemes, URL leaves internationalized names encoded.
  const rest = text.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '');
  const parsed = URL.parse(`http://${rest}`);
  if (parsed === null || parsed.hostname === '') return null;
  return parsed.hostname.replace(/^\[(.*)\]$/, '$1');
}

/**
 * The host of the url of any monitor in its one canonical spelling: a name in ASCII and lower case without the final dot,
 * or an address; an IPv4 address in an IPv6 one is that IPv4 address. Null if there is no host.
 */
export function canonicalHostOf(url: string): string | null {
  const host = hostOf(url)?.toLowerCase().replace(/\.$/, '') || null;
  return host !== null && ipaddr.isValid(host) ? ipaddr.process(host).toString() : host;
}

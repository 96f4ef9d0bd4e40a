import { isIP } from 'node:net';

export type Family = 4 | 6;

export interface ResolvedAddress {
  address: string;
  family: Family;
}

/**
 * Host as written in a URL or by a user: an IP address in canonical spelling, or an ASCII name without the final dot.
 */
type Host = { kind: 'address'; address: string; family: Family } | { kind: 'name'; name: string };

/**
 * Parses a host in any spelling that browsers accept: `127.1`, `0x7f.1`, `2130706433`, `[::1]`, `fe80::1%eth0`,
 * `München.de`. Null if it is neither an address nor a possible name.
 */
export function parseHost(text: string): Host | null {
  const bare = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text;
  const family = isIP(bare);
  if (family === 4) return { kind: 'address', address: bare, family: 4 };
  if (family === 6) return { kind: 'address', address: canonicalIPv6(bare), family: 6 };
  if (/[\s/?#@\\:%[\]]/.test(bare)) return null;
  return readName(bare);
}

/** Formats a host for a URL: IPv6 in brackets. */
export function hostInUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

function readName(text: string): Host | null {
  let ascii: string;
  try {
    // The URL parser applies IDNA and converts every numeric spelling of IPv4 to four decimal parts.
    ascii = new URL(`http://${text}`).hostname;
  } catch {
    return null;
  }
  if (isIP(ascii) === 4) return { kind: 'address', address: ascii, family: 4 };
  const name = ascii.endsWith('.') ? ascii.slice(0, -1) : ascii;
  return isPossibleName(name) ? { kind: 'name', name } : null;
}

/** RFC 1035, section 2.3.4: labels of 1 to 63 octets, 253 in all. */
function isPossibleName(name: string): boolean {
  return name.length <= 253 && name.split('.').every((label) => /^[^.]{1,63}$/.test(label));
}

/** Keeps the zone id, which is needed to connect to link-local addresses. */
function canonicalIPv6(address: string): string {
  const [bare = '', zone] = address.split('%', 2);
  const canonical = new URL(`http://[${bare}]`).hostname.slice(1, -1);
  return zone === undefined ? canonical : `${canonical}%${zone}`;
}

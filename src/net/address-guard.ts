import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { IPv4, IPv6 } from 'ipaddr.js';
import { parseHost } from './host.ts';

/** What the guard says of one address. The reason completes "the address …", such as `is a private address`. */
export type Judgement = { allowed: true } | { allowed: false; reason: string };

/** Decides which addresses may be spoken to (completions, section 11, ALLOW_PRIVATE_TARGETS). */
export interface AddressGuard {
  /** Judges one IP address in any spelling: brackets and zone ids are understood. What is no address is refused. */
  judge(address: string): Judgement;
}

/** One range of addresses. */
export interface Cidr {
  network: IPv4 | IPv6;
  prefix: number;
}

/**
 * Whether private and loopback addresses may be spoken to: all, none, or those in the ranges. Ranges also open what
 * is refused otherwise, such as link-local addresses.
 */
export type PrivateTargets = boolean | readonly Cidr[];

const ALLOWED: Judgement = { allowed: true };

/** The ranges of ipaddr.js that the setting opens and closes; every other one but `unicast` is always refused. */
const PRIVATE_RANGES: Record<string, string> = {
  private: 'is a private address',
  uniqueLocal: 'is a private address',
  carrierGradeNat: 'is a private address (carrier-grade NAT)',
  loopback: 'is a loopback address',
};

const REFUSED_RANGES: Record<string, string> = {
  linkLocal: 'is a link-local address',
  multicast: 'is a multicast address',
  unspecified: 'is the unspecified address',
  broadcast: 'is the broadcast address',
};

/** Cloud metadata services that lie outside the link-local ranges: Alibaba, Azure, AWS and Google over IPv6. */
const METADATA = ['100.100.100.200', '168.63.129.16', 'fd00:ec2::254', 'fd20:ce::254'].map(
  (address) => ipaddr.parse(address),
);

const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3') as [IPv6, number];
/** RFC 6052, the well-known prefix: what a NAT64 gateway reaches is the IPv4 address in the last 32 bits. */
const NAT64 = ipaddr.parseCIDR('64:ff9b::/96') as [IPv6, number];

/** Pure: the same address is always judged the same. */
export function createAddressGuard(privateTargets: PrivateTargets): AddressGuard {
  const ranges = typeof privateTargets === 'boolean' ? [] : privateTargets;
  const allowPrivate = privateTargets === true;

  return {
    judge(text) {
      const address = parseAddress(text);
      if (address === null) return refuse('is not an IP address');
      const embedded = embeddedIPv4(address);
      if (isInside(address, ranges) || (embedded !== null && isInside(embedded, ranges))) {
        return ALLOWED;
      }
      return judgeByRange(embedded ?? address, allowPrivate);
    },
  };
}

/** Judges the host of a URL if it is an address in any spelling; null when it is a name, which is judged when it is checked. */
export function judgeHostLiteral(guard: AddressGuard, host: string): Judgement | null {
  const parsed = parseHost(host);
  return parsed?.kind === 'address' ? guard.judge(parsed.address) : null;
}

/** Reads the value of ALLOW_PRIVATE_TARGETS: `true`, `false`, or a comma list of addresses and CIDR ranges. */
export function parseAllowPrivateTargets(
  text: string,
): { ok: true; value: PrivateTargets } | { ok: false; message: string } {
  const word = text.trim().toLowerCase();
  if (word === 'true' || word === 'false') return { ok: true, value: word === 'true' };
  const ranges: Cidr[] = [];
  for (const part of word.split(',').map((each) => each.trim())) {
    const range = parseCidr(part);
    if (range === null) {
      return {
        ok: false,
        message: `ALLOW_PRIVATE_TARGETS must be true, false or a comma list of CIDR ranges such as 10.0.0.0/8: "${part}" is none of these.`,
      };
    }
    ranges.push(range);
  }
  return { ok: true, value: ranges };
}

function parseCidr(text: string): Cidr | null {
  const [address = '', length, ...rest] = text.split('/');
  if (isIP(address) === 0 || address.includes('%') || rest.length > 0) return null;
  if (length !== undefined && !/^\d{1,3}$/.test(length)) return null;
  const network = parseAddress(address);
  if (network === null) return null;
  const bits = network.kind() === 'ipv4' ? 32 : 128;
  const prefix = length === undefined ? bits : Number(length);
  if (prefix > bits) return null;
  // Addresses are compared after unwrapping, so a range of mapped ones is a range of IPv4.
  if (network.kind() === 'ipv6' && (network as IPv6).isIPv4MappedAddress() && prefix >= 96) {
    return { network: (network as IPv6).toIPv4Address(), prefix: prefix - 96 };
  }
  return { network, prefix };
}

function judgeByRange(address: IPv4 | IPv6, allowPrivate: boolean): Judgement {
  if (METADATA.some((metadata) => isSame(metadata, address))) {
    return refuse('is a cloud metadata address');
  }
  const range = address.range();
  const isPrivate = PRIVATE_RANGES[range];
  if (isPrivate !== undefined) return allowPrivate ? ALLOWED : refuse(isPrivate);
  if (range === 'unicast' && isAssigned(address)) return ALLOWED;
  return refuse(REFUSED_RANGES[range] ?? 'is a reserved address');
}

/** Only 2000::/3 is global unicast; ipaddr.js calls everything without a special meaning `unicast`. */
function isAssigned(address: IPv4 | IPv6): boolean {
  return address.kind() === 'ipv4' || (address as IPv6).match(GLOBAL_IPV6);
}

/**
 * The IPv4 address that is really spoken to through an IPv6 one: mapped (the system connects to IPv4) and NAT64.
 * 6to4, Teredo, IPv4-compatible and translated forms are obsolete tunnels whose end nobody can foresee: they are
 * reserved ranges, and refused as such.
 */
function embeddedIPv4(address: IPv4 | IPv6): IPv4 | null {
  if (address.kind() === 'ipv4') return null;
  const v6 = address as IPv6;
  if (v6.isIPv4MappedAddress()) return v6.toIPv4Address();
  if (v6.match(NAT64)) return new ipaddr.IPv4(v6.toByteArray().slice(12));
  return null;
}

function isSame(a: IPv4 | IPv6, b: IPv4 | IPv6): boolean {
  return a.kind() === b.kind() && a.match(b as IPv4 & IPv6, a.kind() === 'ipv4' ? 32 : 128);
}

function isInside(address: IPv4 | IPv6, ranges: readonly Cidr[]): boolean {
  return ranges.some(
    ({ network, prefix }) =>
      network.kind() === address.kind() && address.match(network as IPv4 & IPv6, prefix),
  );
}

function parseAddress(text: string): IPv4 | IPv6 | null {
  const host = parseHost(text);
  if (host?.kind !== 'address') return null;
  // The canonical spelling, because ipaddr.js takes `::127.0.0.1` for a mapped address, which it is not.
  if (host.family === 4) return ipaddr.IPv4.parse(host.address);
  return ipaddr.IPv6.parse(host.address.replace(/%.*$/, ''));
}

function refuse(reason: string): Judgement {
  return { allowed: false, reason };
}

import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { IPv4, IPv6 } from 'ipaddr.js';
import { memoize } from '../lib/memoize.ts';
import { parseHost } from './host.ts';

/** Decision for one address. The reason completes "the address …", such as `is a private address`. */
export type AddressDecision = { allowed: true } | { allowed: false; reason: string };

/** Policy for the addresses that Tocsin may connect to (contract 15.10, 15.11). */
export type AddressGuard = ReturnType<typeof createAddressGuard>;

export interface Cidr {
  network: IPv4 | IPv6;
  prefix: number;
}

/**
 * Whether private and loopback addresses are allowed: all, none, or those in the ranges. Ranges also allow addresses
 * that are otherwise refused, such as link-local ones.
 */
export type PrivateTargets = boolean | readonly Cidr[];

const ALLOWED: AddressDecision = { allowed: true };

/** Evaluating an address takes as long as parsing a URL, and the same ones are checked again and again. */
const MAX_KNOWN_ADDRESSES = 20_000;

/** Ranges of ipaddr.js that ALLOW_PRIVATE_TARGETS controls; all others except `unicast` are always refused. */
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

/** Cloud metadata services outside the link-local ranges; those from AWS on are reached over IPv6. */
const METADATA = [
  '100.100.100.200', // Alibaba
  '168.63.129.16', // Azure
  'fd00:ec2::254', // AWS, instances
  'fd00:ec2::23', // AWS, pods
  'fd20:ce::254', // Google
  'fd00:42::42', // Scaleway
].map((address) => ipaddr.parse(address));

const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3') as [IPv6, number];
/** Well-known prefix of RFC 6052: a NAT64 gateway connects to the IPv4 address in the last 32 bits. */
const NAT64 = ipaddr.parseCIDR('64:ff9b::/96') as [IPv6, number];

/** Pure: equal addresses get equal decisions. */
export function createAddressGuard(privateTargets: PrivateTargets) {
  const ranges = typeof privateTargets === 'boolean' ? [] : privateTargets;
  const allowPrivate = privateTargets === true;

  function evaluate(text: string): AddressDecision {
    const address = parseAddress(text);
    if (address === null) return refuse('is not an IP address');
    const end = nat64Destination(address) ?? address;
    if (isInside(end, ranges) || isNamedNat64(address, ranges)) return ALLOWED;
    return evaluateRange(end, allowPrivate);
  }

  return {
    /** Evaluates an IP address in any spelling, including brackets and zone ids. Anything else is refused. */
    evaluate: memoize(evaluate, MAX_KNOWN_ADDRESSES),
  };
}

/**
 * Evaluates the host of a URL if it is an address in any spelling; null for a name, which is evaluated at each check.
 */
export function evaluateHostLiteral(guard: AddressGuard, host: string): AddressDecision | null {
  const parsed = parseHost(host);
  return parsed?.kind === 'address' ? guard.evaluate(parsed.address) : null;
}

/** Parses ALLOW_PRIVATE_TARGETS: `true`, `false`, or a comma-separated list of addresses and CIDR ranges. */
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

/** True for an IP address, and for a range of addresses such as `203.0.113.0/24`. */
export function isCidr(text: string): boolean {
  return parseCidr(text) !== null;
}

function parseCidr(text: string): Cidr | null {
  const [address = '', length, ...rest] = text.split('/');
  if (isIP(address) === 0 || address.includes('%') || rest.length > 0) return null;
  if (length !== undefined && !/^\d{1,3}$/.test(length)) return null;
  const network = parseLiteral(address);
  if (network === null) return null;
  const bits = network.kind() === 'ipv4' ? 32 : 128;
  const prefix = length === undefined ? bits : Number(length);
  if (prefix > bits) return null;
  // Mapped addresses are evaluated as IPv4 ones, so a range of them is a range of IPv4.
  return isMapped(network) && prefix >= 96
    ? { network: network.toIPv4Address(), prefix: prefix - 96 }
    : { network, prefix };
}

function evaluateRange(address: IPv4 | IPv6, allowPrivate: boolean): AddressDecision {
  if (METADATA.some((metadata) => isSame(metadata, address))) {
    return refuse('is a cloud metadata address');
  }
  const range = address.range();
  const isPrivate = PRIVATE_RANGES[range];
  if (isPrivate !== undefined) return allowPrivate ? ALLOWED : refuse(isPrivate);
  if (range === 'unicast' && isAssigned(address)) return ALLOWED;
  return refuse(REFUSED_RANGES[range] ?? 'is a reserved address');
}

/** Only 2000::/3 is global unicast; ipaddr.js classifies everything without a special meaning as `unicast`. */
function isAssigned(address: IPv4 | IPv6): boolean {
  return address.kind() === 'ipv4' || (address as IPv6).match(GLOBAL_IPV6);
}

/**
 * IPv4 destination of a NAT64 address. Other embedded addresses are ignored: 6to4, Teredo, IPv4-compatible and
 * translated forms, and NAT64 by a local prefix (RFC 8215), are obsolete or have no predictable destination. All of
 * them are reserved ranges and refused as such.
 */
function nat64Destination(address: IPv4 | IPv6): IPv4 | null {
  if (address.kind() === 'ipv4' || !(address as IPv6).match(NAT64)) return null;
  return new ipaddr.IPv4((address as IPv6).toByteArray().slice(12));
}

/**
 * Whether a range names a NAT64 address itself. Wide ranges such as `::/0` don't include the embedded IPv4 addresses.
 */
function isNamedNat64(address: IPv4 | IPv6, ranges: readonly Cidr[]): boolean {
  const narrow = ranges.filter(({ prefix }) => prefix >= NAT64[1]);
  return address.kind() === 'ipv6' && isInside(address, narrow);
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

/** Parses an address; IPv4-mapped ones become IPv4, since connecting to them uses IPv4. */
function parseAddress(text: string): IPv4 | IPv6 | null {
  const address = parseLiteral(text);
  return address !== null && isMapped(address) ? address.toIPv4Address() : address;
}

function parseLiteral(text: string): IPv4 | IPv6 | null {
  const host = parseHost(text);
  if (host?.kind !== 'address') return null;
  // Use the canonical spelling: ipaddr.js takes `::127.0.0.1` for a mapped address, which it is not.
  if (host.family === 4) return ipaddr.IPv4.parse(host.address);
  return ipaddr.IPv6.parse(host.address.replace(/%.*$/, ''));
}

function isMapped(address: IPv4 | IPv6): address is IPv6 {
  return address.kind() === 'ipv6' && (address as IPv6).isIPv4MappedAddress();
}

function refuse(reason: string): AddressDecision {
  return { allowed: false, reason };
}

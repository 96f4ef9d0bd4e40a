import { networkInterfaces } from 'node:os';
import type { Clock } from '../lib/clock.ts';
import type { Family, ResolvedAddress } from './host.ts';

/**
 * Whether an external interface has an address of the family and, if given, can reach the destination: a machine with
 * only unique local IPv6 addresses (RFC 4193) can't reach global ones.
 */
export type LocalNetwork = (family: Family, destination?: string) => boolean;

/** Destinations that an interface's address can reach. */
type Reach = 'ipv4' | 'ipv6-site' | 'ipv6-global';

const REFRESH_AFTER_MS = 1_000;

/**
 * Reads this machine's interfaces at most once per second; they stay as they were while they can't be read, as without
 * a free file descriptor. Link-local addresses are ignored.
 */
export function createLocalNetwork(clock: Clock, interfaces = networkInterfaces): LocalNetwork {
  let reaches = new Set<Reach>();
  let lookedAt = Number.NEGATIVE_INFINITY;
  return (family, destination = '') => {
    const now = clock.monotonic();
    if (now - lookedAt >= REFRESH_AFTER_MS) {
      lookedAt = now;
      try {
        reaches = reachesOf(interfaces());
      } catch {
        // The last ones count.
      }
    }
    if (family === 4) return reaches.has('ipv4');
    if (reaches.has('ipv6-global')) return true;
    return reaches.has('ipv6-site') && !isGlobalIPv6(destination);
  };
}

/** Whether this machine can reach the address; loopback needs no network. */
export function canReach({ address, family }: ResolvedAddress, hasNetwork: LocalNetwork): boolean {
  return address === '::1' || address.startsWith('127.') || hasNetwork(family, address);
}

function reachesOf(interfaces: ReturnType<typeof networkInterfaces>): Set<Reach> {
  const reaches = new Set<Reach>();
  for (const { address, family, internal } of Object.values(interfaces).flatMap(
    (list) => list ?? [],
  )) {
    if (internal || /^(fe[89ab]|169\.254\.)/i.test(address)) continue;
    if (family === 'IPv4') reaches.add('ipv4');
    else reaches.add(isGlobalIPv6(address) ? 'ipv6-global' : 'ipv6-site');
  }
  return reaches;
}

/** 2000::/3; its first group always has four digits. */
function isGlobalIPv6(address: string): boolean {
  return /^[23][0-9a-f]{3}:/i.test(address);
}

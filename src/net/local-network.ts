import { networkInterfaces } from 'node:os';
import type { Clock } from '../lib/clock.ts';
import type { Family, ResolvedAddress } from './host.ts';

/**
 * Whether a non-internal interface has an address of the family; with a destination, one from which that can be
 * reached: a machine whose IPv6 is of its own site only (RFC 4193) reaches no global IPv6 address.
 */
export type LocalNetwork = (family: Family, destination?: string) => boolean;

/** What an interface's address is good for. */
type Reach = 'ipv4' | 'ipv6-site' | 'ipv6-global';

const LOOK_AGAIN_AFTER_MS = 1_000;

/** Looks at this machine's interfaces, at most once a second. Link-local addresses don't reach anywhere and don't count. */
export function createLocalNetwork(clock: Clock, interfaces = networkInterfaces): LocalNetwork {
  let reaches = new Set<Reach>();
  let lookedAt = Number.NEGATIVE_INFINITY;
  return (family, destination = '') => {
    const now = clock.monotonic();
    if (now - lookedAt >= LOOK_AGAIN_AFTER_MS) {
      lookedAt = now;
      reaches = reachesOf(interfaces());
    }
    if (family === 4) return reaches.has('ipv4');
    if (reaches.has('ipv6-global')) return true;
    return reaches.has('ipv6-site') && !isGlobalIPv6(destination);
  };
}

/** Loopback needs no network. */
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

/** 2000::/3, whose first group always has four digits. */
function isGlobalIPv6(address: string): boolean {
  return /^[23][0-9a-f]{3}:/i.test(address);
}

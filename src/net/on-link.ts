import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Clock } from '../lib/clock.ts';
import { memoize } from '../lib/memoize.ts';

/** MAC address of loopback and tunnel interfaces; the far end of a tunnel is reached through the uplink. */
const NO_HARDWARE = '00:00:00:00:00:00';
const REFRESH_AFTER_MS = 10_000;
const MAX_KNOWN_ADDRESSES = 20_000;
/** Larger networks are not treated as directly attached. */
const MIN_PREFIX = { ipv4: 8, ipv6: 32 };

type Interfaces = ReturnType<typeof networkInterfaces>;

/**
 * Marks results of targets on this machine or a directly attached network: they say nothing about the uplink. Reads the
 * interfaces at most once in 10 s.
 */
export function createOnLinkMarker(clock: Clock, interfaces: () => Interfaces = networkInterfaces) {
  let isOnLink: ((address: string) => boolean) | null = null;
  let lookedAt = Number.NEGATIVE_INFINITY;
  return <Result extends { remoteAddress: string | null; isOnLink?: true }>(
    result: Result,
  ): Result => {
    const { remoteAddress } = result;
    if (remoteAddress === null) return result;
    if (isOnLink === null || clock.monotonic() - lookedAt >= REFRESH_AFTER_MS) {
      lookedAt = clock.monotonic();
      const networks = networksOf(interfaces());
      isOnLink = memoize((address) => isWithin(networks, address), MAX_KNOWN_ADDRESSES);
    }
    return isOnLink(remoteAddress) ? { ...result, isOnLink: true } : result;
  };
}

/** Addresses of a machine and the networks attached to it. */
function networksOf(interfaces: Interfaces): BlockList {
  const networks = new BlockList();
  networks.addSubnet('127.0.0.0', 8, 'ipv4');
  networks.addAddress('::1', 'ipv6');
  for (const { address, family, mac, cidr } of Object.values(interfaces).flatMap(
    (list) => list ?? [],
  )) {
    const kind = family === 'IPv4' ? 'ipv4' : 'ipv6';
    const prefix = Number(cidr?.split('/')[1]);
    const isAttached = mac !== NO_HARDWARE && prefix >= MIN_PREFIX[kind];
    if (isAttached) networks.addSubnet(address, prefix, kind);
    else networks.addAddress(address, kind);
  }
  return networks;
}

/** Whether the list contains the address; an IPv4-mapped address counts as IPv4. */
function isWithin(networks: BlockList, text: string): boolean {
  const address = text.replace(/%.*$/, '');
  const family = isIP(address);
  return family !== 0 && networks.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

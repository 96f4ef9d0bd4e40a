import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';
import type { Clock } from '../lib/clock.ts';

/** Interfaces without a hardware address: loopback, and tunnels, whose far ends are reached through the uplink. */
const NO_HARDWARE = '00:00:00:00:00:00';
const LOOK_AGAIN_AFTER_MS = 10_000;
/** A wider network than that is no neighbourhood. */
const MIN_PREFIX = { ipv4: 8, ipv6: 32 };

type Interfaces = ReturnType<typeof networkInterfaces>;

/**
 * Marks results of targets on this machine, or in a network that it is attached to by cable or radio: whether they answer
 * says nothing of the way beyond. Looks at the interfaces at most once in 10 s.
 */
export function createOnLinkMark(clock: Clock, interfaces: () => Interfaces = networkInterfaces) {
  let networks: string[] = [];
  let lookedAt = Number.NEGATIVE_INFINITY;
  const known = new Map<string, boolean>();
  return <Result extends { remoteAddress: string | null; isOnLink?: true }>(
    result: Result,
  ): Result => {
    const { remoteAddress } = result;
    if (remoteAddress === null) return result;
    if (clock.monotonic() - lookedAt >= LOOK_AGAIN_AFTER_MS) {
      lookedAt = clock.monotonic();
      networks = networksOf(interfaces());
      known.clear();
    }
    let isOnLink = known.get(remoteAddress);
    if (isOnLink === undefined)
      known.set(remoteAddress, (isOnLink = isWithin(networks, remoteAddress)));
    return isOnLink ? { ...result, isOnLink: true } : result;
  };
}

/** Of a machine's interfaces, as CIDR ranges: its own addresses and the networks around them. */
export function networksOf(interfaces: Interfaces): string[] {
  const ranges = ['127.0.0.0/8', '::1/128'];
  for (const { address, family, mac, cidr } of Object.values(interfaces).flatMap(
    (list) => list ?? [],
  )) {
    const isIPv4 = family === 'IPv4';
    const prefix = Number(cidr?.split('/')[1]);
    const isNeighbourhood =
      mac !== NO_HARDWARE && prefix >= (isIPv4 ? MIN_PREFIX.ipv4 : MIN_PREFIX.ipv6);
    ranges.push(`${address}/${isNeighbourhood ? prefix : isIPv4 ? 32 : 128}`);
  }
  return ranges;
}

export function isWithin(ranges: readonly string[], text: string): boolean {
  const bare = text.replace(/%.*$/, '');
  if (!ipaddr.isValid(bare)) return false;
  const address = ipaddr.process(bare);
  return ranges.some((range) => {
    const [network, prefix] = ipaddr.parseCIDR(range);
    return network.kind() === address.kind() && address.match(network as never, prefix);
  });
}

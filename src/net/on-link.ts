import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
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
  let networks = new BlockList();
  let lookedAt = Number.NEGATIVE_INFINITY;
  return <Result extends { remoteAddress: string | null; isOnLink?: true }>(
    result: Result,
  ): Result => {
    const { remoteAddress } = result;
    if (remoteAddress === null) return result;
    if (clock.monotonic() - lookedAt >= LOOK_AGAIN_AFTER_MS) {
      lookedAt = clock.monotonic();
      networks = networksOf(interfaces());
    }
    return isWithin(networks, remoteAddress) ? { ...result, isOnLink: true } : result;
  };
}

/** Of a machine's interfaces: its own addresses and the networks around them. */
function networksOf(interfaces: Interfaces): BlockList {
  const networks = new BlockList();
  networks.addSubnet('127.0.0.0', 8, 'ipv4');
  networks.addAddress('::1', 'ipv6');
  for (const { address, family, mac, cidr } of Object.values(interfaces).flatMap(
    (list) => list ?? [],
  )) {
    const kind = family === 'IPv4' ? 'ipv4' : 'ipv6';
    const prefix = Number(cidr?.split('/')[1]);
    const isNeighbourhood = mac !== NO_HARDWARE && prefix >= MIN_PREFIX[kind];
    if (isNeighbourhood) networks.addSubnet(address, prefix, kind);
    else networks.addAddress(address, kind);
  }
  return networks;
}

/** An IPv4-mapped address counts as the IPv4 address that it stands for. */
function isWithin(networks: BlockList, text: string): boolean {
  const address = text.replace(/%.*$/, '');
  const family = isIP(address);
  return family !== 0 && networks.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

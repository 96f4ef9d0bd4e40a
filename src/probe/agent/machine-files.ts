/** Parser of Linux network state in `/proc/net`. Pure: file contents in, facts out. */

export interface DefaultRoute {
  device: string;
  /** Null for a link without a gateway, such as a tunnel. */
  gateway: string | null;
  metric: number;
}

/** Route flags of `include/uapi/linux/route.h`. */
const RTF_UP = 0x1;
const RTF_REJECT = 0x200;

/** Parses `/proc/net/route`, whose addresses are hex in machine byte order: little-endian on all platforms of Node. */
export function readRoutes4(text: string): DefaultRoute[] {
  return routesIn(text, (fields) => {
    const [device = '', destination, gateway = '', flags, , , metric, mask] = fields;
    // Tunnels replace the default route with two halves: 0.0.0.0/1 and 128.0.0.0/1.
    const isDefault = destination === '00000000' && /^000000(00|80)$/.test(mask ?? '');
    return { isDefault, device, flags, gateway: address4(gateway), metric: Number(metric) };
  });
}

/** Parses `/proc/net/ipv6_route`, whose numbers are all hex. */
export function readRoutes6(text: string): DefaultRoute[] {
  return routesIn(text, (fields) => {
    const [destination, prefix = '', , , gateway = '', metric = '', , , flags, device = ''] =
      fields;
    const isDefault = destination === '0'.repeat(32) && Number.parseInt(prefix, 16) <= 1;
    return {
      isDefault,
      device,
      flags,
      gateway: address6(gateway),
      metric: Number.parseInt(metric, 16),
    };
  });
}

interface RouteLine extends DefaultRoute {
  isDefault: boolean;
  flags: string | undefined;
}

function routesIn(text: string, read: (fields: string[]) => RouteLine): DefaultRoute[] {
  const lines = text.split('\n').map((line) => read(line.trim().split(/\s+/)));
  return lines
    .filter(({ isDefault, device, flags }) => {
      const bits = Number.parseInt(flags ?? '', 16);
      return isDefault && device !== 'lo' && (bits & RTF_UP) !== 0 && (bits & RTF_REJECT) === 0;
    })
    .map(({ device, gateway, metric }) => ({ device, gateway, metric }))
    .toSorted((a, b) => a.metric - b.metric);
}

function address4(hex: string): string | null {
  const bytes = hex.match(/../g)?.map((byte) => Number.parseInt(byte, 16)) ?? [];
  return bytes.length === 4 && bytes.some((byte) => byte !== 0)
    ? bytes.toReversed().join('.')
    : null;
}

function address6(hex: string): string | null {
  const groups = hex.match(/..../g) ?? [];
  const isKnown = groups.length === 8 && groups.some((group) => group !== '0000');
  return isKnown ? groups.map((group) => group.replace(/^0{1,3}/, '')).join(':') : null;
}

/**
 * Whether `/proc/net/arp` has a hardware address for the neighbor; the kernel clears the flag if ARP got no reply. Null
 * if the address is not listed.
 */
export function hasHardwareAddress(text: string, address: string): boolean | null {
  for (const line of text.split('\n')) {
    const [neighbor, , flags = ''] = line.trim().split(/\s+/);
    if (neighbor === address) return (Number.parseInt(flags, 16) & 0x2) !== 0;
  }
  return null;
}

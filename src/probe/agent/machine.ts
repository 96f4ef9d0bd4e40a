import dns from 'node:dns';
import { readFile } from 'node:fs/promises';
import { connect, isIP } from 'node:net';
import type { Clock } from '../../lib/clock.ts';
import type { MachineReport, MachineRequest, PartState } from '../../model/machine.ts';
import { createDnsClient, type DnsServer } from '../dns/client.ts';
import { parseServer } from '../dns/recursive.ts';

export interface MachineOptions {
  clock: Clock;
  /** Name servers of the machine, as `address` or `address:port`. */
  servers?: () => readonly string[];
  /** Reads a file below `/proc/net` or `/sys/class/net`; null if there is none. */
  readText?(path: string): Promise<string | null>;
  /** Tries to connect to a port on which nothing listens. */
  tryConnect?(address: string, timeoutMs: number): Promise<ConnectOutcome>;
}

/** `replied`: the host accepted or refused. `unreachable`: the kernel got no hardware address for it. */
export type ConnectOutcome = 'replied' | 'unreachable' | 'silent';

/** Never rejects. */
export type MachineInspector = (request: MachineRequest) => Promise<MachineReport>;

/** Discard protocol (RFC 863): nothing listens there any more, so a host that is up refuses. */
const DISCARD_PORT = 9;
/** Limit of resolvers (`MAXNS` of glibc). */
const MAX_SERVERS = 3;

/**
 * Inspects the machine's own network: its routes and links, its gateway and its name servers. Sends nothing to anybody
 * else. Parts are unknown where the system provides no information, as on systems other than Linux.
 */
export function createMachineInspector(options: MachineOptions): MachineInspector {
  const {
    clock,
    servers = dns.getServers,
    readText = readSystemFile,
    tryConnect = tryConnectTo,
  } = options;
  const client = createDnsClient({ clock });

  async function routesOf(path: string, read: (text: string) => DefaultRoute[]) {
    const text = await readText(path);
    return text === null ? null : read(text);
  }

  /** State of the routes over a link that is up; unknown without the file. */
  async function stateOf(routes: DefaultRoute[] | null): Promise<PartState> {
    if (routes === null) return 'unknown';
    const links = await Promise.all(routes.map(({ device }) => isLinkDown(device)));
    return links.some((isDown) => !isDown) ? 'works' : 'broken';
  }

  async function isLinkDown(device: string): Promise<boolean> {
    const state = (await readText(`/sys/class/net/${device}/operstate`))?.trim();
    return state === 'down' || state === 'lowerlayerdown' || state === 'notpresent';
  }

  async function gatewayState(
    route: DefaultRoute | undefined,
    timeoutMs: number,
  ): Promise<PartState> {
    const gateway = route?.gateway;
    if (gateway == null) return 'unknown';
    const connected = await tryConnect(addressOn(gateway, route!.device), timeoutMs);
    if (connected === 'replied') return 'works';
    if (isIP(gateway) === 6) return connected === 'unreachable' ? 'broken' : 'unknown';
    const isNeighbor = hasHardwareAddress((await readText('/proc/net/arp')) ?? '', gateway);
    if (isNeighbor !== null) return isNeighbor ? 'works' : 'broken';
    return connected === 'unreachable' ? 'broken' : 'unknown';
  }

  async function resolverState(timeoutMs: number): Promise<PartState> {
    const configured = servers().slice(0, MAX_SERVERS).map(parseServer);
    if (configured.length === 0) return 'unknown';
    const states = await Promise.all(configured.map((server) => serverState(server, timeoutMs)));
    if (states.includes('works')) return 'works';
    return states.every((state) => state === 'broken') ? 'broken' : 'unknown';
  }

  /** Queries the root name servers, which every resolver knows. */
  async function serverState(server: DnsServer, timeoutMs: number): Promise<PartState> {
    const { signal } = new AbortController();
    const query = { recursive: true, timeoutMs, signal };
    const reply = await client.ask(server, { name: '.', type: 'NS' }, query);
    if (reply.state !== 'answer') return reply.state === 'unreadable' ? 'works' : 'broken';
    // A local forwarder responds even when offline: only an answer obtained from elsewhere proves a working network.
    const isForwarder = server.address.startsWith('127.') || server.address === '::1';
    return isForwarder && reply.rcode !== 'NOERROR' ? 'broken' : 'works';
  }

  return async ({ timeoutMs }) => {
    const routes4 = await routesOf('/proc/net/route', readRoutes4);
    // A machine without IPv6 doesn't have this file.
    const routes6 = (await routesOf('/proc/net/ipv6_route', readRoutes6)) ?? (routes4 && []);
    const route = routes4?.[0] ?? routes6?.[0];
    const [ipv4, ipv6, gateway, resolver] = await Promise.all([
      stateOf(routes4),
      stateOf(routes6),
      gatewayState(route, timeoutMs),
      resolverState(timeoutMs),
    ]);
    return {
      ipv4,
      ipv6,
      gateway,
      resolver,
      gatewayAddress: route?.gateway ?? null,
      resolverAddress: servers()[0] ?? null,
    };
  };
}

/** Adds the device to link-local addresses. */
function addressOn(address: string, device: string): string {
  return /^fe[89ab]/i.test(address) ? `${address}%${device}` : address;
}

async function readSystemFile(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch(() => null);
}

const UNREACHABLE = new Set(['EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN']);

function tryConnectTo(address: string, timeoutMs: number): Promise<ConnectOutcome> {
  return new Promise((resolve) => {
    const socket = connect({ host: address, port: DISCARD_PORT, timeout: timeoutMs });
    const end = (outcome: ConnectOutcome) => {
      socket.destroy();
      resolve(outcome);
    };
    socket.on('connect', () => end('replied'));
    socket.on('timeout', () => end('silent'));
    socket.on('error', ({ code = '' }: NodeJS.ErrnoException) => {
      if (code === 'ECONNREFUSED' || code === 'ECONNRESET') end('replied');
      else end(UNREACHABLE.has(code) ? 'unreachable' : 'silent');
    });
  });
}

/** Parser of Linux network state in `/proc/net`. Pure: file contents in, facts out. */

interface DefaultRoute {
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

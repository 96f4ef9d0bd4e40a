import dns from 'node:dns';
import { readFile } from 'node:fs/promises';
import { connect, isIP } from 'node:net';
import type { Clock } from '../../lib/clock.ts';
import type { MachineReport, MachineRequest, PartState } from '../../model/machine.ts';
import { createDnsClient } from '../dns/client.ts';
import type { DnsServer } from '../dns/client.ts';
import { parseServer } from '../dns/recursive.ts';
import { hasHardwareAddress, readRoutes4, readRoutes6 } from './machine-files.ts';
import type { DefaultRoute } from './machine-files.ts';

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

import { afterEach, expect, test } from 'vitest';
import {
  startNameServer,
  type DnsHandler,
  type NameServer,
} from '../../../test/support/dns-server.ts';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { systemClock } from '../../lib/clock.ts';
import type { MachineReport } from '../../model/machine.ts';
import { createOnLinkMarker } from './runner.ts';
import {
  createMachineInspector,
  hasHardwareAddress,
  readRoutes4,
  readRoutes6,
  type ConnectOutcome,
} from './machine.ts';

const ROUTES = `Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT
wlan0\t00000000\t0101A8C0\t0003\t0\t0\t600\t00000000\t0\t0\t0
eth0\t00000000\t010200C0\t0003\t0\t0\t100\t00000000\t0\t0\t0
eth0\t000200C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0
eth1\t00000000\t00000000\t0200\t0\t0\t0\t00000000\t0\t0\t0
`;
const ROUTES6 = `fd000000000000000000000000000000 40 00000000000000000000000000000000 00 00000000000000000000000000000000 00000100 00000001 00000000 00000001     eth0
00000000000000000000000000000000 00 00000000000000000000000000000000 00 fe800000000000000000000000000001 00000400 00000002 00000000 00000003     eth0
00000000000000000000000000000000 00 00000000000000000000000000000000 00 00000000000000000000000000000000 ffffffff 00000001 00000000 00200200       lo
`;
const ARP = `IP address       HW type     Flags       HW address            Mask     Device
192.0.2.1        0x1         0x2         02:fc:00:00:00:05     *        eth0
192.0.2.2        0x1         0x0         00:00:00:00:00:00     *        eth0
`;

test('default routes are read, the preferred one first', () => {
  expect(readRoutes4(ROUTES)).toEqual([
    { device: 'eth0', gateway: '192.0.2.1', metric: 100 },
    { device: 'wlan0', gateway: '192.168.1.1', metric: 600 },
  ]);
  expect(readRoutes6(ROUTES6)).toEqual([
    { device: 'eth0', gateway: 'fe80:0:0:0:0:0:0:1', metric: 1_024 },
  ]);
  const half = 'tun0\t00000000\t00000000\t0001\t0\t0\t0\t00000080\t0\t0\t0';
  expect(readRoutes4(half)).toEqual([{ device: 'tun0', gateway: null, metric: 0 }]);
  expect([readRoutes4(''), readRoutes6('')]).toEqual([[], []]);
});

test('a neighbor has a hardware address, has none, or is unknown', () => {
  const states = ['192.0.2.1', '192.0.2.2', '192.0.2.3'].map((one) => hasHardwareAddress(ARP, one));
  expect(states).toEqual([true, false, null]);
});

let server: NameServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

interface Given {
  files?: Record<string, string>;
  connection?: ConnectOutcome;
  resolver?: DnsHandler;
}

async function inspect({
  files = {},
  connection = 'silent',
  resolver,
}: Given): Promise<MachineReport> {
  server = resolver === undefined ? null : await startNameServer(resolver);
  const inspector = createMachineInspector({
    clock: systemClock,
    servers: () => (server === null ? [] : [`${server.address}:${server.port}`]),
    readText: async (path) => files[path] ?? null,
    tryConnect: async () => connection,
  });
  return inspector({ kind: 'machine', timeoutMs: 200 });
}

const NET = { '/proc/net/route': ROUTES, '/proc/net/arp': ARP };
const DOWN = {
  '/sys/class/net/eth0/operstate': 'down\n',
  '/sys/class/net/wlan0/operstate': 'down\n',
};

test.each<[string, Given, Partial<MachineReport>]>([
  [
    'nothing is known of another system',
    {},
    { ipv4: 'unknown', ipv6: 'unknown', gateway: 'unknown' },
  ],
  ['no route', { files: { '/proc/net/route': '' } }, { ipv4: 'broken', ipv6: 'broken' }],
  ['a route', { files: NET }, { ipv4: 'works', ipv6: 'broken', gateway: 'works' }],
  ['no link', { files: { ...NET, ...DOWN } }, { ipv4: 'broken' }],
  [
    'the gateway has no hardware address any more',
    {
      files: {
        ...NET,
        '/proc/net/arp': ARP.replace('192.0.2.2', '192.0.2.1').replace(/.*0x2.*\n/, ''),
      },
    },
    { gateway: 'broken', gatewayAddress: '192.0.2.1' },
  ],
  [
    'the gateway can not be reached',
    { files: { '/proc/net/route': ROUTES }, connection: 'unreachable' },
    { gateway: 'broken' },
  ],
  ['a gateway that drops all', { files: { '/proc/net/route': ROUTES } }, { gateway: 'unknown' }],
  [
    'the gateway refuses',
    { files: { '/proc/net/route': ROUTES }, connection: 'replied' },
    { gateway: 'works' },
  ],
  ['no name server is configured', {}, { resolver: 'unknown', resolverAddress: null }],
  ['the name server replies', { resolver: () => ({}) }, { resolver: 'works' }],
  ['the name server is silent', { resolver: () => 'silent' }, { resolver: 'broken' }],
  // It is on this machine: its own answers prove nothing.
  ['a forwarder fails', { resolver: () => ({ rcode: 'SERVFAIL' }) }, { resolver: 'broken' }],
])('%s', async (_name, given, expected) => {
  expect(await inspect(given)).toMatchObject(expected);
});

test('only queries the name server for the root', async () => {
  await inspect({ resolver: () => ({}) });
  expect(server!.questions).toEqual(['. NS']);
});

test('this machine reports within its time limit', async () => {
  const report = await createMachineInspector({ clock: systemClock, servers: () => [] })({
    kind: 'machine',
    timeoutMs: 500,
  });
  expect(report.resolver).toBe('unknown');
});

test('targets on this machine and attached networks are on link, those behind tunnels are not', () => {
  const clock = createFakeClock();
  const ether = { netmask: '', internal: false, mac: '02:fc:00:00:00:05', scopeid: 0 };
  const mark = createOnLinkMarker(clock, () => ({
    eth0: [
      { ...ether, family: 'IPv4', address: '192.0.2.2', cidr: '192.0.2.2/24' },
      { ...ether, family: 'IPv6', address: '2001:db8::2', cidr: '2001:db8::2/64' },
    ],
    tun0: [
      {
        ...ether,
        mac: '00:00:00:00:00:00',
        family: 'IPv4',
        address: '10.8.0.2',
        cidr: '10.8.0.2/24',
      },
    ],
  }));
  const marked = (remoteAddress: string | null) => mark({ remoteAddress }) as { isOnLink?: true };
  const near = ['127.0.0.1', '::1', '192.0.2.77', '::ffff:192.0.2.77', '2001:db8::77', '10.8.0.2'];
  for (const address of near) expect([address, marked(address).isOnLink]).toEqual([address, true]);
  for (const address of ['203.0.113.1', '2001:db8:1::1', '10.8.0.1', 'no address', null])
    expect([address, marked(address).isOnLink]).toEqual([address, undefined]);
});

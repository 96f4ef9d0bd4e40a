import { mkdirSync, rmSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { startDnsServer, type DnsAnswer, type DnsServer } from '../../test/support/dns-server.ts';
import { fileWith } from '../../test/support/temporary-file.ts';
import { systemClock } from '../lib/clock.ts';
import { createAddressGuard } from './address-guard.ts';
import {
  parseHosts,
  createResolver,
  preferredOrder,
  createLocalNetwork,
  findTarget,
  type Resolver,
} from './resolver.ts';

let server: DnsServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

async function resolverFor(
  A: DnsAnswer,
  AAAA: DnsAnswer,
  hostsFile = '/dev/null',
): Promise<Resolver> {
  server = await startDnsServer((_name, type) => (type === 'A' ? A : AAAA));
  return createResolver({
    clock: systemClock,
    servers: [server.address],
    hostsFile,
    hasNetwork: () => true,
  });
}

const within = (milliseconds: number): AbortSignal => {
  const controller = new AbortController();
  setTimeout(() => controller.abort('deadline'), milliseconds).unref();
  return controller.signal;
};

const v4 = { addresses: ['192.0.2.7', '192.0.2.8'] };
const v6 = { addresses: ['2001:db8::7'] };

describe('resolve', () => {
  test.each<[string, DnsAnswer, DnsAnswer, string[], true?]>([
    ['both families, IPv4 first', v4, v6, ['192.0.2.7', '192.0.2.8', '2001:db8::7']],
    ['IPv4 only', v4, 'empty', ['192.0.2.7', '192.0.2.8']],
    ['IPv6 only', 'empty', v6, ['2001:db8::7']],
    ['one family fails', v4, 'server-failure', ['192.0.2.7', '192.0.2.8'], true],
    ['one family is silent', v4, 'silent', ['192.0.2.7', '192.0.2.8'], true],
  ])('%s', async (_name, A, AAAA, addresses, isPartial) => {
    const resolver = await resolverFor(A, AAAA);
    const resolution = await resolver.resolve('www.example.com', within(5_000));
    expect(resolution.ok && resolution.isPartial).toBe(isPartial);
    expect(resolution.ok && resolution.addresses.map(({ address }) => address).toSorted()).toEqual(
      addresses,
    );
  });

  test.each<[string, DnsAnswer, DnsAnswer, string]>([
    ['does not exist', 'not-found', 'not-found', 'dns_not_found'],
    ['has no addresses', 'empty', 'empty', 'dns_not_found'],
    ['server failure', 'server-failure', 'server-failure', 'dns_failed'],
    ['no address of one family, the other fails', 'empty', 'server-failure', 'dns_failed'],
    ['refused', 'refused', 'refused', 'dns_failed'],
    ['silent', 'silent', 'silent', 'dns_timeout'],
    ['garbage', 'garbage', 'garbage', 'dns_failed'],
  ])('%s', async (_name, A, AAAA, code) => {
    const resolver = await resolverFor(A, AAAA);
    expect(await resolver.resolve('www.example.com', within(300))).toEqual({ ok: false, code });
  });

  test('a shutdown is not a failure of the name', async () => {
    const resolver = await resolverFor('silent', 'silent');
    const controller = new AbortController();
    const resolution = resolver.resolve('www.example.com', controller.signal);
    controller.abort('shutdown');
    expect(await resolution).toEqual({ ok: false, code: 'aborted' });
    expect(await resolver.resolve('www.example.com', controller.signal)).toEqual({
      ok: false,
      code: 'aborted',
    });
  });

  test('without any name server', async () => {
    const resolver = createResolver({
      clock: systemClock,
      servers: ['127.0.0.1:1'],
      hostsFile: '/dev/null',
    });
    const resolution = await resolver.resolve('www.example.com', within(300));
    expect(resolution).toEqual({ ok: false, code: 'probe_unable' });
  });

  test.each([
    [
      'that can not be read keeps its names',
      (file: string) => (rmSync(file), mkdirSync(file)),
      true,
    ],
    ['that is gone has none', (file: string) => rmSync(file), false],
  ])('a hosts file %s [18.22]', async (_, change, isKnown) => {
    const file = fileWith('192.0.2.50 intra.example\n');
    const clock = createFakeClock();
    const resolver = createResolver({ clock, servers: ['127.0.0.1:1'], hostsFile: file });
    const resolve = () => resolver.resolve('intra.example', within(1_000));
    expect(await resolve()).toMatchObject({ ok: true });
    change(file);
    await clock.advance(6_000);
    expect((await resolve()).ok).toBe(isKnown);
  });

  test('localhost and the hosts file come before DNS', async () => {
    const file = fileWith('192.0.2.50 Intra.example intra # the wiki\n');
    const resolver = await resolverFor('not-found', 'not-found', file);
    const signal = within(1_000);
    expect(await resolver.resolve('intra.example', signal)).toMatchObject({
      addresses: [{ address: '192.0.2.50', family: 4 }],
    });
    for (const name of ['localhost', 'LOCALHOST.', 'app.localhost']) {
      expect(await resolver.resolve(name, signal)).toMatchObject({
        addresses: [{ address: '127.0.0.1' }, { address: '::1' }],
      });
    }
    expect(server?.questions).toEqual([]);
  });

  test('concurrent, consecutive and cancelled lookups each get their own answer', async () => {
    server = await startDnsServer((name, type) =>
      name === 'mute.example.com'
        ? 'silent'
        : type === 'A'
          ? { addresses: [name === 'one.example.com' ? '192.0.2.1' : '192.0.2.2'] }
          : 'empty',
    );
    const { address } = server;
    const options = { clock: systemClock, servers: [address], hostsFile: '/dev/null' };
    const resolver = createResolver({ ...options, hasNetwork: () => true });
    const firstAddress = async (name: string, milliseconds = 5_000) => {
      const resolution = await resolver.resolve(name, within(milliseconds));
      return resolution.ok ? resolution.addresses[0]!.address : resolution.code;
    };
    for (let turn = 0; turn < 3; turn++) {
      const names = ['one.example.com', 'two.example.com'];
      expect(
        await Promise.all([
          ...names.map((name) => firstAddress(name)),
          firstAddress('mute.example.com', 20),
        ]),
      ).toEqual(['192.0.2.1', '192.0.2.2', 'dns_timeout']);
    }
  });

  test('nothing is cached [15.3]', async () => {
    const resolver = await resolverFor(v4, 'empty');
    await resolver.resolve('www.example.com', within(1_000));
    await resolver.resolve('www.example.com', within(1_000));
    expect(server?.questions.filter((question) => question.endsWith(' A'))).toHaveLength(2);
  });
});

test('addresses of local families come first, loopback always', () => {
  const addresses = [
    { address: '2001:db8::1', family: 6 as const },
    { address: '192.0.2.1', family: 4 as const },
    { address: '192.0.2.2', family: 4 as const },
  ];
  const order = (families: number[]): string[] =>
    preferredOrder(addresses, (family) => families.includes(family)).map(({ address }) => address);
  expect(order([4, 6])).toEqual(['192.0.2.1', '192.0.2.2', '2001:db8::1']);
  expect(order([6])).toEqual(['2001:db8::1', '192.0.2.1', '192.0.2.2']);
  expect(
    preferredOrder([addresses[0]!, { address: '::1', family: 6 }], () => false)[0]?.address,
  ).toBe('::1');
});

test('hosts(5): comments, several names, several lines of one name, invalid lines', () => {
  const table = parseHosts(
    '# c\n127.0.0.1 localhost\n::1 localhost ip6\nnonsense x\n1.1.1.1 a # b\n1.1.1.1 a\n',
  );
  expect(table.get('localhost')).toEqual([
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ]);
  expect(table.get('a')).toHaveLength(1);
  expect(table.has('x') || table.has('b')).toBe(false);
});

const entry = (address: string, family: 'IPv4' | 'IPv6', internal = false): object => ({
  address,
  family,
  internal,
});

test('loopback and link-local interfaces do not count as a network', () => {
  const network = createLocalNetwork(systemClock, () => ({
    lo: [entry('127.0.0.1', 'IPv4', true), entry('::1', 'IPv6', true)] as never,
    eth0: [entry('fe80::1', 'IPv6'), entry('10.0.0.5', 'IPv4')] as never,
  }));
  expect([network(4), network(6)]).toEqual([true, false]);
});

const networkOf = (...addresses: string[]) =>
  createLocalNetwork(systemClock, () => ({
    eth0: addresses.map((address) => entry(address, 'IPv6')) as never,
  }));

test('unique local IPv6 cannot reach global addresses', () => {
  const site = networkOf('fd00::2', 'fe80::1');
  expect([site(6), site(6, 'fd00::9'), site(6, '2001:db8::1')]).toEqual([true, true, false]);
  const global = networkOf('fd00::2', '2001:db8::2');
  expect([global(6), global(6, 'fd00::9'), global(6, '2001:db8::1')]).toEqual([true, true, true]);
  expect([site(4, '192.0.2.1'), networkOf('fe80::1')(6, 'fd00::9')]).toEqual([false, false]);
});

const find = async (host: string, resolver: Resolver, allowPrivate = true): Promise<unknown> =>
  findTarget(host, { resolver, guard: createAddressGuard(allowPrivate), signal: within(300) });

describe('findTarget', () => {
  test('one refused address refuses the whole name [15.14]', async () => {
    const resolver = await resolverFor(
      { addresses: ['93.184.216.34', '169.254.169.254'] },
      'empty',
    );
    expect(await find('rebind.example', resolver)).toEqual({
      ok: false,
      failure: {
        code: 'target_not_allowed',
        text: 'Target rebind.example is not allowed (ALLOW_PRIVATE_TARGETS)',
      },
    });
  });

  test('address literals are evaluated without a lookup', async () => {
    const resolver = await resolverFor('silent', 'silent');
    expect(await find('[::ffff:127.0.0.1]', resolver, false)).toMatchObject({
      failure: { code: 'target_not_allowed' },
    });
    expect(await find('127.1', resolver)).toEqual({
      ok: true,
      lookupMs: null,
      addresses: [{ address: '127.0.0.1', family: 4 }],
    });
    expect(await find('no host', resolver)).toMatchObject({ failure: { code: 'dns_not_found' } });
    expect(server?.questions).toEqual([]);
  });

  test('internationalized names are looked up in ASCII [15.7]', async () => {
    const resolver = await resolverFor('not-found', 'not-found');
    expect(await find('München.example', resolver)).toMatchObject({
      failure: { code: 'dns_not_found', text: 'DNS name xn--mnchen-3ya.example not found' },
    });
    expect(server?.questions[0]).toMatch(/^xn--mnchen-3ya\.example /);
  });

  test('a timeout without a local network is a fault of the probe [18.2]', async () => {
    const dns = await startDnsServer(() => 'silent');
    server = dns;
    const resolver = createResolver({
      clock: systemClock,
      servers: [dns.address],
      hostsFile: '/dev/null',
      hasNetwork: () => false,
    });
    expect(await find('www.example.com', resolver)).toMatchObject({
      failure: { code: 'probe_no_network' },
    });
  });
});

import { afterEach, describe, expect, test } from 'vitest';
import { fromTable, record, startNameServers } from '../../../test/support/dns-server.ts';
import type { DnsAsked, DnsHandler, DnsTable } from '../../../test/support/dns-server.ts';
import { fileWith } from '../../../test/support/temporary-file.ts';
import { systemClock } from '../../lib/clock.ts';
import type { DnsRecords, InspectionResult } from '../../model/inspection.ts';
import { createAddressGuard } from '../../net/address-guard.ts';
import type { AddressGuard } from '../../net/address-guard.ts';
import { createResolver } from '../../net/resolver.ts';
import type { AbortReason } from '../contract.ts';
import { createDnsInspector } from './dns.ts';

/**
 * The resolver is 127.0.0.1; 127.0.0.2 serves `com`, 127.0.0.3 and 127.0.0.4 `example.com`. Nobody serves
 * the root.
 */
const RESOLVER = '127.0.0.1';
const TLD = '127.0.0.2';
const FIRST = '127.0.0.3';
const SECOND = '127.0.0.4';
type Address = typeof RESOLVER | typeof TLD | typeof FIRST | typeof SECOND;

const DELEGATION: DnsTable = {
  '. NS': ['a.root.example'],
  'com NS': ['a.gtld.example'],
  'example.com NS': ['ns1.example.com', 'ns2.example.com'],
  'a.gtld.example A': [TLD],
  'ns1.example.com A': [FIRST],
  'ns2.example.com A': [SECOND],
};

const ZONE: DnsTable = {
  'example.com NS': ['ns1.example.com', 'ns2.example.com'],
  'example.com SOA': ['NS1.example.com Hostmaster.example.com'],
  'example.com A': ['192.0.2.1'],
  'example.com MX': ['20 mx2.example.com', '10 mx1.example.com'],
  'example.com TXT': ['v=spf1 -all', 'x'.repeat(3_000)],
  'www.example.com A': ['192.0.2.8', '192.0.2.7'],
  'www.example.com AAAA': ['2001:db8::7'],
};

const NONE: DnsRecords = { A: [], AAAA: [], CNAME: [], MX: [], NS: [], TXT: [], SOA: [] };
const WWW: DnsRecords = { ...NONE, A: ['192.0.2.7', '192.0.2.8'], AAAA: ['2001:db8::7'] };

const refer =
  (zone: string, names: string[], glue: [string, string][] = []): DnsHandler =>
  () => ({
    authorities: names.map((name) => record(zone, 'NS', name)),
    additionals: glue.map(([name, address]) => record(name, 'A', address)),
  });

const toZone = refer('example.com', ['ns1.example.com', 'ns2.example.com']);
const silent: DnsHandler = () => 'silent';
const saying =
  (rcode: 'SERVFAIL' | 'REFUSED' | 'NXDOMAIN'): DnsHandler =>
  () => ({ rcode, isAuthoritative: rcode === 'NXDOMAIN' });
const resolving = (table: DnsTable = {}): DnsHandler =>
  fromTable({ ...DELEGATION, ...ZONE, ...table }, false);
const serving = (table: DnsTable = {}): DnsHandler => fromTable({ ...ZONE, ...table }, true);

/** The first handler, overridden where the second one returns a reply. */
const except =
  (
    handler: DnsHandler,
    special: (asked: DnsAsked) => ReturnType<DnsHandler> | undefined,
  ): DnsHandler =>
  (asked) =>
    special(asked) ?? handler(asked);

let close: (() => Promise<void>) | null = null;
afterEach(async () => {
  await close?.();
  close = null;
});

interface World {
  look(host?: string, options?: { deadlineMs?: number }): Promise<InspectionResult<'dns'>>;
  /** Handler of one server. */
  questions(address: Address): string[];
}

interface WorldOptions {
  guard?: AddressGuard;
  hasNetwork?: (family: 4 | 6) => boolean;
  hostsFile?: string;
  timeoutMs?: number;
  servers?: (port: number) => string[];
  reason?: AbortReason;
}

/** Working servers by default. */
async function openWorld(
  handlers: Partial<Record<Address, DnsHandler>> = {},
  options: WorldOptions = {},
): Promise<World> {
  const world = await startNameServers<Address>({
    [RESOLVER]: resolving(),
    [TLD]: toZone,
    [FIRST]: serving(),
    [SECOND]: serving(),
    ...handlers,
  });
  close = world.close;
  const servers = options.servers?.(world.port) ?? [`${RESOLVER}:${world.port}`];
  const inspect = createDnsInspector({ servers, port: world.port });
  const resolver = createResolver({
    clock: systemClock,
    servers,
    hostsFile: options.hostsFile ?? '/dev/null',
    hasNetwork: options.hasNetwork ?? (() => true),
  });
  const guard = options.guard ?? createAddressGuard(true);
  const timeoutMs = options.timeoutMs ?? 15_000;
  return {
    async look(host = 'www.example.com', { deadlineMs = timeoutMs } = {}) {
      const deadline = new AbortController();
      const timer = setTimeout(() => deadline.abort(options.reason ?? 'deadline'), deadlineMs);
      try {
        const context = { signal: deadline.signal, clock: systemClock, resolver, guard };
        return await inspect({ kind: 'dns', host, timeoutMs }, context);
      } finally {
        clearTimeout(timer);
      }
    },
    questions: (address) => world.servers[address].questions,
  };
}

const known = (records: DnsRecords, server: string | null = FIRST): InspectionResult<'dns'> => ({
  state: 'known',
  facts: { records, source: server === null ? 'resolver' : 'authoritative', server },
});
const failed = (code: string, text: string): object => ({
  state: 'failed',
  failure: { code, text },
});
const unknown = (reason: RegExp): object => ({
  state: 'unknown',
  reason: expect.stringMatching(reason),
});
const SHORT_MS = 4_000;

describe('records of the zone', () => {
  test('of a host', async () => {
    const world = await openWorld();
    expect(await world.look('WWW.Example.com.')).toEqual(known(WWW));
    expect(world.questions(SECOND)).toEqual([]);
    expect(world.questions(TLD)).toEqual([]);
  });

  test('of the zone itself, with long texts, sorted [23.11]', async () => {
    const world = await openWorld();
    expect(await world.look('example.com')).toEqual(
      known({
        ...NONE,
        A: ['192.0.2.1'],
        MX: ['10 mx1.example.com', '20 mx2.example.com'],
        NS: ['ns1.example.com', 'ns2.example.com'],
        SOA: ['ns1.example.com hostmaster.example.com'],
        TXT: ['v=spf1 -all', `${'x'.repeat(1_999)}…`],
      }),
    );
  });

  test('a name without any record exists [23.15]', async () => {
    const world = await openWorld({ [FIRST]: serving({ 'a.b.example.com A': ['192.0.2.9'] }) });
    expect(await world.look('b.example.com')).toEqual(known(NONE));
  });

  test("the name servers override the resolver's cache", async () => {
    const table = { 'www.example.com A': ['203.0.113.1'] };
    const world = await openWorld({ [RESOLVER]: resolving(table) });
    expect(await world.look()).toEqual(known(WWW));
  });

  test('a zone that is only known from a referral', async () => {
    const world = await openWorld({
      [FIRST]: refer('sub.example.com', ['ns.sub.example.com'], [['ns.sub.example.com', SECOND]]),
      [SECOND]: serving({ 'www.sub.example.com A': ['192.0.2.30'] }),
    });
    expect(await world.look('www.sub.example.com')).toEqual(
      known({ ...NONE, A: ['192.0.2.30'] }, SECOND),
    );
  });

  test("glue outside of the server's zone is ignored", async () => {
    const world = await openWorld({
      [RESOLVER]: resolving({ 'ns.example.net A': [SECOND] }),
      [FIRST]: refer('sub.example.com', ['ns.example.net'], [['ns.example.net', '127.0.0.9']]),
      [SECOND]: serving({ 'www.sub.example.com A': ['192.0.2.30'] }),
    });
    expect(await world.look('www.sub.example.com')).toEqual(
      known({ ...NONE, A: ['192.0.2.30'] }, SECOND),
    );
  });

  test("the resolver doesn't know the name servers, the parent zone does", async () => {
    const world = await openWorld({
      [RESOLVER]: except(resolving(), ({ name }) =>
        name.endsWith('example.com') ? { rcode: 'SERVFAIL' } : undefined,
      ),
      [TLD]: refer('example.com', ['ns1.example.com'], [['ns1.example.com', FIRST]]),
    });
    expect(await world.look()).toEqual(known(WWW));
  });

  test('the second resolver is preferred while the first is silent', async () => {
    const world = await openWorld(
      { [TLD]: silent },
      { timeoutMs: 10_000, servers: (port) => [`${TLD}:${port}`, `${RESOLVER}:${port}`] },
    );
    expect(await world.look()).toEqual(known(WWW));
    expect(world.questions(TLD)).toContain('www.example.com A');
    expect(world.questions(TLD)).not.toContain('ns1.example.com A');
  });

  test('one name server fails, the next one answers', async () => {
    for (const rcode of ['SERVFAIL', 'REFUSED'] as const) {
      const world = await openWorld({ [FIRST]: saying(rcode) });
      expect(await world.look()).toEqual(known(WWW, SECOND));
      await close?.();
    }
  });

  test('one name server is silent, the next one answers [23.12]', async () => {
    const world = await openWorld({ [FIRST]: silent }, { timeoutMs: SHORT_MS });
    expect(await world.look()).toEqual(known(WWW, SECOND));
  });
});

describe('an alias', () => {
  const alias = { 'alias.example.com CNAME': ['Web.example.net'] };
  const lookAt = async (
    resolver: DnsHandler,
    options?: WorldOptions,
  ): Promise<InspectionResult<'dns'>> =>
    (await openWorld({ [RESOLVER]: resolver, [FIRST]: serving(alias) }, options)).look(
      'alias.example.com',
    );
  const CNAME = ['web.example.net'];
  const through = 'web.example.net (alias of alias.example.com)';

  test('is returned with the addresses it leads to', async () => {
    const table = {
      ...alias,
      'web.example.net CNAME': ['edge.example.org'],
      'edge.example.org A': ['192.0.2.77'],
      'web.example.net TXT': ['of the other name'],
    };
    expect(await lookAt(resolving(table))).toEqual(known({ ...NONE, CNAME, A: ['192.0.2.77'] }));
  });

  test('that is circular has no address', async () => {
    const circle = {
      'web.example.net CNAME': ['web2.example.net'],
      'web2.example.net CNAME': CNAME,
    };
    expect(await lookAt(resolving({ ...alias, ...circle }))).toEqual(known({ ...NONE, CNAME }));
  });

  test("that the zone answers with NXDOMAIN, since its end doesn't exist, exists", async () => {
    const answers = [record('alias.example.com', 'CNAME', 'web.example.net')];
    const world = await openWorld({
      [RESOLVER]: resolving({ ...alias, 'web.example.net A': ['192.0.2.77'] }),
      [FIRST]: () => ({ rcode: 'NXDOMAIN', isAuthoritative: true, answers }),
    });
    expect(await world.look('alias.example.com')).toEqual(
      known({ ...NONE, CNAME, A: ['192.0.2.77'] }),
    );
  });

  test("to a name that doesn't exist", async () => {
    expect(await lookAt(resolving(alias))).toEqual(
      failed('dns_not_found', `DNS name ${through} not found (NXDOMAIN)`),
    );
  });

  const tripped = (said: ReturnType<DnsHandler>): DnsHandler =>
    except(resolving(alias), ({ name, type }) =>
      name === 'web.example.net' && type === 'AAAA' ? said : undefined,
    );
  test('to a name whose lookup fails is not reported as removed', async () => {
    expect(await lookAt(tripped({ rcode: 'SERVFAIL' }))).toEqual(
      failed(
        'dns_failed',
        `DNS look-up of ${through} failed: SERVFAIL from the resolver of the probe`,
      ),
    );
    await close?.();
    expect(await lookAt(tripped('silent'), { timeoutMs: SHORT_MS })).toEqual(
      failed('dns_timeout', `DNS timeout looking up ${through}`),
    );
  });
});

const unreadable: DnsHandler = () => ({ raw: Buffer.from('no DNS at all') });

const ignorant = (said: ReturnType<DnsHandler>): DnsHandler =>
  except(resolving(), ({ name, type }) =>
    name === 'www.example.com' && type !== 'NS' ? said : undefined,
  );

describe('a lookup fails', () => {
  test.each([
    ['the name is not in its zone', 'gone.example.com', {}],
    [
      'the resolver still remembers it',
      'gone.example.com',
      { 'gone.example.com A': ['192.0.2.1'] },
    ],
  ])('%s', async (_name, host, remembered) => {
    const world = await openWorld({ [RESOLVER]: resolving(remembered) });
    expect(await world.look(host)).toEqual(
      failed('dns_not_found', `DNS name ${host} not found (NXDOMAIN)`),
    );
  });

  test('the domain is not registered, or there is no such top-level domain', async () => {
    const world = await openWorld({ [TLD]: saying('NXDOMAIN') });
    for (const host of ['www.nothing.com', 'www.nothing.nowhere', 'nowhere']) {
      expect(await world.look(host)).toEqual(
        failed('dns_not_found', `DNS name ${host} not found (NXDOMAIN)`),
      );
    }
  });

  const lame: DnsHandler = fromTable(ZONE, false);
  const upwards = refer('com', ['a.gtld.example']);
  const toItself = toZone;
  test.each<[string, DnsHandler, string]>([
    ['SERVFAIL', saying('SERVFAIL'), 'SERVFAIL from ns1.example.com'],
    ['REFUSED', saying('REFUSED'), 'REFUSED from ns1.example.com'],
    ['lame', lame, 'ns1.example.com is not authoritative'],
    ['a referral upwards', upwards, 'ns1.example.com is not authoritative'],
    ['a referral in a circle', toItself, 'ns1.example.com is not authoritative'],
    ['garbage', unreadable, 'unreadable answer from ns1.example.com'],
  ])('%s from all, although the resolver has it cached', async (_name, handler, reason) => {
    const world = await openWorld({ [FIRST]: handler, [SECOND]: handler }, { timeoutMs: SHORT_MS });
    expect(await world.look()).toEqual(
      failed('dns_failed', `DNS look-up of www.example.com failed: ${reason}`),
    );
  });

  test('none of the name servers has an address', async () => {
    const nowhere = { 'example.com NS': ['ns1.nowhere.example', 'ns2.nowhere.example'] };
    const world = await openWorld({
      [RESOLVER]: resolving(nowhere),
      [TLD]: refer('example.com', nowhere['example.com NS']),
    });
    expect(await world.look()).toEqual(
      failed(
        'dns_failed',
        'DNS look-up of www.example.com failed: no name server of example.com has an address',
      ),
    );
  });

  test('all are silent, and the resolver fails, too', async () => {
    const servers = { [FIRST]: silent, [SECOND]: silent };
    const options = { timeoutMs: SHORT_MS };
    const first = await openWorld({ [RESOLVER]: ignorant('silent'), ...servers }, options);
    expect(await first.look()).toEqual(
      failed('dns_timeout', 'DNS timeout looking up www.example.com'),
    );
    await close?.();
    const second = await openWorld(
      { [RESOLVER]: ignorant({ rcode: 'SERVFAIL' }), ...servers },
      options,
    );
    expect(await second.look()).toEqual(
      failed(
        'dns_failed',
        'DNS look-up of www.example.com failed: SERVFAIL from the resolver of the probe',
      ),
    );
  });

  test('a device in between may answer, but nobody knows the name', async () => {
    const refused = saying('REFUSED');
    const world = await openWorld({
      [RESOLVER]: ignorant({ rcode: 'SERVFAIL' }),
      [TLD]: refused,
      [FIRST]: refused,
      [SECOND]: refused,
    });
    expect(await world.look()).toEqual(
      failed('dns_failed', 'DNS look-up of www.example.com failed: REFUSED from ns1.example.com'),
    );
  });

  test.each(['a..b', `${'a'.repeat(64)}.example`, '.', ''])('%j is not a name', async (host) => {
    const world = await openWorld();
    expect(await world.look(host)).toMatchObject({
      state: 'failed',
      failure: {
        code: 'dns_not_found',
        text: expect.stringMatching(/ is not a valid host name$/),
      },
    });
  });
});

describe('the resolver answers instead', () => {
  const REFUSED = saying('REFUSED');
  test.each<[string, Partial<Record<Address, DnsHandler>>]>([
    ['all name servers are silent', { [FIRST]: silent, [SECOND]: silent }],
    [
      'a device in between answers every query',
      { [TLD]: REFUSED, [FIRST]: REFUSED, [SECOND]: REFUSED },
    ],
  ])('%s', async (_name, handlers) => {
    const world = await openWorld(handlers, { timeoutMs: SHORT_MS });
    expect(await world.look()).toEqual(known(WWW, null));
  });

  test('silence is no reason to query the parent zone', async () => {
    const world = await openWorld({ [FIRST]: silent, [SECOND]: silent }, { timeoutMs: SHORT_MS });
    await world.look();
    expect(world.questions(TLD)).toEqual([]);
  });

  test('the name servers are not allowed', async () => {
    const guard: AddressGuard = {
      evaluate: (address) =>
        address === FIRST || address === SECOND
          ? { allowed: false, reason: 'is private' }
          : { allowed: true },
    };
    const world = await openWorld({}, { guard });
    expect(await world.look()).toEqual(known(WWW, null));
    expect([...world.questions(FIRST), ...world.questions(SECOND)]).toEqual([]);
  });

  test('the name servers have IPv6 only, and this machine has none', async () => {
    const judged: string[] = [];
    const guard: AddressGuard = {
      evaluate(address) {
        judged.push(address);
        return { allowed: true };
      },
    };
    const table = {
      'ns1.example.com A': [],
      'ns1.example.com AAAA': ['2001:db8::53'],
      'ns2.example.com A': [],
      'ns2.example.com AAAA': ['2001:db8::54'],
    };
    const world = await openWorld(
      { [RESOLVER]: resolving(table) },
      { guard, hasNetwork: (family) => family === 4 },
    );
    expect(await world.look()).toEqual(known(WWW, null));
    expect(judged).toEqual([]);
  });

  test('local names: the resolver is authoritative, or there is no public zone [23.13]', async () => {
    const names = {
      'intra.example.com A': ['10.0.0.7'],
      'intra.example.com MX': ['1 mail.example.com'],
    };
    const own = fromTable(names, true);
    const world = await openWorld({
      [RESOLVER]: except(
        resolving({ 'db A': ['10.0.0.8'], 'box.local A': ['10.0.0.9'], 'a.root.example A': [TLD] }),
        (asked) => (asked.name === 'intra.example.com' ? own(asked) : undefined),
      ),
      [TLD]: saying('NXDOMAIN'),
    });
    expect(await world.look('intra.example.com')).toEqual(
      known({ ...NONE, A: ['10.0.0.7'], MX: ['1 mail.example.com'] }, null),
    );
    expect(await world.look('db')).toEqual(known({ ...NONE, A: ['10.0.0.8'] }, null));
    expect(await world.look('box.local')).toEqual(known({ ...NONE, A: ['10.0.0.9'] }, null));
  });

  test('private addresses are not disclosed unless allowed', async () => {
    const guard: AddressGuard = {
      evaluate: (address) =>
        address.startsWith('10.') ? { allowed: false, reason: 'is private' } : { allowed: true },
    };
    const hostsFile = fileWith('10.0.0.6 wiki.example.com\n');
    const resolver = resolving({ 'db A': ['10.0.0.8'] });
    const zone = serving({
      'alias.example.com CNAME': ['db'],
      'told.example.com A': ['10.0.0.9'],
    });
    const world = await openWorld({ [RESOLVER]: resolver, [FIRST]: zone }, { guard, hostsFile });
    for (const host of ['wiki.example.com', 'db', 'alias.example.com']) {
      expect(await world.look(host)).toEqual(
        unknown(/^Target \S+ is not allowed \(ALLOW_PRIVATE_TARGETS\)$/),
      );
    }
    // Public records are not secret.
    expect(await world.look('told.example.com')).toEqual(known({ ...NONE, A: ['10.0.0.9'] }));
  });

  test('the hosts file and localhost, without a query [9.24]', async () => {
    const hostsFile = fileWith('192.0.2.50 wiki.example.com\n2001:DB8::50 wiki.example.com\n');
    const world = await openWorld({}, { hostsFile });
    expect(await world.look('Wiki.example.com')).toEqual(
      known({ ...NONE, A: ['192.0.2.50'], AAAA: ['2001:db8::50'] }, null),
    );
    expect(await world.look('localhost')).toEqual(
      known({ ...NONE, A: ['127.0.0.1'], AAAA: ['::1'] }, null),
    );
    expect(world.questions(RESOLVER)).toEqual([]);
  });
});

const trip = (handler: DnsHandler, said: ReturnType<DnsHandler>): DnsHandler =>
  except(handler, ({ name, type }) =>
    name === 'www.example.com' && type === 'TXT' ? said : undefined,
  );

const all = (said: ReturnType<DnsHandler>): Partial<Record<Address, DnsHandler>> => ({
  [RESOLVER]: trip(resolving(), said),
  [FIRST]: trip(serving(), said),
  [SECOND]: trip(serving(), said),
});

describe('one type alone fails', () => {
  const texts = { 'www.example.com TXT': ['hello'] };
  const SERVFAIL = { rcode: 'SERVFAIL' } as const;

  test('and the next name server has it, or the resolver', async () => {
    const tripped = trip(serving(), SERVFAIL);
    const first = await openWorld({ [FIRST]: tripped, [SECOND]: serving(texts) });
    expect(await first.look()).toEqual(known({ ...WWW, TXT: ['hello'] }));
    await close?.();
    const second = await openWorld({
      [RESOLVER]: resolving(texts),
      [FIRST]: tripped,
      [SECOND]: tripped,
    });
    expect(await second.look()).toEqual(known({ ...WWW, TXT: ['hello'] }));
  });

  test('at a resolver that refuses it in general: unknown', async () => {
    const world = await openWorld(
      { [RESOLVER]: trip(resolving(), { rcode: 'REFUSED' }), [FIRST]: silent, [SECOND]: silent },
      { timeoutMs: SHORT_MS },
    );
    expect(await world.look()).toEqual(unknown(/^The TXT records of www\.example\.com /));
  });

  test('at all servers: the lookup fails or is unknown, but nothing has changed', async () => {
    const first = await openWorld(all(SERVFAIL));
    expect(await first.look()).toEqual(
      failed(
        'dns_failed',
        'DNS look-up of www.example.com failed for its TXT records: SERVFAIL from ns1.example.com',
      ),
    );
    await close?.();
    const second = await openWorld(all('silent'), { timeoutMs: SHORT_MS });
    expect(await second.look()).toEqual(unknown(/^The TXT records of www\.example\.com /));
  });
});

describe('the probe fails', () => {
  test.each<[string, DnsHandler, WorldOptions, RegExp]>([
    ['the resolver is silent', silent, {}, /^The probe can't look up names: no answer /],
    ['the resolver refuses all', saying('REFUSED'), {}, /names: REFUSED from the resolver/],
    [
      'nobody listens',
      silent,
      { servers: () => ['127.0.0.1:1'] },
      /can't be reached \(ECONNREFUSED\)/,
    ],
    ['no resolver is configured', silent, { servers: () => [] }, /no name server is configured/],
    ['there is no network', silent, { hasNetwork: () => false }, /^The probe has no network$/],
    ['it stops', silent, { reason: 'shutdown' }, /^The probe stopped before /],
  ])('%s', async (_name, resolver, options, reason) => {
    const timeoutMs = SHORT_MS;
    const world = await openWorld({ [RESOLVER]: resolver }, { timeoutMs, ...options });
    const deadlineMs = options.reason === 'shutdown' ? { deadlineMs: 50 } : {};
    expect(await world.look('www.example.com', deadlineMs)).toEqual(unknown(reason));
  });

  test('an internal error', async () => {
    const guard: AddressGuard = {
      evaluate() {
        throw new Error('broken guard');
      },
    };
    const world = await openWorld({}, { guard });
    expect(await world.look()).toEqual(unknown(/^The probe failed: broken guard$/));
  });
});

test('everything hangs, and it ends at the deadline', async () => {
  const world = await openWorld(
    { [TLD]: silent, [FIRST]: silent, [SECOND]: silent },
    { timeoutMs: 60_000 },
  );
  expect(await world.look('www.example.com', { deadlineMs: 100 })).toMatchObject({
    state: 'unknown',
  });
  expect(
    world
      .questions(RESOLVER)
      .filter((question) => question.endsWith(' NS'))
      .toSorted(),
  ).toEqual(['. NS', 'com NS', 'example.com NS', 'www.example.com NS']);
});

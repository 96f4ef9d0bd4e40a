import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import {
  answering,
  answeringAndClosing,
  answeringForEver,
  dripping,
  page,
  pem,
  startServer,
  startTlsServer,
} from '../../../test/support/fault-servers.ts';
import type { FaultServer, OnConnection } from '../../../test/support/fault-servers.ts';
import { systemClock } from '../../lib/clock.ts';
import type { Clock } from '../../lib/clock.ts';
import type { InspectionResult } from '../../model/inspection.ts';
import { createAddressGuard } from '../../net/address-guard.ts';
import { createResolver } from '../../net/resolver.ts';
import type { ProbeContext } from '../contract.ts';
import { createDomainInspector } from './domain.ts';
import type { DomainInspectorDeps } from './domain.ts';
import type { WhoisRegistry } from './whois-servers.ts';
import { closedAfterEach } from '../../../test/support/closing.ts';

const DATE = Date.UTC(2027, 2, 9, 5);
const servers = closedAfterEach<FaultServer>();

async function serve(onConnection: OnConnection): Promise<FaultServer> {
  const server = await startServer(onConnection);
  servers.push(server);
  return server;
}

/** Clock on which the pauses between queries take no time. */
const hastyClock: Clock = {
  ...systemClock,
  after: (_milliseconds, call) => systemClock.after(0, call),
};

interface Scene extends Partial<DomainInspectorDeps> {
  domain?: string;
  timeoutMs?: number;
  rdap?: FaultServer | string;
  whois?: FaultServer;
  context?: Partial<ProbeContext>;
}

/** `.zz` has the RDAP server and the WHOIS server `whois.localhost`, if given. */
function inspect({ rdap, whois, context, ...scene }: Scene): Promise<InspectionResult<'domain'>> {
  const { domain = 'example.zz', timeoutMs = 10_000 } = scene;
  const baseUrl = typeof rdap === 'object' ? `http://127.0.0.1:${rdap.port}/rdap/` : rdap;
  const registry: WhoisRegistry = { server: 'whois.localhost' };
  const inspector = createDomainInspector({
    clock: hastyClock,
    rdapServers: new Map(baseUrl === undefined ? [] : [['zz', baseUrl]]),
    whoisServers: new Map([['zz', registry]]),
    rootWhoisServer: 'root.localhost',
    whoisPort: whois?.port ?? 1,
    ...scene,
  });
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort('deadline'), timeoutMs);
  return inspector(
    { kind: 'domain', domain, timeoutMs },
    {
      signal: deadline.signal,
      clock: systemClock,
      resolver: createResolver({
        clock: systemClock,
        hostsFile: '/dev/null',
        servers: ['127.0.0.1:1'],
      }),
      guard: createAddressGuard(true),
      ...context,
    },
  ).finally(() => clearTimeout(timer));
}

/** Response of a registry (RFC 9083). */
function domainObject(more: object = {}): object {
  return {
    objectClassName: 'domain',
    ldhName: 'EXAMPLE.ZZ',
    status: ['client transfer prohibited', 'auto renew period'],
    events: [
      { eventAction: 'registration', eventDate: '2003-03-09T05:00:00Z' },
      { eventAction: 'registrar expiration', eventDate: '2029-03-09T05:00:00Z' },
      { eventAction: 'expiration', eventDate: '2027-03-09T05:00:00Z' },
    ],
    entities: [
      { roles: ['abuse'], handle: '1' },
      {
        roles: ['registrar'],
        handle: '292',
        vcardArray: [
          'vcard',
          [
            ['version', {}, 'text', '4.0'],
            ['fn', {}, 'text', 'Registrar Example Inc.'],
          ],
        ],
      },
    ],
    ...more,
  };
}

const json = (answer: unknown): OnConnection => answering(page(JSON.stringify(answer)));
const status = (line: string, ...headers: string[]): OnConnection =>
  answering([`HTTP/1.1 ${line}`, 'Content-Length: 0', ...headers, '', ''].join('\r\n'));
const WHOIS_TEXT = 'Domain Name: EXAMPLE.ZZ\r\nRegistry Expiry Date: 2027-03-09T05:00:00Z\r\n';

describe('RDAP', () => {
  test('returns date, registrar and statuses', async () => {
    const rdap = await serve(json(domainObject()));
    expect(await inspect({ rdap, domain: 'Example.ZZ' })).toEqual({
      state: 'known',
      facts: {
        expiresAt: DATE,
        registrar: 'Registrar Example Inc.',
        statuses: ['client transfer prohibited', 'auto renew period'],
        source: 'rdap',
        server: '127.0.0.1',
      },
    });
    await rdap.allClosed();
    expect(rdap.received[0]).toMatch(/^GET \/rdap\/domain\/example\.zz HTTP\/1\.1\r\n/);
    expect(rdap.received[0]).toContain('Accept: application/rdap+json');
  });

  test("may be compressed, without a name, and have only the registrar's date", async () => {
    const answer = domainObject({
      ldhName: undefined,
      entities: [{ roles: ['registrar'], handle: '292' }],
      status: 'active',
      events: [{ eventAction: 'registrar expiration', eventDate: '2027-03-09T05:00:00Z' }],
    });
    const packed = gzipSync(JSON.stringify(answer));
    const rdap = await serve(answering(page(packed, 'Content-Encoding: gzip')));
    expect(await inspect({ rdap })).toMatchObject({
      facts: { expiresAt: DATE, registrar: '292', statuses: [] },
    });
  });

  test('over TLS needs a valid certificate', async () => {
    const answer = page(JSON.stringify(domainObject()));
    const rdap = await startTlsServer('good', answering(answer));
    servers.push(rdap);
    const url = `https://localhost:${rdap.port}/`;
    const trusting = { rdap: url, authorities: [pem('authority')] };
    expect(await inspect(trusting)).toMatchObject({ facts: { expiresAt: DATE } });
    expect(await inspect({ rdap: url })).toMatchObject({
      state: 'unknown',
      reason: expect.stringContaining(
        'RDAP server localhost did not answer: TLS certificate is not trusted',
      ),
    });
  });

  test('follows three redirects', async () => {
    let redirects = 3;
    const rdap = await serve((socket, received) => {
      if (redirects-- > 0) status('302 Found', 'Location: /elsewhere')(socket, received);
      else json(domainObject())(socket, received);
    });
    expect(await inspect({ rdap })).toMatchObject({ facts: { expiresAt: DATE } });
    expect(rdap.received.at(-1)).toMatch(/^GET \/elsewhere /);
    redirects = 4;
    expect(await inspect({ rdap })).toMatchObject({
      reason: expect.stringContaining('RDAP server 127.0.0.1 redirects too often'),
    });
  });

  test.each([
    ['ftp://127.0.0.1/', 'redirects to an address that is not valid'],
    ['http://[', 'redirects to an address that is not valid'],
    ['http://169.254.169.254/', 'Target 169.254.169.254 is not allowed (ALLOW_PRIVATE_TARGETS)'],
  ])('a redirect to %s is not followed', async (location, reason) => {
    const rdap = await serve(status('301 Moved Permanently', `Location: ${location}`));
    expect(await inspect({ rdap })).toMatchObject({
      state: 'unknown',
      reason: expect.stringContaining(reason),
    });
  });

  test.each<[string, OnConnection, string]>([
    ['404', status('404 Not Found'), 'does not know example.zz'],
    ['500', status('500 Oops'), 'answered HTTP 500'],
    ['400', status('400 Bad Request'), 'answered HTTP 400'],
    ['no JSON', answering(page('<html>')), 'sent an answer that is not JSON'],
    ['null', json(null), 'sent an answer that is not a domain'],
    ['another domain', json(domainObject({ ldhName: 'other.zz' })), 'not about example.zz'],
    ['another object', json({ objectClassName: 'entity' }), 'not about example.zz'],
    ['false packing', answering(page('no gzip', 'Content-Encoding: gzip')), "can't be unpacked"],
    [
      'a bomb',
      answering(page(gzipSync(Buffer.alloc(600 * 1024)), 'Content-Encoding: gzip')),
      'sent more than 512 KiB',
    ],
    [
      'no end',
      answeringForEver('HTTP/1.1 200 OK\r\n\r\n', 'x'.repeat(10_000)),
      'sent more than 512 KiB',
    ],
    ['a broken answer', answeringAndClosing('HTTP/1.1 200 OK\r\nContent-Le'), 'cut short'],
    ['no HTTP', answeringAndClosing('SSH-2.0-OpenSSH\r\n\r\n'), 'not valid HTTP'],
  ])('%s: unknown', async (_what, onConnection, reason) => {
    const rdap = await serve(onConnection);
    const result = await inspect({ rdap });
    expect(result).toEqual({ state: 'unknown', reason: expect.stringContaining(reason) });
    await rdap.allClosed();
  });

  test.each([
    ['429 Too Many Requests', ['Retry-After: 600'], 600_000],
    ['503 Service Unavailable', ['Retry-After: 1'], 60_000],
    ['429 Too Many Requests', ['Retry-After: 9999999'], 24 * 3_600_000],
    ['429 Too Many Requests', [], 3_600_000],
  ])('%s %s delays the next query', async (line, headers, retryAfterMs) => {
    const rdap = await serve(status(line, ...headers));
    expect(await inspect({ rdap })).toMatchObject({ state: 'unknown', retryAfterMs });
  });

  test('is subject to the address guard [15.15]', async () => {
    const rdap = await serve(json(domainObject()));
    const guard = createAddressGuard(false);
    expect(await inspect({ rdap, context: { guard } })).toMatchObject({
      state: 'unknown',
      reason: expect.stringContaining('is not allowed (ALLOW_PRIVATE_TARGETS)'),
    });
    expect(rdap.received).toEqual([]);
  });
});

describe('WHOIS', () => {
  test('is used without an RDAP server', async () => {
    const whois = await serve(answeringAndClosing(WHOIS_TEXT));
    expect(await inspect({ whois })).toEqual({
      state: 'known',
      facts: {
        expiresAt: DATE,
        registrar: null,
        statuses: [],
        source: 'whois',
        server: 'whois.localhost',
      },
    });
    expect(whois.received).toEqual(['example.zz\r\n']);
  });

  test('provides the date if RDAP has none', async () => {
    const rdap = await serve(json(domainObject({ events: [] })));
    const whois = await serve(answeringAndClosing(`${WHOIS_TEXT}Domain Status: clientHold\r\n`));
    expect(await inspect({ rdap, whois })).toMatchObject({
      facts: {
        expiresAt: DATE,
        registrar: 'Registrar Example Inc.',
        statuses: ['client transfer prohibited', 'auto renew period', 'client hold'],
        source: 'whois',
      },
    });
  });

  test("is used if the RDAP server doesn't respond [23.19]", async () => {
    const rdap = await serve(() => undefined);
    const whois = await serve(answeringAndClosing(WHOIS_TEXT));
    expect(await inspect({ rdap, whois, timeoutMs: 1_000 })).toMatchObject({
      facts: { expiresAt: DATE, source: 'whois' },
    });
    await rdap.allClosed();
  });

  test('is found through IANA, which is queried once', async () => {
    const whois = await serve((socket, received) => {
      socket.once('data', () =>
        socket.end(received() === 'qq\r\n' ? 'refer:        whois.qq.localhost\r\n' : WHOIS_TEXT),
      );
    });
    const inspector = createDomainInspector({
      clock: hastyClock,
      rdapServers: new Map(),
      whoisServers: new Map(),
      rootWhoisServer: 'root.localhost',
      whoisPort: whois.port,
    });
    const context: ProbeContext = {
      signal: new AbortController().signal,
      clock: systemClock,
      resolver: createResolver({ clock: systemClock, hostsFile: '/dev/null' }),
      guard: createAddressGuard(true),
    };
    for (const name of ['a', 'b']) {
      const domain = `${name}.qq`;
      const result = await inspector({ kind: 'domain', domain, timeoutMs: 5_000 }, context);
      expect(result).toMatchObject({
        reason: `There is no RDAP server for .qq, and WHOIS server whois.qq.localhost sent no readable answer about ${domain}`,
      });
    }
    expect(whois.received).toEqual(['qq\r\n', 'a.qq\r\n', 'b.qq\r\n']);
  });

  test.each([
    'whois:\r\nstatus: ACTIVE\r\n',
    'refer: http://[::1]/\r\n',
    'refer: localhost\r\n',
    'This query returned 0 objects.\r\n',
  ])('unknown to IANA: %j', async (text) => {
    const whois = await serve(answeringAndClosing(text));
    expect(await inspect({ whois, domain: 'example.qq' })).toEqual({
      state: 'unknown',
      reason: 'There is no RDAP server for .qq, and there is no WHOIS server for .qq',
    });
  });

  test('in a charset other than UTF-8', async () => {
    const latin1 = Buffer.from(`${WHOIS_TEXT}Registrar: Müller GmbH\r\n`, 'latin1');
    const whois = await serve(answeringAndClosing(latin1));
    expect(await inspect({ whois })).toMatchObject({ facts: { registrar: 'Müller GmbH' } });
  });

  test.each<[string, OnConnection, string]>([
    ['nothing', (socket) => void socket.end(), 'closed the connection without an answer'],
    [
      'a reset',
      (socket) => void socket.once('data', () => socket.resetAndDestroy()),
      'broke the connection (ECONNRESET)',
    ],
    ['no match', answeringAndClosing('No match for EXAMPLE.ZZ\r\n'), 'does not know example.zz'],
    [
      'no end',
      answeringForEver('% ', '% nothing to say\r\n'.repeat(100)),
      'no readable answer about',
    ],
    [
      'an ambiguous date',
      answeringAndClosing('Domain: example.zz\r\nexpires: 03/02/2027\r\n'),
      'ambiguous expiry date, "03/02/2027"',
    ],
  ])('%s: unknown', async (_what, onConnection, reason) => {
    const whois = await serve(onConnection);
    const result = await inspect({ whois });
    expect(result).toEqual({ state: 'unknown', reason: expect.stringContaining(reason) });
    await whois.allClosed();
  });

  test('that limits queries is not queried for an hour', async () => {
    const whois = await serve(answeringAndClosing('WHOIS LIMIT EXCEEDED\r\n'));
    expect(await inspect({ whois })).toMatchObject({ retryAfterMs: 3_600_000 });
  });

  test.each(['root.localhost', 'whois.localhost'])('of %s that is unavailable', async (server) => {
    const domain = server.startsWith('root') ? 'example.qq' : 'example.zz';
    expect(await inspect({ domain })).toMatchObject({
      state: 'unknown',
      reason: expect.stringContaining(`WHOIS server ${server} did not answer: Connection refused`),
    });
  });

  test.each<[string, OnConnection]>([
    ['is silent', () => undefined],
    ['never ends', dripping('% ', '%\r\n')],
  ])('that %s ends at the deadline', async (_what, onConnection) => {
    const whois = await serve(onConnection);
    expect(await inspect({ whois, timeoutMs: 300 })).toMatchObject({
      state: 'unknown',
      reason: expect.stringContaining('did not answer in full within 0.3 s'),
    });
    await whois.allClosed();
  });
});

describe('no date', () => {
  const dateless = domainObject({ events: [] });

  test('is known if both sources have none', async () => {
    const rdap = await serve(json(dateless));
    const whois = await serve(answeringAndClosing('Domain: example.zz\r\nStatus: connect\r\n'));
    expect(await inspect({ rdap, whois })).toMatchObject({
      state: 'known',
      facts: { expiresAt: null, source: 'rdap' },
    });
  });

  test('is unknown if one source could not be queried [23.22]', async () => {
    const rdap = await serve(json(dateless));
    expect(await inspect({ rdap })).toMatchObject({
      state: 'unknown',
      reason: expect.stringMatching(
        /^RDAP server 127\.0\.0\.1 does not return the expiry date, and WHOIS server whois\.localhost did not answer: Connection refused/,
      ),
    });
    const whois = await serve(answeringAndClosing('Domain: example.zz\r\nStatus: connect\r\n'));
    expect(await inspect({ rdap: 'http://127.0.0.1:1/', whois })).toMatchObject({
      state: 'unknown',
      reason: expect.stringContaining('whois.localhost does not return the expiry date'),
    });
  });

  test("doesn't matter if the domain is in redemption", async () => {
    const rdap = await serve(json({ ...dateless, status: ['redemption period'] }));
    expect(await inspect({ rdap })).toMatchObject({
      state: 'known',
      facts: { expiresAt: null, statuses: ['redemption period'] },
    });
  });

  test("needs one source only for registries that don't publish it", async () => {
    const whois = await serve(answeringAndClosing('Domain: example.de\r\nStatus: connect\r\n'));
    const scene = {
      domain: 'example.de',
      rdapServers: new Map([['de', 'http://127.0.0.1:1/']]),
      whoisServers: new Map([['de', { server: 'whois.localhost' }]]),
    };
    expect(await inspect({ ...scene, whois })).toMatchObject({
      state: 'known',
      facts: { expiresAt: null, source: 'whois' },
    });
  });

  test("is queried once from registries that don't publish it", async () => {
    const rdap = await serve(json({ ...dateless, ldhName: 'example.de' }));
    const whois = await serve(answeringAndClosing(WHOIS_TEXT));
    const rdapServers = new Map([['de', `http://127.0.0.1:${rdap.port}/`]]);
    expect(await inspect({ rdapServers, whois, domain: 'example.de' })).toMatchObject({
      state: 'known',
      facts: { expiresAt: null, source: 'rdap' },
    });
    expect(whois.received).toEqual([]);
  });
});

test('a probe that stops ends the inspection', async () => {
  const rdap = await serve(() => undefined);
  const stopping = new AbortController();
  const result = inspect({ rdap, context: { signal: stopping.signal } });
  stopping.abort('shutdown');
  expect(await result).toMatchObject({ state: 'unknown' });
  await rdap.allClosed();
});

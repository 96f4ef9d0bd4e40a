import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { startDnsServer } from '../../test/support/dns-server.ts';
import {
  answering,
  answeringAndClosing,
  answeringForEver,
  dripping,
  page,
  pem,
  startServer,
  startTlsServer,
} from '../../test/support/fault-servers.ts';
import type { FaultServer, OnConnection } from '../../test/support/fault-servers.ts';
import { systemClock } from '../lib/clock.ts';
import { createAddressGuard, parseAllowPrivateTargets } from './address-guard.ts';
import type { AddressGuard } from './address-guard.ts';
import { createHttpClient } from './http-client.ts';
import type { HttpResponse, HttpRequest } from './http-client.ts';
import { createResolver } from './resolver.ts';
import { closedAfterEach } from '../../test/support/closing.ts';

const servers = closedAfterEach<{ close(): Promise<void> }>();

async function serve(onConnection: OnConnection, host?: string): Promise<FaultServer> {
  const server = await startServer(onConnection, host);
  servers.push(server);
  return server;
}

interface World {
  allow?: string;
  /** Addresses of every name. */
  addresses?: string[];
  authorities?: string[];
}

async function ask(
  url: string,
  more: Partial<HttpRequest> = {},
  { allow = 'true', addresses = [], authorities }: World = {},
): Promise<HttpResponse & { questions: string[] }> {
  const dns = await startDnsServer((_name, type) => ({
    addresses: addresses.filter((address) => address.includes(':') === (type === 'AAAA')),
  }));
  servers.push(dns);
  const resolver = createResolver({
    clock: systemClock,
    servers: [dns.address],
    hostsFile: '/dev/null',
    hasNetwork: () => true,
  });
  const http = createHttpClient({
    resolver,
    guard: guardOf(allow),
    clock: systemClock,
    ...(authorities === undefined ? {} : { authorities }),
  });
  const answer = await http.request({
    url,
    method: 'GET',
    headers: {},
    timeoutMs: 10_000,
    maxBytes: 1_000,
    ...more,
  });
  return { ...answer, questions: dns.questions };
}

function guardOf(text: string): AddressGuard {
  const parsed = parseAllowPrivateTargets(text);
  if (!parsed.ok) throw new Error(parsed.message);
  return createAddressGuard(parsed.value);
}

const textOf = (answer: HttpResponse): string =>
  answer.ok ? answer.body.toString() : answer.failure.text;

describe('a response', () => {
  test('is returned with status, headers and body', async () => {
    const server = await serve(
      answering('HTTP/1.1 404 Not Found\r\nRetry-After: 7\r\nContent-Length: 5\r\n\r\nhello'),
    );
    const answer = await ask(`http://127.0.0.1:${server.port}/a/b?c=d#e`);
    expect(answer).toMatchObject({ ok: true, status: 404, headers: { 'retry-after': '7' } });
    expect(textOf(answer)).toBe('hello');
    expect(server.received[0]).toMatch(/^GET \/a\/b\?c=d HTTP\/1\.1\r\n/);
    await server.allClosed();
  });

  test('to a request with a body and headers', async () => {
    const server = await serve(answeringAndClosing('HTTP/1.1 204 No Content\r\n\r\n'));
    const answer = await ask(`http://user:secret@127.0.0.1:${server.port}/`, {
      method: 'POST',
      headers: { 'X-Signature': 'abc' },
      body: 'grüße',
    });
    expect(answer).toMatchObject({ ok: true, status: 204 });
    expect(server.received[0]).toMatch(/^POST \/ HTTP\/1\.1\r\nX-Signature: abc\r\n/);
    expect(server.received[0]).toContain('Content-Length: 7\r\n');
    expect(server.received[0]).not.toMatch(/authorization|secret/i);
  });

  test('is neither followed nor decompressed', async () => {
    const packed = gzipSync('hello');
    const server = await serve(
      answering(
        `HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Encoding: gzip\r\nContent-Length: ${packed.length}\r\n\r\n`,
        packed,
      ),
    );
    const answer = await ask(`http://127.0.0.1:${server.port}/`);
    expect(answer).toMatchObject({ ok: true, status: 302, body: packed });
    expect(server.received).toHaveLength(1);
  });

  test('may be as long as the limit and no longer', async () => {
    const whole = await serve(answering(page('x'.repeat(1_000))));
    expect(await ask(`http://127.0.0.1:${whole.port}/`)).toMatchObject({ ok: true });
    const endless = await serve(answeringForEver('HTTP/1.1 200 OK\r\n\r\n', 'x'.repeat(500)));
    expect(await ask(`http://127.0.0.1:${endless.port}/`)).toMatchObject({
      failure: { code: 'response_too_large', text: 'The response is longer than 1000 bytes' },
    });
    await endless.allClosed();
  });

  test.each([
    ['endless', answeringForEver('HTTP/1.1 200 OK\r\n\r\n', 'x'.repeat(500)), 1_000],
    ['in one big piece', answering(page('x'.repeat(50_000))), 1_000],
    ['cut short', answeringAndClosing('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n', 'xx'), 2],
    ['never ready', answering('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n', 'xxx'), 3],
  ])('that may be truncated: %s', async (_, onConnection, bytes) => {
    const server = await serve(onConnection);
    const more = { allowTruncated: true, timeoutMs: 300 };
    expect(await ask(`http://127.0.0.1:${server.port}/`, more)).toMatchObject({
      ok: true,
      status: 200,
      body: Buffer.from('x'.repeat(bytes)),
    });
    await server.allClosed();
  });

  test('that may be truncated, but never starts', async () => {
    const server = await serve(answering('HTTP/1.1 200 O'));
    const more = { allowTruncated: true, timeoutMs: 300 };
    expect(await ask(`http://127.0.0.1:${server.port}/`, more)).toMatchObject({
      ok: false,
      failure: { code: 'no_response' },
    });
  });

  test.each(['::1', '127.0.0.1'])('from a name of which only %s responds', async (host) => {
    const server = await serve(answering(page('hello')), host);
    const answer = await ask(
      `http://two.example:${server.port}/`,
      {},
      { addresses: ['127.0.0.1', '::1'] },
    );
    expect(textOf(answer)).toBe('hello');
    expect(server.received[0]).toContain(`Host: two.example:${server.port}\r\n`);
  });
});

describe('refused targets [15.15]', () => {
  test.each<[string, World]>([
    ['http://127.0.0.1:PORT/', { allow: 'false' }],
    ['http://2130706433:PORT/', { allow: 'false' }],
    ['http://[::ffff:127.0.0.1]:PORT/', { allow: 'false' }],
    ['http://localhost:PORT/', { allow: 'false' }],
    ['http://mixed.example:PORT/', { addresses: ['127.0.0.1', '169.254.169.254'] }],
    ['http://mixed.example:PORT/', { allow: '127.0.0.1', addresses: ['127.0.0.1', '127.0.0.2'] }],
    ['http://169.254.169.254/', {}],
  ])('%s %j', async (url, world) => {
    const server = await serve(answering(page('hello')));
    const answer = await ask(url.replace('PORT', String(server.port)), {}, world);
    expect(answer).toMatchObject({ failure: { code: 'target_not_allowed' } });
    expect(server.received).toEqual([]);
  });

  test('a name is looked up once', async () => {
    const server = await serve(answering(page('hello')));
    const world = { addresses: ['127.0.0.1'] };
    const answer = await ask(`http://once.example:${server.port}/`, {}, world);
    expect(answer.questions.toSorted()).toEqual(['once.example A', 'once.example AAAA']);
  });
});

const NINE = 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx';
const UPGRADE = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n';
const LONG = 'HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n';
const CUT = /before the response was complete/;
const LATE: Partial<HttpRequest> = { timeoutMs: 200 };
const ending: OnConnection = (socket) => void socket.once('data', () => socket.end());
const resetting: OnConnection = (socket) =>
  void socket.once('data', () =>
    socket.write(NINE, () => setImmediate(() => socket.resetAndDestroy())),
  );

describe('a failure', () => {
  test.each<[string, OnConnection, string, RegExp, Partial<HttpRequest>?]>([
    ['silence', () => undefined, 'no_response', /^No response within 0\.2 s$/, LATE],
    ['an endless body', dripping(LONG, 'x'), 'no_response', /^Response not complete within/, LATE],
    ['no HTTP', answering('220\r\n\r\n'), 'response_invalid', /^The answer is not valid HTTP/],
    ['an end without an answer', ending, 'connection_reset', /without a response/],
    ['an end within the body', answeringAndClosing(NINE), 'response_cut_short', CUT],
    ['a reset within the body', resetting, 'response_cut_short', CUT],
    ['another protocol', answering(UPGRADE), 'connection_reset', /without a response/],
  ])('%s', async (_name, onConnection, code, text, more) => {
    const server = await serve(onConnection);
    const answer = await ask(`http://127.0.0.1:${server.port}/`, more);
    expect(answer).toMatchObject({
      ok: false,
      failure: { code, text: expect.stringMatching(text) },
    });
    await server.allClosed();
  });

  test('nobody listens on one address, or on any of several', async () => {
    const server = await serve(() => undefined);
    const { port } = server;
    await server.close();
    expect(await ask(`http://127.0.0.1:${port}/`)).toMatchObject({
      failure: { code: 'connection_refused', text: `Connection refused by 127.0.0.1 port ${port}` },
    });
    const several = await ask(
      `http://two.example:${port}/`,
      {},
      { addresses: ['127.0.0.1', '::1'] },
    );
    expect(several).toMatchObject({ failure: { code: 'connection_refused' } });
  });

  test.each<[string, Partial<HttpRequest>, string]>([
    ['nonsense', {}, 'probe_unable'],
    ['ftp://127.0.0.1/', {}, 'probe_unable'],
    ['http://no.example/', {}, 'dns_not_found'],
    ['http://127.0.0.1:1/', { headers: { 'X Y': 'z' } }, 'probe_unable'],
    ['http://127.0.0.1:1/', { headers: { X: 'a\r\nHost: evil' } }, 'probe_unable'],
    ['http://127.0.0.1:1/', { method: 'GET /x HTTP/1.1\r\n' }, 'probe_unable'],
    ['http://127.0.0.1:1/', { signal: AbortSignal.abort('shutdown') }, 'aborted'],
    ['http://127.0.0.1:1/', { signal: AbortSignal.abort('deadline') }, 'connection_timeout'],
    ['http://a.example:1/', { signal: AbortSignal.abort('deadline') }, 'dns_timeout'],
  ])('%s %j', async (url, more, code) => {
    expect(await ask(url, more)).toMatchObject({ ok: false, failure: { code } });
  });

  test('any URL gets a result', async () => {
    const http = createHttpClient({
      resolver: {
        resolve: async () => ({ ok: false, code: 'dns_not_found' }),
        hasNetwork: () => true,
      },
      guard: { evaluate: () => ({ allowed: false, reason: 'is not to be spoken to' }) },
      clock: systemClock,
    });
    const url = fc.oneof(
      fc.string(),
      fc.webUrl(),
      fc.string().map((text) => `http://${text}`),
    );
    await fc.assert(
      fc.asyncProperty(url, fc.string(), async (text, method) => {
        const answer = await http.request({
          url: text,
          method,
          headers: {},
          timeoutMs: 1_000,
          maxBytes: 10,
        });
        expect(answer.ok).toBe(false);
      }),
    );
  });

  test('the caller aborts while waiting', async () => {
    const controller = new AbortController();
    const server = await serve(() => controller.abort('shutdown'));
    const answer = await ask(`http://127.0.0.1:${server.port}/`, { signal: controller.signal });
    expect(answer).toMatchObject({ failure: { code: 'aborted' } });
    await server.allClosed();
  });
});

describe('TLS', () => {
  const trusted: World = { authorities: [pem('authority')] };
  test.each([
    ['good', undefined],
    ['expired', 'tls_expired'],
    ['not-yet-valid', 'tls_not_yet_valid'],
    ['wrong-host', 'tls_wrong_host'],
    ['self-signed', 'tls_untrusted'],
  ])('a certificate: %s', async (certificate, code) => {
    const server = await startTlsServer(certificate, answering(page('hello')));
    servers.push(server);
    const answer = await ask(`https://localhost:${server.port}/`, {}, trusted);
    expect(answer.ok ? undefined : answer.failure.code).toBe(code);
    expect(server.received.join('').includes('GET')).toBe(code === undefined);
    await server.allClosed();
  });

  test('an unknown authority, and a server without TLS', async () => {
    const server = await startTlsServer('good', answering(page('hello')));
    const plain = await serve(answering('HTTP/1.1 400 Bad Request\r\n\r\n'));
    servers.push(server);
    expect(await ask(`https://localhost:${server.port}/`)).toMatchObject({
      failure: { code: 'tls_untrusted' },
    });
    expect(await ask(`https://localhost:${plain.port}/`)).toMatchObject({
      failure: { code: 'tls_handshake' },
    });
  });

  test('a handshake that never ends', async () => {
    const server = await serve(() => undefined);
    expect(
      await ask(`https://localhost:${server.port}/`, { timeoutMs: 200 }, trusted),
    ).toMatchObject({
      failure: { code: 'tls_handshake', text: 'TLS handshake not finished within 0.2 s' },
    });
    await server.allClosed();
  });
});

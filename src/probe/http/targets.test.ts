import { describe, expect, test } from 'vitest';
import { startDnsServer } from '../../../test/support/dns-server.ts';
import {
  answering,
  page,
  startServer,
  type FaultServer,
  type OnConnection,
} from '../../../test/support/fault-servers.ts';
import { httpCheck, probeHttp, runProbe } from '../../../test/support/probing.ts';
import { systemClock } from '../../lib/clock.ts';
import type { HttpCheckRequest } from '../../monitor-types/http.ts';
import { createResolver } from '../../net/resolver.ts';
import { closedAfterEach } from '../../../test/support/closing.ts';

type Overrides = Partial<HttpCheckRequest>;

const servers = closedAfterEach<{ close(): Promise<void> }>();

async function serve(onConnection: OnConnection, host?: string): Promise<FaultServer> {
  const server = await startServer(onConnection, host);
  servers.push(server);
  return server;
}

describe('redirects', () => {
  test('a 307 keeps method and body, and phases add up', async () => {
    const first = await serve(answering('HTTP/1.1 307 Elsewhere\r\nLocation: /next\r\n\r\n'));
    const result = await runProbe(
      probeHttp,
      httpCheck(`http://127.0.0.1:${first.port}/`, {
        method: 'POST',
        body: 'a=1',
        headers: { Cookie: 'sid=secret' },
      }),
    );
    expect(first.received).toHaveLength(2);
    expect(first.received[1]).toMatch(/^POST \/next HTTP\/1\.1\r\n/);
    expect(first.received[1]).toMatch(/\r\nCookie: sid=secret\r\n/);
    expect(first.received[1]).toMatch(/\r\nContent-Length: 3\r\n\r\na=1$/);
    expect(result.failure?.code).toBe('redirect_loop');
  });

  test('another origin gets no secrets [16.5]', async () => {
    const target = await serve(answering(page('hello')));
    const first = await serve(
      answering(`HTTP/1.1 308 Elsewhere\r\nLocation: http://localhost:${target.port}/x\r\n\r\n`),
    );
    const headers = { Authorization: 'Bearer secret', Cookie: 'sid=secret', 'X-Api-Key': 'secret' };
    const result = await runProbe(
      probeHttp,
      httpCheck(`http://127.0.0.1:${first.port}/`, { method: 'POST', body: 'secret', headers }),
    );
    expect(result).toMatchObject({ vote: 'up', statusCode: 200 });
    expect(first.received[0]).toContain('Bearer secret');
    expect(target.received[0]).toContain(`Host: localhost:${target.port}`);
    expect(target.received[0]).not.toContain('secret');
  });
});

describe('failures of the probe', () => {
  test.each<[string, Overrides, RegExp]>([
    ['a header name with a space', { headers: { 'X Y': 'z' } }, /header name "X Y"/],
    [
      'a header value with a line break',
      { headers: { X: 'a\r\nHost: evil' } },
      /"X" holds a line break/,
    ],
    ['no URL', { url: 'nonsense' }, /URL/],
    ['another kind of URL', { url: 'ftp://localhost/' }, /URL/],
  ])('%s', async (_name, more, text) => {
    const result = await runProbe(probeHttp, httpCheck('http://127.0.0.1:1/', more));
    expect(result).toMatchObject({
      vote: 'unknown',
      failure: { code: 'probe_unable', text: expect.stringMatching(text) },
      evidence: null,
    });
  });

  test.each(['before', 'during'])('a shutdown %s the check', async (when) => {
    const controller = new AbortController();
    const server = await serve(() => controller.abort('shutdown'));
    if (when === 'before') controller.abort('shutdown');
    const result = await runProbe(probeHttp, httpCheck(`http://127.0.0.1:${server.port}/`), {
      signal: controller.signal,
    });
    expect(result).toMatchObject({ vote: 'unknown', failure: { code: 'aborted' } });
    await server.allClosed();
  });

  test.each([
    ['the TLS handshake', 'https'],
    ['the wait for an answer', 'http'],
  ])('a shutdown during %s', async (_step, scheme) => {
    const controller = new AbortController();
    // The first bytes that arrive are those of the handshake, or of the request.
    const server = await serve((socket) => socket.on('data', () => controller.abort('shutdown')));
    const result = await runProbe(probeHttp, httpCheck(`${scheme}://127.0.0.1:${server.port}/`), {
      signal: controller.signal,
    });
    expect(result).toMatchObject({ vote: 'unknown', failure: { code: 'aborted' } });
    await server.allClosed();
  });

  test('a shutdown during the name lookup', async () => {
    const controller = new AbortController();
    const dns = await startDnsServer(() => {
      controller.abort('shutdown');
      return 'silent';
    });
    servers.push(dns);
    const resolver = createResolver({
      clock: systemClock,
      servers: [dns.address],
      hostsFile: '/dev/null',
      hasNetwork: () => true,
    });
    const { signal } = controller;
    const result = await runProbe(probeHttp, httpCheck('http://name.example/'), {
      resolver,
      signal,
    });
    expect(result).toMatchObject({
      vote: 'unknown',
      failure: { code: 'aborted', text: 'The probe stopped before the check ended' },
    });
  });
});

describe('names and addresses', () => {
  test('an IPv6 literal', async () => {
    const server = await serve(answering(page('hello')), '::1');
    const result = await runProbe(probeHttp, httpCheck(`http://[::1]:${server.port}/`));
    expect(result).toMatchObject({ vote: 'up', remoteAddress: '::1' });
    expect(server.received[0]).toContain(`Host: [::1]:${server.port}\r\n`);
  });
});

/** Answers by what a request holds. */
const serveBy = (answer: (request: string) => string | Buffer) =>
  serve((socket) => socket.once('data', (data: Buffer) => socket.write(answer(`${data}`))));
const cookieIn = (request: string) => /\r\nCookie: (.*)\r\n/.exec(request)?.[1] ?? null;

describe('cookies of a check', () => {
  const REDIRECT = 'HTTP/1.1 302 Found\r\nContent-Length: 0\r\n';

  test('are those of the site that the own Host header names', async () => {
    const server = await serveBy((request) =>
      cookieIn(request) === null
        ? `${REDIRECT}Set-Cookie: a=1; Domain=shop.test\r\nLocation: /\r\n\r\n`
        : page('hello'),
    );
    const url = `http://127.0.0.1:${server.port}/`;
    const headers = { Host: 'www.shop.test:81' };
    expect(await runProbe(probeHttp, httpCheck(url, { headers }))).toMatchObject({ vote: 'up' });
  });

  test('come with the answer to a challenge', async () => {
    const server = await serveBy((request) =>
      cookieIn(request) === null
        ? 'HTTP/1.1 401 No\r\nSet-Cookie: a=1\r\nWWW-Authenticate: Digest realm="r", nonce="n"\r\nContent-Length: 0\r\n\r\n'
        : page('hello'),
    );
    const digest = { username: 'me', password: 'mine' };
    const url = `http://127.0.0.1:${server.port}/`;
    expect(await runProbe(probeHttp, httpCheck(url, { digest }))).toMatchObject({ vote: 'up' });
    expect(server.received[1]).toMatch(/\r\nAuthorization: Digest /);
  });
});

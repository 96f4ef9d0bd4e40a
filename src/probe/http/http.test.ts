import {
  brotliCompressSync,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import {
  answering,
  answeringAndClosing,
  answeringForEver,
  dripping,
  page,
  startServer,
  type FaultServer,
  type OnConnection,
} from '../../../test/support/fault-servers.ts';
import { SHORT_MS, httpCheck, probeHttp, runProbe } from '../../../test/support/probing.ts';
import type { CheckResult } from '../../model/check.ts';
import type { HttpCheckRequest } from '../../monitor-types/http.ts';
import { closedAfterEach } from '../../../test/support/closing.ts';

type Overrides = Partial<HttpCheckRequest>;

const servers = closedAfterEach<{ close(): Promise<void> }>();

async function serve(onConnection: OnConnection): Promise<FaultServer> {
  const server = await startServer(onConnection);
  servers.push(server);
  return server;
}

/** Checks a new server; resolves when the server has seen all connections close. */
async function checkAgainst(
  onConnection: OnConnection,
  more: Overrides = {},
  path = '/',
): Promise<CheckResult & { received: string[]; port: number }> {
  const server = await serve(onConnection);
  const result = await runProbe(
    probeHttp,
    httpCheck(`http://127.0.0.1:${server.port}${path}`, more),
  );
  await server.allClosed();
  return { ...result, received: server.received, port: server.port };
}

const PAGE = '<h1>Internal Server Error</h1>';
const SHORT: Overrides = { timeoutMs: SHORT_MS };
const STRICT: Overrides = { errorTextDetection: true };

const reset: OnConnection = (socket) => void socket.once('data', () => socket.resetAndDestroy());
const resetAfter =
  (text: string): OnConnection =>
  (socket) =>
    void socket.once('data', () =>
      socket.write(text, () => setImmediate(() => socket.resetAndDestroy())),
    );

/** A status line, headers and a body. */
const reply = (status: string, headers: string, body = '') =>
  `HTTP/1.1 ${status}\r\n${headers}\r\n\r\n${body}`;
const OK = 'HTTP/1.1 200 OK\r\n';
const NINE = reply('200 OK', 'Content-Length: 9');
const CHUNKED = reply('200 OK', 'Transfer-Encoding: chunked');
const found = (location: string) => answering(reply('302 Found', `Location: ${location}`));
const coded = (coding: string, body: string | Buffer) =>
  answering(page(body, `Content-Encoding: ${coding}`));
const BOMB = gzipSync(Buffer.alloc(60_000_000));
const HINTS = 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n';
const EMPTY = 'Content-Length: 0';

describe('up', () => {
  test.each<[string, OnConnection, number, Overrides?]>([
    ['a page', answering(page('hello')), 200],
    ['a page that ends by closing', answeringAndClosing('HTTP/1.0 200 OK\r\n\r\nhello'), 200],
    ['a chunked page', answering(CHUNKED, '2\r\nhi\r\n', '0\r\n\r\n'), 200],
    ['204', answering('HTTP/1.1 204 No Content\r\n\r\n'), 204],
    ['304', answering(reply('304 Not Modified', 'Content-Length: 9')), 304],
    ['HEAD', answering(NINE), 200, { method: 'HEAD' }],
    ['interim answers', answering(HINTS, page('x')), 200],
    ['an endless page', answeringForEver(`${OK}\r\n`, 'x'.repeat(65_536)), 200],
    [
      'an accepted error',
      answering(reply('404 Not Found', EMPTY)),
      404,
      { acceptedStatusCodes: ['2xx', '404'] },
    ],
    ['a redirect that leads nowhere', answering(reply('302 Found', EMPTY)), 302],
    ['a redirect not followed', found('/x\r\nContent-Length: 0'), 302, { followRedirects: false }],
    ['gzip', coded('gzip', gzipSync('hello')), 200, STRICT],
    ['a gzip bomb', coded('gzip', BOMB), 200, STRICT],
    ['a bomb in a bomb', coded('gzip, gzip', gzipSync(BOMB)), 200, STRICT],
    ['an unknown coding', coded('rot13', 'hello'), 200, STRICT],
    ['an error text that is not searched for', answering(page(PAGE)), 200],
  ])('%s', async (_name, onConnection, status, more) => {
    const result = await checkAgainst(onConnection, more);
    expect(result).toMatchObject({
      vote: 'up',
      failure: null,
      statusCode: status,
      remoteAddress: '127.0.0.1',
      evidence: null,
    });
    const { dnsMs, tcpMs, tlsMs, ttfbMs, totalMs } = result.timings;
    expect(tlsMs).toBeNull();
    expect(result.responseTimeMs).toBe(totalMs);
    expect((dnsMs ?? 0) + (tcpMs ?? 0) + (ttfbMs ?? 0)).toBeLessThanOrEqual(totalMs ?? 0);
  });
});

describe('down', () => {
  const INCOMPLETE = 'Response not complete within 0.3 s';
  const CUT = 'Response cut short';
  const CLOSED = /^Connection closed by 127\.0\.0\.1 port \d+ without a response$/;
  const SHOWN = 'The page shows a server error: Internal Server Error';
  const HALF = gzipSync('x'.repeat(999)).subarray(0, 20);
  const PAGE_AND_BOMB = gzipSync(Buffer.concat([Buffer.from(PAGE), Buffer.alloc(9_000_000)]));
  const REFUSED = 'Target 169.254.169.254 is not allowed (ALLOW_PRIVATE_TARGETS)';
  const NOWHERE = 'http://169.254.169.254/latest';
  const CASES: Record<string, [string, OnConnection, string | RegExp, Overrides?][]> = {
    http_status: [
      ['an error', answering(reply('503 Nope', EMPTY)), 'HTTP 503 Service Unavailable'],
      ['not accepted', answering(page('x')), 'HTTP 200 OK', { acceptedStatusCodes: ['404'] }],
    ],
    no_response: [
      ['silence', () => undefined, 'No response within 0.3 s', SHORT],
      ['dripping headers', dripping(OK, 'a: b\r\n'), INCOMPLETE, SHORT],
      [
        'a dripping body',
        dripping(reply('200 OK', 'Content-Length: 9999999'), 'x'),
        INCOMPLETE,
        SHORT,
      ],
      ['a body that stops', answering(`${NINE}x`), INCOMPLETE, SHORT],
      ['a chunk that stops', answering(`${CHUNKED}5\r\nx`), /not complete/, SHORT],
    ],
    connection_reset: [
      ['a reset before the answer', reset, /^Connection reset by 127\.0\.0\.1 port \d+$/],
    ],
    response_cut_short: [
      ['a reset in the headers', resetAfter(OK), `${CUT} within its headers: connection reset`],
      ['a reset', resetAfter(`${NINE}x`), `${CUT} after 1 of 9 bytes of body: connection reset`],
      ['a reset of a body without length', resetAfter(`${OK}\r\nxyz`), /after 3 bytes/],
      ['an end before the answer', answeringAndClosing(), CLOSED],
      ['an end at once', (socket) => void socket.end(), /without a response|reset/],
      ['an end within the headers', answeringAndClosing(`${OK}A: `), `${CUT} within its headers`],
      ['a short body', answeringAndClosing(`${NINE}x`), `${CUT} after 1 of 9 bytes of body`],
      [
        'no last chunk',
        answeringAndClosing(`${CHUNKED}5\r\nhello\r\n`),
        `${CUT} after 5 bytes of body`,
      ],
    ],
    response_invalid: [
      ['a broken chunk', answering(`${CHUNKED}zz\r\n`), /chunk/],
      ['garbage', answering('220 mail\r\n'), 'The answer is not valid HTTP: it is not HTTP'],
      ['huge headers', answering(`${OK}A: ${'x'.repeat(100_000)}`), /larger than 64 KiB/],
      ['endless headers', answeringForEver(OK, 'a: b\r\n'.repeat(1_000)), /larger than 64 KiB/],
      ['a port that speaks TLS', answering(Buffer.from([0x15, 3, 1, 0, 2, 2, 0x46])), /speaks TLS/],
      ['broken gzip', coded('gzip', 'this is no gzip'), /Content-Encoding/, STRICT],
      ['gzip that ends early', coded('gzip', HALF), /Content-Encoding/, STRICT],
      ['too many codings', coded('gzip, gzip, gzip, gzip', 'x'), /Content-Encoding/, STRICT],
    ],
    error_text: [
      ['an error text', answering(page(PAGE)), SHOWN, STRICT],
      ['an error text in gzip', coded('gzip', gzipSync(PAGE)), /Internal/, STRICT],
      ['an error text in deflate', coded('deflate', deflateSync(PAGE)), /Internal/, STRICT],
      ['an error text in bare deflate', coded('deflate', deflateRawSync(PAGE)), /Internal/, STRICT],
      ['an error text in brotli', coded('br', brotliCompressSync(PAGE)), /Internal/, STRICT],
      ['an error text in zstd', coded('ZSTD', zstdCompressSync(PAGE)), /Internal/, STRICT],
      ['an error text before a bomb', coded('gzip', PAGE_AND_BOMB), /Internal/, STRICT],
    ],
    redirect_invalid: [
      ['a bad Location', found('http://'), /not valid/],
      ['another scheme', found('ftp://x/'), 'The redirect leads to ftp: and not to http or https'],
    ],
    redirect_loop: [
      [
        'a redirect to itself',
        answering(reply('301 Moved', 'Location: /')),
        /leads back to itself/,
      ],
    ],
    target_not_allowed: [['a redirect to a refused address', found(NOWHERE), REFUSED]],
  };
  describe.each(Object.entries(CASES))('%s', (code, cases) => {
    test.each(cases)('%s [20.2]', async (_name, onConnection, text, more) => {
      const result = await checkAgainst(onConnection, more);
      expect(result).toMatchObject({
        vote: 'down',
        failure: { code, text: typeof text === 'string' ? text : expect.stringMatching(text) },
      });
      expect(result.evidence).not.toBeNull();
      expect(result.responseTimeMs).toBe(result.timings.totalMs);
    });
  });

  test('endless redirects [16.4]', async () => {
    let count = 0;
    const result = await checkAgainst((socket) =>
      answering(`HTTP/1.1 302 Found\r\nLocation: /${++count}?secret=1\r\n\r\n`)(socket, () => ''),
    );
    expect(result.failure).toEqual({
      code: 'redirect_loop',
      text: 'Redirect loop: more than 5 redirects',
    });
    expect(count).toBe(6);
    expect(result.evidence?.redirects).toEqual(
      [1, 2, 3, 4, 5].map((each) => `http://127.0.0.1:${result.port}/${each}`),
    );
  });

  test('a connection that nobody accepts', async () => {
    const server = await serve(() => undefined);
    await server.close();
    const result = await runProbe(probeHttp, httpCheck(`http://127.0.0.1:${server.port}/`));
    expect(result).toMatchObject({
      vote: 'down',
      failure: {
        code: 'connection_refused',
        text: `Connection refused by 127.0.0.1 port ${server.port}`,
      },
      statusCode: null,
      responseTimeMs: null,
      remoteAddress: '127.0.0.1',
    });
  });

  test('evidence shows the response', async () => {
    const result = await checkAgainst(
      answering(
        'HTTP/1.1 500 Oh no\r\nServer: x\r\nSet-Cookie: sid=1\r\nContent-Length: 4\r\n\r\noops',
      ),
    );
    expect(result.evidence).toEqual({
      statusLine: 'HTTP/1.1 500 Oh no',
      headers: { server: 'x', 'content-length': '4' },
      body: 'oops',
      redirects: [],
      tls: null,
    });
    expect(result.responseTimeMs).not.toBeNull();
  });
});

test('responses of node:http are read unchanged', async () => {
  const answer = 'Antwort aus Köln '.repeat(1_500);
  const received: Buffer[] = [];
  const server = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain', 'x-method': request.method ?? '' });
    request.on('data', (chunk: Buffer) => received.push(chunk));
    request.on('end', () => response.end(answer));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  servers.push({ close: () => new Promise((resolve) => void server.close(() => resolve())) });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const body = 'grüße '.repeat(1_500);
  const result = await runProbe(
    probeHttp,
    httpCheck(url, { method: 'PUT', body, acceptedStatusCodes: ['404'] }),
  );
  expect(result.evidence?.headers['x-method']).toBe('PUT');
  expect(Buffer.concat(received).toString()).toBe(body);
  expect(result.evidence?.body).toHaveLength(
    Buffer.from(answer).subarray(0, 4_096).toString().length,
  );
  expect(answer.startsWith(result.evidence?.body ?? 'x')).toBe(true);
});

test('evidence contains neither headers nor body of the request when node:http sends them back', async () => {
  const server = createServer((request, response) => {
    response.writeHead(500, { 'x-echo': request.headers['x-key'] ?? '' });
    request.pipe(response);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  servers.push({ close: () => new Promise((resolve) => void server.close(() => resolve())) });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const result = await runProbe(
    probeHttp,
    httpCheck(url, { method: 'POST', headers: { 'X-Key': 'größer' }, body: 'sesam öffne dich' }),
  );
  expect(result.evidence).toMatchObject({ headers: { 'x-echo': '[removed]' }, body: '[removed]' });
});

test("evidence doesn't contain cookies that the target or an earlier redirect sets [20.11]", async () => {
  const body = '{"now":"se55ion/two","before":"se55ion-one","sid":"se55ion%2Ftwo"}';
  const padding = 'x'.repeat(4_096 - body.length - 5);
  let hops = 0;
  const server = await serve((socket, received) =>
    answeringAndClosing(
      hops++ === 0
        ? 'HTTP/1.1 302 Found\r\nSet-Cookie: sid=se55ion-one\r\nLocation: /next\r\n\r\n'
        : `HTTP/1.1 500 Oops\r\nSet-Cookie: sid=se55ion%2Ftwo; Path=/\r\n\r\n${body}${padding}`,
      // Five characters of it are in the first 4 KiB.
      'se55ion-one and more',
    )(socket, received),
  );
  const url = `http://127.0.0.1:${server.port}/`;
  const result = await runProbe(probeHttp, httpCheck(url));
  expect(result.failure?.code).toBe('http_status');
  expect(result.evidence?.body).toBe(
    `{"now":"[removed]","before":"[removed]","sid":"[removed]"}${padding}[removed]`,
  );
});

test('a secret with a tab is removed from a text that quotes the page', async () => {
  const secret = 'k3y\tof the kingdom';
  const server = await serve(answering(page(JSON.stringify({ status: `for ${secret}` }))));
  const result = await runProbe(
    probeHttp,
    httpCheck(`http://127.0.0.1:${server.port}/`, {
      headers: { 'X-Key': secret },
      content: {
        kind: 'json',
        assertions: [{ path: 'status', operator: 'equals', value: 'ok' }],
      },
    }),
  );
  const text = 'JSON status is "for [removed]", expected "ok"';
  expect(result).toMatchObject({ failure: { text }, content: { outcomes: [{ text }] } });
});

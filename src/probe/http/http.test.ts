import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import {
  answering,
  answeringAndClosing,
  page,
  startServer,
  type FaultServer,
  type OnConnection,
} from '../../../test/support/fault-servers.ts';
import { httpCheck, probeHttp, runProbe } from '../../../test/support/probing.ts';
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

describe('a check', () => {
  test.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const)(
    'asks with %s, and sends a body with those that have one [15.2, 16.1, 16.11]',
    async (method) => {
      const hasBody = ['POST', 'PUT', 'PATCH'].includes(method);
      const ok = answering('HTTP/1.1 204 No Content\r\n\r\n');
      const { received, timings, ...result } = await checkAgainst(ok, { method, body: 'ä=1' });
      expect(result).toMatchObject({ vote: 'up', statusCode: 204, evidence: null });
      const [head, body] = Buffer.from(received[0]!, 'latin1').toString().split('\r\n\r\n');
      expect(head).toMatch(new RegExp(`^${method} / HTTP/1\\.1\\r\\n`));
      expect(body).toBe(hasBody ? 'ä=1' : '');
      const { dnsMs, tcpMs, tlsMs, ttfbMs, totalMs } = timings;
      expect([tlsMs, totalMs]).toEqual([null, result.responseTimeMs]);
      expect(totalMs).toBeGreaterThan(0);
      expect((dnsMs ?? 0) + tcpMs! + ttfbMs!).toBeLessThanOrEqual(totalMs!);
    },
  );

  test('reads no more than 1 MiB of a page that nobody searches [16.6]', async () => {
    let sent = 0;
    const result = await checkAgainst((socket) => {
      const more = () => {
        while (!socket.destroyed && socket.write(Buffer.alloc(65_536, 'x'))) sent += 65_536;
      };
      socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\n\r\n', more));
      socket.on('drain', more);
    });
    expect(result).toMatchObject({ vote: 'up', statusCode: 200 });
    // What the kernel holds for both sides comes on top.
    expect(sent).toBeLessThan(20 * 2 ** 20);
  });
});

describe('a failed check', () => {
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

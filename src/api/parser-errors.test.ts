import { connect, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openApi, type TestApi } from '../../test/support/api.ts';
import { openInMemory } from '../../test/support/memory-database.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openApi(await openInMemory());
  await api.app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => api.app.close());

/** Sends these bytes and returns all that is answered until the connection is closed. */
async function exchange(text: string): Promise<string> {
  const { port } = api.app.server.address() as AddressInfo;
  const socket = connect({ host: '127.0.0.1', port });
  socket.write(text);
  let answer = '';
  for await (const piece of socket) answer += String(piece);
  return answer;
}

const NOT_HTTP = 'The request is not valid HTTP: it could not be read.';
const POST = 'POST /api/v1/groups HTTP/1.1\r\nHost: x\r\n';
const ONE_HOST = 'The request must have one Host header.';

describe('a request that is no HTTP', () => {
  test.each([
    ['nonsense', 'nonsense\r\n\r\n', 400, NOT_HTTP],
    ['an unknown method', 'NONSENSE / HTTP/1.1\r\nHost: x\r\n\r\n', 400, NOT_HTTP],
    ['a header without a name', 'GET / HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n', 400, NOT_HTTP],
    [
      'headers of 20 KiB',
      `GET / HTTP/1.1\r\nHost: x\r\nA: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'The headers are larger than 16 KiB. Send less.',
    ],
    ['two lengths', `${POST}Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}`, 400, NOT_HTTP],
    [
      'a length and chunks',
      `${POST}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
      NOT_HTTP,
    ],
    ['a bad chunk', `${POST}Transfer-Encoding: chunked\r\n\r\nnonsense\r\n`, 400, NOT_HTTP],
    ['no host', 'GET /healthz HTTP/1.1\r\n\r\n', 400, ONE_HOST],
    ['two hosts', 'GET /healthz HTTP/1.1\r\nHost: x\r\nhost: y\r\n\r\n', 400, ONE_HOST],
    ['two equal hosts', 'GET /ping/x HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n', 400, ONE_HOST],
  ])('such as with %s is answered as all others [2.26]', async (_name, text, status, message) => {
    const answer = await exchange(text);
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    expect(head.split(' ', 2)[1], answer).toBe(String(status));
    expect(JSON.parse(body)).toEqual({ message });
    const headers = Object.fromEntries(
      head
        .split('\r\n')
        .slice(1)
        .map((line) => line.toLowerCase().split(': ')),
    );
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(body.length),
      'x-request-id': expect.stringMatching(/^\S{8,}$/),
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'strict-transport-security': expect.stringContaining('max-age='),
      'cache-control': 'no-store',
      connection: 'close',
    });
  });

  test('HTTP/1.0 needs no host', async () => {
    expect(await exchange('GET /healthz HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('after an answer on the same connection is answered, too', async () => {
    const answer = await exchange('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\nnonsense\r\n\r\n');
    expect(answer).not.toContain('undefined');
    expect(answer.match(/^HTTP\/1\.1 /gm)?.length ?? 0).toBeLessThanOrEqual(2);
  });
});

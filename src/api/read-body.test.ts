import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openApi, type TestApi } from '../../test/support/api.ts';
import { openInMemory } from '../../test/support/memory-database.ts';

const KIB = 1024;
const MIB = KIB * KIB;

let api: TestApi;
let port: number;
const sockets: Socket[] = [];

beforeAll(async () => {
  api = await openApi(await openInMemory());
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  ({ port } = api.app.server.address() as AddressInfo);
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await api.app.close();
});

/** Begins a request for a new group, from a loopback address. */
async function begin(from: string, length: number | 'chunked'): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port, localAddress: from });
  sockets.push(socket);
  socket.on('error', () => {});
  await once(socket, 'connect');
  const size = length === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`;
  socket.write(
    `POST /api/v1/groups HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api.alice.token}\r\n` +
      `Content-Type: application/json\r\n${size}\r\n\r\n`,
  );
  return socket;
}

/** Status and body of the answer. */
async function answerOf(
  socket: Socket,
): Promise<{ status: number; body: Record<string, unknown>; head: string }> {
  let text = '';
  for await (const piece of socket) {
    text += String(piece);
    const [head = '', body = ''] = text.split('\r\n\r\n', 2);
    const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? Infinity);
    if (body.length < length) continue;
    return { status: Number(text.slice(9, 12)), body: JSON.parse(body), head };
  }
  throw new Error(`The connection ended: ${text}`);
}

async function passTime(): Promise<null> {
  await new Promise((resolve) => void setImmediate(resolve));
  await api.clock.advance(2_000);
  return null;
}

const group = (name: string, size: number) => {
  const body = `{"name":"${name}"}`;
  return body + ' '.repeat(size - body.length);
};

describe('a body', () => {
  test.each([
    ['in one piece', 100, 1],
    ['in many', 100_000, 50],
    ['as large as is read, in pieces', MIB, 16],
  ])('%s is read', async (name, size, pieces) => {
    const socket = await begin('127.0.0.1', size);
    const body = Buffer.from(group(name, size));
    const step = Math.ceil(size / pieces);
    for (let at = 0; at < size; at += step) socket.write(body.subarray(at, at + step));
    const answer = await answerOf(socket);
    expect([answer.status, answer.body['name']]).toEqual([201, name]);
  });

  test('byte by byte is read', async () => {
    const socket = await begin('127.0.0.1', 'chunked');
    const pieces = [...group('bytes', 20_000)].map((byte) => `1\r\n${byte}\r\n`);
    socket.write(`${pieces.join('')}0\r\n\r\n`);
    expect((await answerOf(socket)).status).toBe(201);
  });

  test('that is larger than 1 MiB is refused, whether it says so or not [2.6]', async () => {
    expect((await answerOf(await begin('127.0.0.1', MIB + 1))).status).toBe(413);
    const chunked = await begin('127.0.0.1', 'chunked');
    chunked.write(`${(MIB + 1).toString(16)}\r\n${' '.repeat(MIB + 1)}\r\n`);
    expect((await answerOf(chunked)).status).toBe(413);
  });

  test('that stands still is 408 and ends its connection [2.23]', async () => {
    const socket = await begin('127.0.0.1', 1_000);
    socket.write('{"name":');
    const answer = answerOf(socket);
    // The bytes arrive by the network, in their own time.
    let answered = null;
    while (answered === null) answered = await Promise.race([answer, passTime()]);
    const { status, body, head } = answered;
    expect([status, body]).toEqual([
      408,
      {
        message:
          'The body arrived too slowly: less than 10 KiB in 10 seconds. Send it again, faster.',
      },
    ]);
    expect(head).toMatch(/^connection: close$/im);
    expect(head).toMatch(/^x-request-id: /im);
  });

  test('of a client that has 4 MiB under way is 429 [2.22]', async () => {
    const body = group('x', MIB - KIB);
    const waiting = await Promise.all(Array.from({ length: 5 }, () => begin('127.0.0.3', MIB)));
    for (const socket of waiting) socket.write(body);
    const { status, body: refusal, head } = await Promise.race(waiting.map(answerOf));
    expect([status, refusal]).toMatchObject([429, { retry_after: 1 }]);
    expect(refusal['message']).toContain('4 MiB');
    expect(refusal['error']).toBe(refusal['message']);
    expect(head).toMatch(/^retry-after: 1$/im);
    const neighbor = await begin('127.0.0.4', 100);
    neighbor.write(group('neighbor', 100));
    expect((await answerOf(neighbor)).status).toBe(201);
  });
});

describe('JSON that would be large', () => {
  test.each([
    ['nested 33 levels', `${'['.repeat(33)}${']'.repeat(33)}`, /nested deeper than 32 levels/],
    ['nested deeper than any stack', '['.repeat(500_000), /nested deeper than 32 levels/],
    ['of many values', `[${'1,'.repeat(100_001)}1]`, /more than 100,000 values and names/],
  ])('%s is 400 [2.24]', async (_name, body, message) => {
    const { status, body: answer } = await api.call(api.alice, 'POST', '/api/v1/groups', body);
    expect([status, answer]).toEqual([400, { message: expect.stringMatching(message) }]);
  });
});

import { afterEach, describe, expect, test } from 'vitest';
import {
  call,
  closeAll,
  dial,
  hears,
  openPings,
  PING,
  post,
  TOKEN,
  type PingEdge,
} from '../../test/support/ping-edge.ts';
import { hashToken } from '../identity/token.ts';

const KIB = 1024;
const MIB = KIB * KIB;

afterEach(closeAll);

describe('the body', () => {
  const cut = 10 * KIB;
  test.each<[name: string, sent: string | Buffer, kept: string | null, isCut: boolean]>([
    ['none', '', null, false],
    ['a line', 'line 1\nline 2', 'line 1\nline 2', false],
    ['letters', 'fünf 🔔', 'fünf 🔔', false],
    ['bytes that are no UTF-8', Buffer.from([0x61, 0xff, 0xc3, 0x62]), 'a\ufffd\ufffdb', false],
    ['half a letter at the end', Buffer.from([0x61, 0xc3]), 'a\ufffd', false],
    ['NUL', 'a\0b', 'a\ufffdb', false],
    ['just what is kept', 'x'.repeat(cut), 'x'.repeat(cut), false],
    ['one byte more', 'x'.repeat(cut + 1), 'x'.repeat(cut), true],
    ['a letter across the border', `${'x'.repeat(cut - 1)}ü`, 'x'.repeat(cut - 1), true],
    ['10 MiB', Buffer.alloc(10 * MIB, 'x'), 'x'.repeat(cut), true],
  ])('%s [12.23]', async (_, sent, kept, isCut) => {
    const edge = await openPings();
    for (const headers of [{ 'content-length': Buffer.byteLength(sent) }, {}])
      expect((await post(edge, sent, { headers })).status).toBe(200);
    const expected = { body: kept, isBodyCut: isCut };
    expect(edge.taken).toMatchObject([expected, expected]);
  });

  test.each([
    ['application/json', '{'],
    ['application/x-www-form-urlencoded', 'status=fail'],
    ['multipart/form-data', '--x'],
    ['nonsense', '\\'],
  ])('of type %s is text, and means nothing [12.23]', async (type, body) => {
    const edge = await openPings();
    const headers = { 'content-type': type, 'content-encoding': 'gzip' };
    expect((await post(edge, body, { headers })).status).toBe(200);
    expect(edge.taken).toMatchObject([{ kind: 'success', body }]);
  });

  test.each<[type: string | string[], sent: number[], kept: string]>([
    ['text/plain; charset=iso-8859-1', [0x66, 0xfc, 0x6e, 0x66], 'fünf'],
    ['text/plain; charset=EUC-KR', [0x94, 0xee], '뷁'],
    ['text/plain; charset="utf-16le"', [0x61, 0, 0xfc, 0], 'aü'],
    ['text/plain; charset=klingon', [0xc3, 0xbc], 'ü'],
    ['text/plain; charset=iso-8859-1', [0xef, 0xbb, 0xbf, 0xc3, 0xbc], 'ü'],
    ['text/plain; charset=iso-8859-1, nonsense', [0xfc], 'ü'],
    [['text/plain; charset=utf-8', 'text/plain; charset=iso-8859-1'], [0xfc], 'ü'],
    ['text/plain; charset=utf-16le', [0, 0, 0x61, 0], '\ufffda'],
  ])('of type %s is decoded by its charset [12.23]', async (type, sent, kept) => {
    const edge = await openPings();
    const headers = { 'content-type': type };
    expect((await post(edge, Buffer.from(sent), { headers })).status).toBe(200);
    expect(edge.taken).toMatchObject([{ body: kept }]);
  });

  test('that is cut has no half character at its end, in any charset [12.23]', async () => {
    const edge = await openPings();
    const sent = Buffer.concat([Buffer.alloc(10 * KIB - 1, 'x'), Buffer.from([0xb0, 0xa1])]);
    await post(edge, sent, { headers: { 'content-type': 'text/plain; charset=euc-kr' } });
    expect(edge.taken).toMatchObject([{ body: 'x'.repeat(10 * KIB - 1), isBodyCut: true }]);
  });

  test('may arrive in pieces, by GET too [12.23]', async () => {
    const edge = await openPings();
    const body = ['a', 'b', Buffer.from([0xc3]), Buffer.from([0xbc])];
    await call(edge, PING, { method: 'GET', body, headers: { 'transfer-encoding': 'chunked' } });
    expect(edge.taken).toMatchObject([{ body: 'abü', isBodyCut: false }]);
  });

  test.each([KIB, 11 * KIB])('byte by byte, %i of them', async (size) => {
    const edge = await openPings();
    const text = Array.from({ length: size }, (_, index) => 'abcdefg'[index % 7]).join('');
    const socket = await dial(edge);
    socket.write(`POST ${PING} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`);
    socket.write([...text, ''].map((byte) => `${byte.length}\r\n${byte}\r\n`).join(''));
    await hears(socket, /HTTP\/1\.1 200 OK/);
    expect(edge.taken).toMatchObject([{ body: text.slice(0, cut), isBodyCut: size > cut }]);
  });

  test('of a refused call is read completely, too', async () => {
    const edge = await openPings(() => ({ kind: 'unknown' }));
    const body = Buffer.alloc(4 * MIB);
    expect((await post(edge, body, { headers: { connection: 'close' } })).status).toBe(404);
    expect((await call(edge, PING, { method: 'PUT', body })).status).toBe(405);
  });

  test('is requested from a client that sends Expect, with any value', async () => {
    const edge = await openPings();
    const socket = await dial(edge);
    const head = `POST ${PING} HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n`;
    socket.write(`${head}Expect: 100-continue\r\n\r\n`);
    await hears(socket, /^HTTP\/1\.1 100 Continue\r\n\r\n$/);
    expect(edge.taken).toEqual([]);
    socket.write('log');
    await hears(socket, /HTTP\/1\.1 200 OK/);
    socket.write(`${head}Expect: miracles\r\n\r\nlog`);
    await hears(socket, /HTTP\/1\.1 200 OK[^]*HTTP\/1\.1 200 OK/);
    expect(edge.taken).toMatchObject([{ body: 'log' }, { body: 'log' }]);
  });

  test('beyond the kept size delays the answer, not the ping', async () => {
    const edge = await openPings();
    const socket = await dial(edge);
    socket.write(`POST ${PING} HTTP/1.1\r\nHost: x\r\nContent-Length: ${20 * KIB}\r\n\r\n`);
    socket.write('x'.repeat(11 * KIB));
    await edge.takes(1);
    await edge.clock.settle();
    expect(socket.heard()).toBe('');
    expect(edge.taken).toMatchObject([{ body: 'x'.repeat(cut), isBodyCut: true }]);
    socket.write('x'.repeat(9 * KIB));
    await hears(socket, /HTTP\/1\.1 200 OK/);
    expect(edge.clock.pending().timers).toBe(0);
  });

  test('that stalls: the ping is recorded and answered after 10 s', async () => {
    const edge = await openPings();
    const socket = await dial(edge);
    socket.write(`POST ${PING}/fail HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nfü`);
    await armed(edge);
    await edge.clock.advance(9_999);
    expect(edge.taken).toEqual([]);
    await edge.clock.advance(1);
    expect(edge.taken).toMatchObject([{ kind: 'failure', body: 'fü', isBodyCut: true }]);
    await hears(socket, /HTTP\/1\.1 200 OK/);
    expect(edge.clock.pending().timers).toBe(0);
    // The rest may still come, and then the next one.
    socket.write(`${'x'.repeat(97)}GET ${PING}/start HTTP/1.1\r\nHost: x\r\n\r\n`);
    await hears(socket, /a run has started/);
    expect(edge.taken).toMatchObject([{ kind: 'failure' }, { kind: 'start' }]);
  });

  test('that is slow: the ping counts from its head, and is announced meanwhile', async () => {
    const edge = await openPings();
    const receivedAt = edge.clock.now();
    const socket = await dial(edge);
    socket.write(`POST ${PING} HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf`);
    await armed(edge);
    expect([...edge.announced]).toEqual([{ tokenHash: hashToken(TOKEN), receivedAt }]);
    await edge.clock.advance(7_000);
    socket.write(' done');
    await hears(socket, /HTTP\/1\.1 200 OK/);
    expect(edge.taken).toMatchObject([{ receivedAt, body: 'half done' }]);
    expect(edge.announced.size).toBe(0);
    // The next one on the same connection counts from its own.
    socket.write(`GET ${PING}/start HTTP/1.1\r\nHost: x\r\n\r\n`);
    await hears(socket, /a run has started/);
    expect(edge.taken).toMatchObject([{}, { receivedAt: receivedAt + 7_000 }]);
  });

  test('that trickles: the ping is recorded after 10 s, and answered after 50 s at the latest [12.25]', async () => {
    const seen: number[] = [];
    const edge = await openPings();
    const socket = await dial(edge);
    socket.write(`POST ${PING} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`);
    await armed(edge);
    for (let second = 4; second < 54; second += 5) {
      await edge.clock.advance(4_000);
      socket.write('1\r\nx\r\n');
      await arrived(edge);
      await edge.clock.advance(1_000);
      if (socket.heard() !== '') seen.push(second + 1);
      expect(edge.taken).toHaveLength(second + 1 < 10 ? 0 : 1);
    }
    await hears(socket, /HTTP\/1\.1 200 OK/);
    expect(edge.taken).toMatchObject([{ body: 'xx', isBodyCut: true }]);
    expect(seen.every((second) => second === 50)).toBe(true);
    expect(edge.clock.pending().timers).toBe(0);
  });

  test('that breaks off: the ping counts with the received part', async () => {
    const edge = await openPings();
    const socket = await dial(edge);
    socket.write(`POST ${PING}/1 HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf`);
    await armed(edge);
    socket.resetAndDestroy();
    await edge.takes(1);
    expect(edge.taken).toMatchObject([{ exitCode: 1, body: 'half', isBodyCut: true }]);
    expect(edge.clock.pending().timers).toBe(0);
    expect((await call(edge, PING)).status).toBe(200);
    expect(edge.faults).toEqual([]);
  });
});

/** The server has begun to read a body. */
async function armed(edge: PingEdge): Promise<void> {
  while (edge.clock.pending().timers === 0) await edge.clock.settle();
  await arrived(edge);
}

/** Waits until the server has read everything written before, by a call on another connection. */
async function arrived(edge: PingEdge): Promise<void> {
  await call(edge, '/nothing');
  await edge.clock.settle();
}

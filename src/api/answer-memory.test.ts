import { EventEmitter, once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openApi, type TestApi } from '../../test/support/api.ts';
import { openInMemory } from '../../test/support/memory-database.ts';
import { createAnswerMemory } from './answer-memory.ts';

const MIB = 1024 * 1024;

/** A connection and the answer on it. */
function unread(address: string, bytes: number) {
  const socket = Object.assign(new EventEmitter(), {
    destroyed: false,
    destroy: () => void (socket.destroyed = true),
  });
  const response = new EventEmitter();
  return { address, bytes, socket: socket as unknown as Socket, response: response as never };
}

describe('what a client leaves unread', () => {
  test('is at most 8 MiB, and one answer of any size [2.25]', () => {
    const memory = createAnswerMemory();
    expect(memory.isFull('192.0.2.1', 20 * MIB)).toBe(false);
    memory.hold(unread('192.0.2.1', 6 * MIB));
    expect(memory.isFull('192.0.2.1', 2 * MIB)).toBe(false);
    expect(memory.isFull('192.0.2.1', 2 * MIB + 1)).toBe(true);
    expect(memory.isFull('192.0.2.2', 20 * MIB)).toBe(false);
  });

  test.each(['finish', 'close'])('is forgotten with the event %s of the answer, once', (event) => {
    const memory = createAnswerMemory();
    const answer = unread('192.0.2.1', 8 * MIB);
    memory.hold(answer);
    memory.hold(unread('192.0.2.1', 1));
    (answer.response as EventEmitter).emit(event);
    (answer.response as EventEmitter).emit('close');
    expect(memory.isFull('192.0.2.1', 8 * MIB - 1)).toBe(false);
    expect(memory.isFull('192.0.2.1', 8 * MIB)).toBe(true);
  });

  test('is forgotten with its connection', () => {
    const memory = createAnswerMemory();
    const answer = unread('192.0.2.1', 8 * MIB);
    memory.hold(answer);
    answer.socket.emit('close');
    expect(memory.isFull('192.0.2.1', 8 * MIB)).toBe(false);
    expect(answer.socket.listenerCount('close')).toBe(0);
  });

  test('of all is at most 48 MiB: the oldest connections are closed [2.25]', () => {
    const memory = createAnswerMemory();
    const answers = Array.from({ length: 6 }, (_, index) => unread(`192.0.2.${index}`, 8 * MIB));
    for (const answer of answers) memory.hold(answer);
    expect(answers.map(({ socket }) => socket.destroyed)).toEqual(Array(6).fill(false));
    memory.hold(unread('192.0.2.9', 9 * MIB));
    expect(answers.map(({ socket }) => socket.destroyed)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});

describe('the server', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await openApi(await openInMemory());
    await api.app.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(() => api.app.close());

  test('refuses a client that reads none of its answers, and no other one [2.25]', async () => {
    const { port } = api.app.server.address() as AddressInfo;
    const sockets: Socket[] = [];
    const stall = async (count: number) => {
      const connected = Array.from({ length: count }, async () => {
        const socket = connect({ host: '127.0.0.1', port, localAddress: '127.0.0.3' });
        sockets.push(socket);
        await once(socket, 'connect');
        socket.pause();
        socket.write('GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(20));
      });
      await Promise.all(connected);
    };
    await stall(40);
    const ask = async (localAddress: string): Promise<string> => {
      const socket = connect({ host: '127.0.0.1', port, localAddress });
      socket.write('GET /openapi.json HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
      let text = '';
      for await (const piece of socket) text += String(piece);
      return text;
    };
    let refusal = '';
    const refused = async () => {
      refusal = await ask('127.0.0.3');
      // On a slow machine the buffers of the system take the answers of those that were there before.
      if (!refusal.startsWith('HTTP/1.1 429')) await stall(5);
      return refusal;
    };
    await expect.poll(refused).toMatch(/^HTTP\/1.1 429/);
    expect(refusal).toMatch(/^retry-after: 1$/im);
    expect(refusal).toContain('more than 8 MiB of answers that it did not read');
    expect((await ask('127.0.0.4')).slice(0, 12)).toBe('HTTP/1.1 200');
    for (const socket of sockets) socket.destroy();
    await expect.poll(async () => (await ask('127.0.0.3')).slice(0, 12)).toBe('HTTP/1.1 200');
  });
});

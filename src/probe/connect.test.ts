import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { createIncoming } from './connect.ts';

const server = createServer();
afterEach(() => void server.close());

it('gives each connection its own bytes, although all are read into one buffer', async () => {
  // The client's first byte says what it gets, in two parts.
  server.on('connection', (socket) => {
    socket.on('data', async (text: Buffer) => {
      socket.write(text.toString().repeat(1_000));
      await new Promise((resolve) => setImmediate(resolve));
      socket.end(text.toString().repeat(500));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  const texts = await Promise.all(
    ['a', 'b', 'c'].map(async (letter) => {
      const incoming = createIncoming();
      let text = '';
      incoming.receive((chunk) => (text += chunk.toString()));
      const socket = connect({ host: '127.0.0.1', port, onread: incoming.onread });
      socket.write(letter);
      await once(socket, 'end');
      return text;
    }),
  );

  expect(texts).toEqual(['a', 'b', 'c'].map((letter) => letter.repeat(1_500)));
});

import { once } from 'node:events';
import { Agent, createServer, request, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createConnectionCloser } from './close-connections.ts';

/** Longer than a test may take. */
const LONG_MS = 600_000;

async function listening(graceMs = LONG_MS) {
  const server = createServer({ keepAliveTimeout: LONG_MS });
  const closeConnections = createConnectionCloser(server, graceMs);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  return {
    server,
    port,
    call: () => request({ host: '127.0.0.1', port, agent }).end(),
    close() {
      const closed = once(server, 'close');
      closeConnections();
      server.close();
      return closed;
    },
  };
}

test('a server closes with its last answer, whose connection would be kept alive', async () => {
  const { server, call, close } = await listening();
  const calling = call();
  const [, slow] = (await once(server, 'request')) as [unknown, ServerResponse];
  const closed = close();
  slow.end('done');
  const [answer] = (await once(calling, 'response')) as [AsyncIterable<Buffer>];
  let text = '';
  for await (const part of answer) text += String(part);
  expect(text).toBe('done');
  await closed;
});

test('a server does not wait for connections on which nothing is asked', async () => {
  const { server, port, close } = await listening();
  const silent = connect(port, '127.0.0.1').on('error', () => {});
  onTestFinished(() => void silent.destroy());
  await once(server, 'connection');
  await close();
});

test('a request that is not answered in time is cut off', async () => {
  const { server, call, close } = await listening(100);
  const failed = once(call(), 'error');
  await once(server, 'request');
  await close();
  expect(((await failed) as [Error])[0].message).toBe('socket hang up');
});

test('a server that does not listen is left alone', () => {
  const server = createServer();
  createConnectionCloser(server)();
  expect(server.listenerCount('close')).toBe(0);
});

import { once } from 'node:events';
import { Agent, createServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { closeIdleConnections } from './close-idle.ts';

/** Longer than a test may take. */
const KEEP_ALIVE_MS = 600_000;

test('a server closes with its last answer, whose connection would be kept alive', async () => {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const { port } = server.address() as AddressInfo;
  const call = request({ host: '127.0.0.1', port, agent }).end();
  const [, slow] = (await once(server, 'request')) as [unknown, ServerResponse];

  const closed = once(server, 'close');
  closeIdleConnections(server);
  server.close();
  slow.end('done');
  const [answer] = (await once(call, 'response')) as [AsyncIterable<Buffer>];
  let text = '';
  for await (const part of answer) text += String(part);
  expect(text).toBe('done');
  await closed;
});

test('a server that does not listen is left alone', () => {
  const server = createServer();
  closeIdleConnections(server);
  expect(server.listenerCount('close')).toBe(0);
});

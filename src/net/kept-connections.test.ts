import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { systemClock } from '../lib/clock.ts';
import { KeptConnections } from './kept-connections.ts';
import { createOutgoingHttp } from './outgoing.ts';

const RECHECK_MS = 30_000;
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function world(listener: RequestListener) {
  const state = { allowed: true, nowMs: 0, connections: 0, lookUps: 0 };
  const server = createServer(listener);
  server.on('connection', () => (state.connections += 1));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const connections = new KeptConnections();
  closing.push(() => (connections.close(), server.close(), server.closeAllConnections()));
  const http = createOutgoingHttp({
    resolver: {
      async resolve() {
        state.lookUps += 1;
        return { ok: true, addresses: [{ address: '127.0.0.1', family: 4 }], lookupMs: 0 };
      },
      hasNetwork: () => true,
    },
    guard: {
      judge: () => (state.allowed ? { allowed: true } : { allowed: false, reason: 'is private' }),
    },
    clock: { ...systemClock, monotonic: () => state.nowMs },
  });
  const { port } = server.address() as AddressInfo;
  const post = () =>
    http.request({
      url: `http://hook.example:${port}/`,
      method: 'POST',
      headers: {},
      body: 'event',
      timeoutMs: 5_000,
      maxBytes: 100,
      beginningIsEnough: true,
      connections,
    });
  return { state, post };
}

test('one connection serves one request after another, also after an answer that is longer than what is kept', async () => {
  const { state, post } = await world((request, response) => {
    request.resume().on('end', () => response.end('x'.repeat(5_000)));
  });
  for (let count = 0; count < 5; count += 1) {
    expect(await post()).toMatchObject({ ok: true, status: 200 });
    // The rest of the body is read meanwhile.
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect(state).toMatchObject({ connections: 1, lookUps: 1 });
});

test('a kept connection that the server closes under a request is replaced, and the request is answered', async () => {
  let count = 0;
  const { state, post } = await world((request, response) => {
    count += 1;
    if (count === 2) return void request.socket.destroy();
    request.resume().on('end', () => response.end());
  });
  expect(await post()).toMatchObject({ ok: true });
  expect(await post()).toMatchObject({ ok: true, status: 200 });
  expect(count).toBe(3);
  expect(state.connections).toBe(2);
});

test('a new connection that is closed under a request is a failure', async () => {
  const { post } = await world((request) => void request.socket.destroy());
  expect(await post()).toMatchObject({ ok: false, failure: { code: 'connection_reset' } });
});

test('after half a minute the guard decides again, and kept connections are not used once it refuses [29.35]', async () => {
  let count = 0;
  const { state, post } = await world((request, response) => {
    count += 1;
    request.resume().on('end', () => response.end());
  });
  await post();
  state.allowed = false;
  state.nowMs = RECHECK_MS;
  expect(await post()).toMatchObject({ ok: false, failure: { code: 'target_not_allowed' } });
  expect(count).toBe(1);
  expect(state.lookUps).toBe(2);
});

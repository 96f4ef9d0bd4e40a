import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { systemClock } from '../lib/clock.ts';
import { KeepAliveConnections } from './keep-alive.ts';
import { createHttpClient } from './http-client.ts';

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
  const connections = new KeepAliveConnections();
  closing.push(() => (connections.close(), server.close(), server.closeAllConnections()));
  const http = createHttpClient({
    resolver: {
      async resolve() {
        state.lookUps += 1;
        return { ok: true, addresses: [{ address: '127.0.0.1', family: 4 }], lookupMs: 0 };
      },
      hasNetwork: () => true,
    },
    guard: {
      evaluate: () =>
        state.allowed ? { allowed: true } : { allowed: false, reason: 'is private' },
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
      allowTruncated: true,
      connections,
    });
  return { state, post };
}

test('one connection serves consecutive requests, also after a truncated response', async () => {
  const { state, post } = await world((request, response) => {
    request.resume().on('end', () => response.end('x'.repeat(5_000)));
  });
  for (let count = 0; count < 5; count += 1) {
    expect(await post()).toMatchObject({ ok: true, status: 200 });
    // Meanwhile the rest of the body is read.
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect(state).toMatchObject({ connections: 1, lookUps: 1 });
});

test('a request on a connection that the server closes is sent again on a new one', async () => {
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

test('a request on a new connection that the server closes fails', async () => {
  const { post } = await world((request) => void request.socket.destroy());
  expect(await post()).toMatchObject({ ok: false, failure: { code: 'connection_reset' } });
});

test('the guard evaluates the addresses again after 30 s, and kept connections are closed if it refuses [29.35]', async () => {
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

import { Counter, Registry } from 'prom-client';
import { afterEach, expect, test } from 'vitest';
import { silentLog } from '../lib/log.ts';
import { createSystemServer, type SystemServer } from './system-server.ts';

const servers: SystemServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function serve(
  readiness: () => Promise<{ ready: boolean; body: object }>,
  metricsToken: string | null = null,
) {
  const metrics = new Registry();
  new Counter({ name: 'rounds_total', help: 'Rounds', registers: [metrics] }).inc(3);
  const server = createSystemServer({ readiness, metrics, metricsToken, log: silentLog });
  servers.push(server);
  await server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.server.address() as { port: number };
  return async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
    return { status: response.status, text: await response.text() };
  };
}

const ready = async () => ({ ready: true, body: { status: 'ready', roles: ['probe'] } });

test('a process without an API answers those who supervise it', async () => {
  const get = await serve(ready);
  expect(await get('/healthz')).toEqual({ status: 200, text: '{"status":"alive"}' });
  expect(await get('/readyz?verbose')).toEqual({
    status: 200,
    text: '{"status":"ready","roles":["probe"]}',
  });
  expect((await get('/metrics')).text).toContain('rounds_total 3');
  expect(await get('/healthz', { method: 'HEAD' })).toEqual({ status: 200, text: '' });
});

test('what can not do its work is 503', async () => {
  const get = await serve(async () => ({ ready: false, body: { status: 'not ready' } }));
  expect(await get('/readyz')).toEqual({ status: 503, text: '{"status":"not ready"}' });
});

test('everything else is 404 with the reason', async () => {
  const get = await serve(ready);
  for (const path of ['/', '/api/v1/monitors', '/constructor', '/healthz/'])
    expect((await get(path)).status).toBe(404);
  const { status, text } = await get('/healthz', { method: 'POST', body: 'x' });
  expect([status, text]).toEqual([404, expect.stringContaining('This process has no API')]);
});

test('with METRICS_TOKEN metrics need it, and nothing else does', async () => {
  const get = await serve(ready, 'a token of the operator');
  expect((await get('/metrics')).status).toBe(401);
  const wrong = { headers: { authorization: 'Bearer another' } };
  expect((await get('/metrics', wrong)).status).toBe(401);
  const right = { headers: { authorization: 'Bearer a' } };
  expect((await get('/metrics', right)).status).toBe(401);
  expect((await get('/readyz')).status).toBe(200);
});

test('a failure is 500 without its details', async () => {
  const get = await serve(async () => Promise.reject(new Error('postgres://user:secret@db')));
  const { status, text } = await get('/readyz');
  expect(status).toBe(500);
  expect(text).not.toContain('secret');
});

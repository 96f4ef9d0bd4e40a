import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { afterEach, expect, test } from 'vitest';
import { startServer, type FaultServer } from '../../test/support/fault-servers.ts';
import { runProbe } from '../../test/support/probing.ts';
import type { CheckResult } from '../model/check.ts';
import { createAddressGuard } from '../net/address-guard.ts';
import type { ProbeContext } from './contract.ts';
import { connectFailure } from './failures.ts';
import { probePort } from './port.ts';

let server: FaultServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

const check = (
  host: string,
  port: number,
  context: Partial<ProbeContext> = {},
): Promise<CheckResult> =>
  runProbe(probePort, { type: 'port', monitorId: 1, timeoutMs: 10_000, host, port }, context);

test.each(['127.0.0.1', 'localhost', '127.1'])('an open port of %s [15.16]', async (host) => {
  let endings = 0;
  server = await startServer((socket) => {
    socket.write('220 welcome\r\n');
    socket.on('end', () => endings++);
  });
  const result = await check(host, server.port);
  expect(result).toMatchObject({
    vote: 'up',
    failure: null,
    statusCode: null,
    remoteAddress: '127.0.0.1',
    evidence: null,
  });
  expect(result.timings).toEqual({
    dnsMs: expect.any(Number),
    tcpMs: expect.any(Number),
    tlsMs: null,
    ttfbMs: null,
    totalMs: result.responseTimeMs,
  });
  await server.allClosed();
  expect([endings, server.received.join('')]).toEqual([1, '']);
});

test('an open port over IPv6, bare and in brackets', async () => {
  server = await startServer(() => undefined, '::1');
  for (const host of ['::1', '[::1]']) {
    expect(await check(host, server.port)).toMatchObject({ vote: 'up', remoteAddress: '::1' });
  }
});

test('a port that resets the connection right after accepting it [15.17]', async () => {
  const resetting = new Worker(
    `const { createServer } = require('node:net');
     const { parentPort } = require('node:worker_threads');
     const server = createServer((socket) => socket.resetAndDestroy());
     server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`,
    { eval: true },
  );
  const [port] = (await once(resetting, 'message')) as [number];
  const wait = new Int32Array(new SharedArrayBuffer(4));
  // Block this thread from sending the SYN until the reset has arrived.
  const onSend = () => process.nextTick(() => Atomics.wait(wait, 0, 0, 300));
  const result = await check('127.0.0.1', port, { onSend });
  await resetting.terminate();
  expect(result).toMatchObject({ vote: 'up', failure: null, remoteAddress: '127.0.0.1' });
  expect(result.timings.tcpMs).toBeGreaterThan(0);
});

test('a closed port', async () => {
  server = await startServer(() => undefined);
  const { port } = server;
  await server.close();
  expect(await check('127.0.0.1', port)).toMatchObject({
    vote: 'down',
    failure: { code: 'connection_refused', text: `Connection refused by 127.0.0.1 port ${port}` },
    responseTimeMs: null,
    timings: { tcpMs: null, totalMs: null },
  });
});

test('a refused address, an invalid name, a shutdown', async () => {
  const refused = await check('127.0.0.1', 1, { guard: createAddressGuard(false) });
  expect(refused).toMatchObject({ vote: 'down', failure: { code: 'target_not_allowed' } });
  expect(await check('a b', 1)).toMatchObject({ vote: 'down', failure: { code: 'dns_not_found' } });
  const stopped = AbortSignal.abort('shutdown');
  expect(await check('127.0.0.1', 1, { signal: stopped })).toMatchObject({
    vote: 'unknown',
    failure: { code: 'aborted' },
  });
});

test('no reply within the deadline', async () => {
  const late = AbortSignal.abort('deadline');
  expect(await check('127.0.0.1', 9, { signal: late })).toMatchObject({
    vote: 'down',
    failure: {
      code: 'connection_timeout',
      text: 'Connection to 127.0.0.1 port 9 timed out after 10 s',
    },
  });
});

test.each([
  ['ECONNREFUSED', true, 'connection_refused', 'Connection refused by [2001:db8::1] port 80'],
  ['ECONNRESET', true, 'connection_reset', 'Connection reset by [2001:db8::1] port 80'],
  ['ETIMEDOUT', true, 'connection_timeout', 'Connection to [2001:db8::1] port 80 timed out'],
  ['EHOSTUNREACH', true, 'host_unreachable', 'Host 2001:db8::1 is unreachable'],
  ['ENETUNREACH', true, 'host_unreachable', 'Host 2001:db8::1 is unreachable'],
  ['ENETUNREACH', false, 'probe_no_network', 'The probe has no IPv6 network'],
  ['EMFILE', true, 'probe_unable', 'The probe has run out of open files (EMFILE)'],
  [
    'EADDRNOTAVAIL',
    true,
    'probe_unable',
    'The probe has no local address or port left to connect from (EADDRNOTAVAIL)',
  ],
  [
    'ESOMETHING',
    true,
    'connection_failed',
    'Connection to [2001:db8::1] port 80 failed (ESOMETHING)',
  ],
])('%s with a network: %s', (code, hasNetwork, expected, text) => {
  const error = Object.assign(new Error(code), { code });
  const target = { address: '2001:db8::1', family: 6 as const };
  expect(connectFailure(error, target, 80, () => hasNetwork)).toEqual({ code: expected, text });
});

import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { page } from '../support/fault-servers.ts';

/**
 * A listener whose thread is blocked: the system accepts connections until the backlog (1, plus one on Linux) is full.
 * `slow` wakes up between two sleeps and responds then.
 */
const { kind, sleepMs } = workerData as { kind: 'deaf' | 'slow'; sleepMs: number };
const cell = new Int32Array(new SharedArrayBuffer(4));
const sleep = (milliseconds?: number) => Atomics.wait(cell, 0, 0, milliseconds);

const server = createServer((socket) => {
  socket.on('error', () => undefined);
  socket.once('data', () => socket.end(page('late')));
});
server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
  parentPort?.postMessage((server.address() as AddressInfo).port);
  if (kind === 'deaf') setImmediate(() => sleep());
  else setInterval(() => sleep(sleepMs), 1);
});

import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { page, startServer } from '../support/fault-servers.ts';
import type { Answers } from './name-server.ts';
import { startNameServer } from './name-server.ts';
import type { Start } from './row.ts';
import { ROWS } from './rows.ts';
import { countStalls } from './stalls.ts';

/** Message of the thread when all targets listen. */
export interface Listening {
  /** By row name. */
  ports: Map<string, number>;
  nameServer: string;
  /** A target that responds 10 ms after the request. */
  steadyPort: number;
}

/** A port that was free a moment ago, below the ephemeral ones, so that no connection meets itself. */
const nobody: Start = async () => {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    const server = createServer();
    const free = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, () => resolve(true));
    });
    if (!free) continue;
    const found = (server.address() as AddressInfo).port;
    await new Promise<void>((resolve) => void server.close(() => resolve()));
    return { port: found, allClosed: () => Promise.resolve(), close: () => Promise.resolve() };
  }
};

const names = new Map<string, Answers>(ROWS.flatMap((row) => Object.entries(row.names ?? {})));
const nameServer = await startNameServer(names);
const targets = await Promise.all(
  ROWS.map(async (row) => [row.name, await (row.start ?? nobody)()] as const),
);
const steady = await startServer((socket) => {
  socket.once('data', () => setTimeout(() => socket.write(page('steady')), 10));
});

countStalls(workerData as Int32Array);

/** Asks the targets whether all clients have disconnected, and to end. */
parentPort?.on('message', async (word: 'all closed?' | 'end') => {
  if (word === 'all closed?') {
    await Promise.all([...targets.map(([, target]) => target.allClosed()), steady.allClosed()]);
    parentPort?.postMessage('all closed');
    return;
  }
  await Promise.all([
    ...targets.map(([, target]) => target.close()),
    steady.close(),
    nameServer.close(),
  ]);
  parentPort?.postMessage('ended');
  parentPort?.close();
});

const listening: Listening = {
  ports: new Map(targets.map(([name, { port }]) => [name, port])),
  nameServer: nameServer.address,
  steadyPort: steady.port,
};
parentPort?.postMessage(listening);

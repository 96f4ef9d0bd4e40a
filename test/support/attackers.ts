import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import type { Service } from './service.ts';

const MIB = 1024 * 1024;
const SAMPLE_MS = 50;

/** Connections of attackers to a service, closed together. */
export interface Attackers {
  /** Opens a connection from a loopback address, writes these bytes and reads nothing. */
  send(from: string, ...pieces: (string | Buffer)[]): Promise<Socket>;
  /** Number of connections that are still open. */
  open(): number;
  close(): Promise<void>;
}

export function attackersOf({ port }: Service): Attackers {
  const sockets: Socket[] = [];
  return {
    async send(from, ...pieces) {
      const socket = connect({ host: '127.0.0.1', port, localAddress: from });
      sockets.push(socket);
      // Being disconnected is what an attacker expects.
      socket.on('error', () => socket.destroy());
      await once(socket, 'connect');
      socket.pause();
      for (const piece of pieces) socket.write(piece);
      return socket;
    },
    open: () => sockets.filter(({ destroyed }) => !destroyed).length,
    async close() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/**
 * Memory that the service and its probe processes take of the machine together, in MiB: pages that they share, such as
 * Node itself, count once.
 */
export async function memoryOf(service: Service): Promise<number> {
  const pages = await Promise.all(
    [service.pid, ...(await service.probes())].map(async (pid) => {
      const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
      return Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0) / 1024;
    }),
  );
  return pages.reduce((sum, mib) => sum + mib, 0);
}

/** The largest memory of all processes during the work, in MiB. */
export async function peakDuring(service: Service, work: () => Promise<void>): Promise<number> {
  let peak = await memoryOf(service);
  const over = new AbortController();
  const sampling = (async () => {
    while (!over.signal.aborted) {
      peak = Math.max(peak, await memoryOf(service));
      await new Promise((resolve) => void setTimeout(resolve, SAMPLE_MS));
    }
  })();
  await work().finally(() => over.abort());
  await sampling;
  return Math.round(Math.max(peak, await memoryOf(service)));
}

/** The longest of ten requests of another client, in milliseconds; throws if one is not answered with 200. */
export async function neighborWait({ url }: Service, token: string): Promise<number> {
  const waits: number[] = [];
  for (let turn = 0; turn < 10; turn += 1) {
    const from = performance.now();
    const response = await fetch(`${url}/api/v1/test`, {
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(20_000),
    });
    await response.text();
    if (response.status !== 200) throw new Error(`The neighbor got ${response.status}.`);
    waits.push(performance.now() - from);
  }
  return Math.max(...waits);
}

/** An address of an attacker: each has 50 connections. */
export const addressOf = (index: number): string => `127.0.2.${1 + Math.floor(index / 50)}`;

export { MIB };

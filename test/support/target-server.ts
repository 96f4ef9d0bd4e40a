import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { freePorts } from './free-ports.ts';

/** A local target that a test breaks and repairs. Its port is also a target of port monitors. */
export interface TargetServer {
  readonly port: number;
  url(path?: string): string;
  /** Arrival times of requests for that path, or for any (epoch ms). */
  requests(path?: string): number[];
  /** Answers 200 that many milliseconds after the request; initially at once. */
  heal(afterMs?: number): Promise<void>;
  /** Answers 503 that many milliseconds after the request. */
  fail(afterMs?: number): Promise<void>;
  /** Accepts requests and answers none of them until it heals. */
  hang(): Promise<void>;
  /** Refuses connections and closes open ones. */
  refuse(): Promise<void>;
  close(): Promise<void>;
}

type Answer = (response: ServerResponse) => unknown;

const HOST = '127.0.0.1';
const works: Answer = (response) => response.end('It works.\n');
const isBroken: Answer = (response) => response.writeHead(503).end('It is broken.\n');

export async function startTarget(): Promise<TargetServer> {
  const arrivals: { path: string; at: number }[] = [];
  const sockets = new Set<Socket>();
  let answer: Answer = works;
  // Not among the ports of clients, one of which could be using it when the target opens again.
  const [port] = (await freePorts(1)) as [number];

  const server = createServer((request, response) => {
    arrivals.push({ path: request.url ?? '', at: Date.now() });
    answer(response);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  });

  async function open(): Promise<void> {
    if (server.listening) return;
    server.listen({ port, host: HOST, backlog: 1024 });
    await once(server, 'listening');
  }

  async function close(): Promise<void> {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  }

  const become = async (next: Answer, afterMs = 0) => {
    const later: Answer = (response) => setTimeout(() => next(response), afterMs).unref();
    answer = afterMs === 0 ? next : later;
    await open();
  };

  await open();
  return {
    port,
    url: (path = '/') => `http://${HOST}:${port}${path}`,
    requests: (path) =>
      arrivals.filter((one) => path === undefined || one.path === path).map(({ at }) => at),
    heal: (afterMs) => become(works, afterMs),
    fail: (afterMs) => become(isBroken, afterMs),
    hang: () => become(() => {}),
    refuse: close,
    close,
  };
}

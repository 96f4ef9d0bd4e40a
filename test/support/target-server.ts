import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** A target on this machine that a test breaks and heals. Its port is a target of port monitors too. */
export interface TargetServer {
  readonly port: number;
  url(path?: string): string;
  /** Epoch milliseconds at which requests for that path arrived, or for any. */
  requests(path?: string): number[];
  /** From now on answers 200 so many milliseconds after the request; at once at first. */
  heal(afterMs?: number): Promise<void>;
  /** Answers 503. */
  fail(): Promise<void>;
  /** Takes requests and never answers; those that are out too when it heals. */
  hang(): Promise<void>;
  /** Takes no connections, and cuts those that are open. */
  refuse(): Promise<void>;
  close(): Promise<void>;
}

type Answer = (response: ServerResponse) => unknown;

const HOST = '127.0.0.1';
const works: Answer = (response) => response.end('It works.\n');

export async function startTarget(): Promise<TargetServer> {
  const arrivals: { path: string; at: number }[] = [];
  const sockets = new Set<Socket>();
  let answer: Answer = works;
  let port = 0;

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
    port = (server.address() as AddressInfo).port;
  }

  async function close(): Promise<void> {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  }

  const become = async (next: Answer) => {
    answer = next;
    await open();
  };

  await open();
  return {
    get port() {
      return port;
    },
    url: (path = '/') => `http://${HOST}:${port}${path}`,
    requests: (path) =>
      arrivals.filter((one) => path === undefined || one.path === path).map(({ at }) => at),
    heal: (afterMs = 0) =>
      become((response) => {
        if (afterMs === 0) works(response);
        else setTimeout(() => works(response), afterMs).unref();
      }),
    fail: () => become((response) => response.writeHead(503).end('It is broken.\n')),
    hang: () => become(() => {}),
    refuse: close,
    close,
  };
}

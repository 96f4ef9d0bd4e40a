import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';

/** A scripted local server that knows whether its clients have disconnected. */
export interface FaultServer {
  port: number;
  /** Data that each connection has sent so far, in the order of connecting. */
  received: string[];
  /** Resolves when every connection so far is closed on both sides. */
  allClosed(): Promise<void>;
  close(): Promise<void>;
}

/** Called with each connection; its errors are ignored, since clients may disconnect at any time. */
export type OnConnection = (socket: Socket, received: () => string) => void;

export function startServer(
  onConnection: OnConnection,
  host = '127.0.0.1',
  port = 0,
): Promise<FaultServer> {
  return listen(createServer(), 'connection', onConnection, host, port);
}

/** `certificate` is the name of a file in `certificates`, without `.pem`, or what a server needs, PEM. */
export function startTlsServer(
  certificate: string | { key: string; cert: string },
  onConnection: OnConnection,
  host = '127.0.0.1',
): Promise<FaultServer> {
  const server = createTlsServer(
    typeof certificate === 'string'
      ? { key: pem('server-key'), cert: pem(certificate) }
      : certificate,
  );
  server.on('tlsClientError', () => undefined);
  return listen(server, 'secureConnection', onConnection, host);
}

export function pem(name: string): string {
  return readFileSync(new URL(`certificates/${name}.pem`, import.meta.url), 'utf8');
}

/** As above for any server; `event` is the event of its connections. */
export async function listen(
  server: Server,
  event: string,
  onConnection: OnConnection,
  host: string,
  port = 0,
): Promise<FaultServer> {
  const received: string[] = [];
  const open = new Set<Socket>();
  const closings: Promise<void>[] = [];
  // Plain connections are counted, below TLS too: a handshake that never ends must not stay open either.
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.on('error', () => undefined);
    closings.push(
      new Promise((resolve) => {
        socket.on('close', () => {
          open.delete(socket);
          resolve();
        });
      }),
    );
  });
  server.on(event, (socket: Socket) => {
    const index = received.push('') - 1;
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => (received[index] += chunk.toString('latin1')));
    onConnection(socket, () => received[index] ?? '');
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    received,
    allClosed: async () => void (await Promise.all(closings)),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}

/** A complete response with status 200. */
export function page(body: string | Buffer, ...headers: string[]): Buffer {
  const head = ['HTTP/1.1 200 OK', `Content-Length: ${body.length}`, ...headers, '', ''];
  return Buffer.concat([Buffer.from(head.join('\r\n')), Buffer.from(body)]);
}

/** Answers each request after its headers with these bytes, and keeps the connection open. */
export function answering(...pieces: (string | Buffer)[]): OnConnection {
  return (socket) => {
    socket.once('data', () => {
      for (const piece of pieces) socket.write(piece);
    });
  };
}

/** As `answering`, then closes the connection properly. */
export function answeringAndClosing(...pieces: (string | Buffer)[]): OnConnection {
  return (socket) => {
    socket.once('data', () => {
      for (const piece of pieces) socket.write(piece);
      socket.end();
    });
  };
}

/** Answers and then repeats the chunk until the client disconnects. */
export function answeringForEver(first: string, piece: string | Buffer): OnConnection {
  return (socket) => {
    const more = (): void => {
      while (!socket.destroyed && socket.write(piece));
    };
    socket.on('drain', more);
    socket.once('data', () => {
      socket.write(first);
      more();
    });
  };
}

/** As above with one chunk every few milliseconds: never idle, never done. */
export function dripping(first: string, piece: string): OnConnection {
  return (socket) => {
    socket.once('data', () => {
      socket.write(first);
      const timer = setInterval(() => socket.write(piece), 5);
      socket.on('close', () => clearInterval(timer));
    });
  };
}

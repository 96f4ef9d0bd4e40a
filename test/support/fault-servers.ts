import { createSocket } from 'node:dgram';
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

/** A DNS server's reply to one query. `silent` sends none. */
export type DnsAnswer =
  | { addresses: string[] }
  | 'empty'
  | 'not-found'
  | 'server-failure'
  | 'refused'
  | 'garbage'
  | 'silent';

export interface DnsServer {
  /** `address:port`, as the resolver expects it. */
  address: string;
  questions: string[];
  close(): Promise<void>;
}

const RESPONSE_CODES: Record<string, number> = { 'server-failure': 2, 'not-found': 3, refused: 5 };

/** A DNS server over UDP (RFC 1035) that answers A and AAAA queries. */
export async function startDnsServer(
  answer: (name: string, type: 'A' | 'AAAA') => DnsAnswer,
): Promise<DnsServer> {
  const socket = createSocket('udp4');
  const questions: string[] = [];
  socket.on('message', (query, client) => {
    const { name, type, end } = readQuestion(query);
    questions.push(`${name} ${type}`);
    const said = answer(name, type);
    if (said === 'silent') return;
    const reply =
      said === 'garbage'
        ? Buffer.from('no DNS at all')
        : writeReply(query.subarray(0, end), type, said);
    socket.send(reply, client.port, client.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    questions,
    close: () => new Promise((resolve) => void socket.close(() => resolve())),
  };
}

function readQuestion(query: Buffer): { name: string; type: 'A' | 'AAAA'; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const type = query.readUInt16BE(at + 1) === 28 ? 'AAAA' : 'A';
  return { name: labels.join('.').toLowerCase(), type, end: at + 5 };
}

function writeReply(
  question: Buffer,
  type: 'A' | 'AAAA',
  said: Exclude<DnsAnswer, 'silent' | 'garbage'>,
): Buffer {
  const addresses = typeof said === 'object' ? said.addresses : [];
  const reply = Buffer.from(question);
  reply.writeUInt16BE(0x8180 | (typeof said === 'string' ? (RESPONSE_CODES[said] ?? 0) : 0), 2);
  reply.writeUInt16BE(addresses.length, 6);
  reply.writeUInt32BE(0, 8);
  const records = addresses.map((address) => {
    const data = addressBytes(address);
    const head = Buffer.from([
      0xc0,
      0x0c,
      0,
      type === 'A' ? 1 : 28,
      0,
      1,
      0,
      0,
      0,
      60,
      0,
      data.length,
    ]);
    return Buffer.concat([head, data]);
  });
  return Buffer.concat([reply, ...records]);
}

/** IPv4, or IPv6 written in full or with one `::`. */
function addressBytes(address: string): Buffer {
  if (!address.includes(':')) return Buffer.from(address.split('.').map(Number));
  const [before = '', after = ''] = address.split('::');
  const head = groups(before);
  const tail = groups(after);
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0');
  return Buffer.from(
    [...head, ...zeros, ...tail].map((group) => group.padStart(4, '0')).join(''),
    'hex',
  );
}

function groups(text: string): string[] {
  return text.split(':').filter((group) => group !== '');
}

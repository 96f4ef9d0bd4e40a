import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import tls from 'node:tls';
import { inChild } from './child.ts';

/**
 * Targets, in a separate process so that their CPU is not counted: a bare HTTP/1.1 response on a socket. The path
 * `/after/100` responds after 100 ms, `/status/503` with that status, `/large/1000` with so many bytes, `/alternate/60` with
 * 503 in every other minute; everything else at once with 200.
 */
const BODY = 'It works.\n';

function answer(socket: net.Socket): void {
  let received = '';
  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString('latin1');
    if (!received.includes('\r\n\r\n')) return;
    const [, kind = '', digits = ''] = /^\w+ \/(\w+)\/(\d+)/.exec(received) ?? [];
    const number = Number(digits);
    const status = broken ? 503 : statusOf(kind, number);
    const body = kind === 'large' ? 'x'.repeat(number) : BODY;
    const head = `HTTP/1.1 ${status} ${status === 200 ? 'OK' : 'Broken'}\r\n`;
    const headers = `content-type: text/plain\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n`;
    const send = () => socket.end(head + headers + body);
    const after = kind === 'after' ? number : 0;
    if (after > 0) setTimeout(send, after);
    else send();
  });
}

function statusOf(kind: string, number: number): number {
  if (kind === 'status') return number;
  const isBad = kind === 'alternate' && Math.floor(Date.now() / 1000 / number) % 2 === 1;
  return isBad ? 503 : 200;
}

let broken = false;

if (process.argv[2] === 'serve') {
  try {
    // Responses with a known delay must be on time, whatever else the machine does.
    os.setPriority(os.constants.priority.PRIORITY_HIGH);
  } catch {
    console.warn('The targets run at ordinary priority: their own delays count as ours.');
  }
  const { certificate, ports, host } = JSON.parse(process.argv[3]!) as Required<TargetOptions>;
  const servers = await Promise.all(
    Array.from({ length: ports }, async () => {
      const server = certificate
        ? tls.createServer(
            {
              key: readFileSync(certificate.key),
              cert: readFileSync(certificate.cert),
              minVersion: 'TLSv1.3',
            },
            answer,
          )
        : net.createServer(answer);
      server.listen({ port: 0, host, backlog: 4096 });
      await once(server, 'listening');
      return server;
    }),
  );
  process.send!(servers.map((server) => (server.address() as net.AddressInfo).port));
  process.on('message', (message: { broken: boolean }) => {
    broken = message.broken;
    process.send!({ done: true });
  });
  process.on('disconnect', () => process.exit());
}

export interface TargetServer {
  /** First of `ports`. */
  port: number;
  ports: number[];
  pid: number;
  /** Makes every request from now on get a 503, or the usual response again. */
  setBroken(broken: boolean): Promise<void>;
  stop(): void;
}

export interface TargetOptions {
  /** PEM files; plain HTTP without them. */
  certificate?: { key: string; cert: string } | null;
  /** Number of ports to listen on. */
  ports?: number;
  /** Where it listens, by default at 127.0.0.1 alone. */
  host?: string;
}

export async function startTarget(options: TargetOptions = {}): Promise<TargetServer> {
  const settings = JSON.stringify({
    certificate: null,
    ports: 1,
    host: '127.0.0.1',
    ...options,
  });
  const { child, first } = inChild<number[]>(import.meta.url, ['serve', settings]);
  const ports = await first;
  return {
    port: ports[0]!,
    ports,
    pid: child.pid!,
    async setBroken(value) {
      child.send({ broken: value });
      await once(child, 'message');
    },
    stop: () => void child.kill(),
  };
}

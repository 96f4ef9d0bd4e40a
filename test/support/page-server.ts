import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

/** A target in a child process whose pages are as large as their path says, or endless. */
export interface PageServer {
  /** `bytes` is the size of the page; null for an endless one. */
  url(bytes: number | null): string;
  /** Ends the process and resolves when it has exited. */
  close(): Promise<void>;
}

export async function startPageServer(): Promise<PageServer> {
  const child = fork(new URL(import.meta.url), ['serve']);
  const [port] = (await once(child, 'message')) as [number];
  return {
    url: (bytes) => `http://127.0.0.1:${port}/${bytes ?? 'endless'}`,
    async close() {
      const gone = once(child, 'exit');
      child.kill();
      await gone;
    },
  };
}

const PIECE = Buffer.from('A page without an end. '.repeat(3_000)).subarray(0, 65_536);

function serve(): void {
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.once('data', (request) => {
      const bytes = /^GET \/(\d+)/.exec(request.toString('latin1'))?.[1];
      let remaining = bytes === undefined ? Infinity : Number(bytes);
      const length = bytes === undefined ? '' : `Content-Length: ${bytes}\r\n`;
      const more = (): void => {
        let isTaking = true;
        while (remaining > 0 && isTaking && !socket.destroyed) {
          const piece = PIECE.subarray(0, remaining);
          remaining -= piece.length;
          isTaking = socket.write(piece);
        }
      };
      socket.on('drain', more);
      socket.write(`HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n${length}\r\n`);
      more();
    });
  });
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1_024 }, () =>
    process.send!((server.address() as AddressInfo).port),
  );
  process.on('disconnect', () => process.exit());
}

if (process.argv[2] === 'serve') serve();

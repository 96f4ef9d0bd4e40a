import { fork } from 'node:child_process';
import net from 'node:net';
import { percentile } from './report.ts';

/** What to ask for, in a process of its own, over so many connections that are kept open. */
export interface LoadOptions {
  port: number;
  /** Asked for in turn. */
  paths: string[];
  token: string;
  connections: number;
  seconds: number;
}

export interface LoadFigures {
  requests: number;
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Answers other than 200. */
  failures: number;
}

/** One connection that asks again as soon as it is answered, until the end. */
function askRepeatedly(
  options: LoadOptions,
  nextPath: () => string,
  endsAt: number,
  note: (milliseconds: number, isOk: boolean) => void,
): Promise<void> {
  const { port, token } = options;
  return new Promise((resolve, reject) => {
    const socket = net.connect({ port, host: '127.0.0.1', noDelay: true });
    let askedAt = 0;
    let missing = 0;
    let isOk = false;
    const ask = () => {
      askedAt = performance.now();
      if (askedAt >= endsAt) return socket.end();
      socket.write(
        `GET ${nextPath()} HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${token}\r\n\r\n`,
      );
      return undefined;
    };
    socket.on('connect', ask);
    socket.on('error', reject);
    socket.on('close', () => resolve());
    socket.on('data', (chunk: Buffer) => {
      if (missing === 0) {
        // The head of an answer comes in one piece here: it is written at once, and small.
        const headEnd = chunk.indexOf('\r\n\r\n') + 4;
        const head = chunk.toString('latin1', 0, headEnd);
        isOk = head.startsWith('HTTP/1.1 200');
        missing = headEnd + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      }
      missing -= chunk.length;
      if (missing > 0) return;
      note(performance.now() - askedAt, isOk);
      ask();
    });
  });
}

async function run(options: LoadOptions): Promise<LoadFigures> {
  const latencies: number[] = [];
  let failures = 0;
  let turn = 0;
  const startedAt = performance.now();
  const endsAt = startedAt + options.seconds * 1000;
  const nextPath = () => options.paths[turn++ % options.paths.length]!;
  const note = (milliseconds: number, isOk: boolean) => {
    latencies.push(milliseconds);
    if (!isOk) failures += 1;
  };
  await Promise.all(
    Array.from({ length: options.connections }, () =>
      askRepeatedly(options, nextPath, endsAt, note),
    ),
  );
  return {
    requests: latencies.length,
    requestsPerSecond: latencies.length / ((performance.now() - startedAt) / 1000),
    p50Ms: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99),
    failures,
  };
}

if (process.argv[2] === 'load') {
  process.send!(await run(JSON.parse(process.argv[3]!) as LoadOptions));
  process.disconnect();
}

/** @throws when the load could not be put on, or an answer was not 200. */
export function load(options: LoadOptions): Promise<LoadFigures> {
  return new Promise((resolve, reject) => {
    const child = fork(new URL(import.meta.url), ['load', JSON.stringify(options)]);
    child.once('message', (figures: LoadFigures) => {
      if (figures.failures === 0) resolve(figures);
      else reject(new Error(`${figures.failures} of ${figures.requests} answers were not 200.`));
    });
    child.once('exit', (code) => reject(new Error(`The load generator ended with ${code}.`)));
  });
}

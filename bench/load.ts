import net from 'node:net';
import { inChild } from './child.ts';
import { percentile } from './report.ts';

/** Requests to send from a separate process, over a number of kept connections. */
export interface LoadOptions {
  port: number;
  /** Requested in turn. `{n}` stands for a number that is another one in each request. */
  paths: string[];
  token: string;
  /** Further headers, each with its line end. */
  headers?: string;
  connections: number;
  seconds: number;
}

export interface LoadFigures {
  requests: number;
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Responses other than 200. */
  failures: number;
}

/** Requests of one connection, and the handler of their responses. */
export interface Conversation<Request extends { text: string }> {
  /** Next request, sent as soon as the previous one is answered; null to end. */
  next(): Request | null;
  answered(request: Request, answer: { milliseconds: number; isOk: boolean }): void;
}

/** One connection that sends the next request as soon as the last is answered. Rejects if it is refused or closed. */
export function converse<Request extends { text: string }>(
  port: number,
  conversation: Conversation<Request>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ port, host: '127.0.0.1', noDelay: true });
    let asked: Request | null = null;
    let askedAt = 0;
    let missing = 0;
    let isOk = false;
    const ask = () => {
      askedAt = performance.now();
      asked = conversation.next();
      if (asked === null) socket.end();
      else socket.write(asked.text);
    };
    socket.on('connect', ask);
    socket.on('error', reject);
    socket.on('close', () => {
      if (asked === null) resolve();
      else reject(new Error('The server closed a connection without an answer.'));
    });
    socket.on('data', (chunk: Buffer) => {
      if (missing === 0) {
        // The head arrives in one chunk here: it is written at once, and small.
        const headEnd = chunk.indexOf('\r\n\r\n') + 4;
        const head = chunk.toString('latin1', 0, headEnd);
        isOk = head.startsWith('HTTP/1.1 200');
        missing = headEnd + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      }
      missing -= chunk.length;
      if (missing > 0) return;
      conversation.answered(asked!, { milliseconds: performance.now() - askedAt, isOk });
      ask();
    });
  });
}

/** Of four digits, so that a search for it finds few monitors. */
const FIRST_NUMBER = 1_000;

/** Runs that many connections, each with requests from `next`, until the time is over. */
export async function measureConversations(
  options: { port: number; connections: number; seconds: number },
  next: () => { text: string },
): Promise<LoadFigures> {
  const latencies: number[] = [];
  let failures = 0;
  const startedAt = performance.now();
  const endsAt = startedAt + options.seconds * 1000;
  const conversation: Conversation<{ text: string }> = {
    next: () => (performance.now() < endsAt ? next() : null),
    answered(_, { milliseconds, isOk }) {
      latencies.push(milliseconds);
      if (!isOk) failures += 1;
    },
  };
  await Promise.all(
    Array.from({ length: options.connections }, () => converse(options.port, conversation)),
  );
  return {
    requests: latencies.length,
    requestsPerSecond: latencies.length / ((performance.now() - startedAt) / 1000),
    p50Ms: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99),
    failures,
  };
}

function run(options: LoadOptions): Promise<LoadFigures> {
  const { paths, token, headers = '' } = options;
  let turn = 0;
  return measureConversations(options, () => {
    const path = paths[turn++ % paths.length]!.replace('{n}', String(FIRST_NUMBER + turn));
    return {
      text: `GET ${path} HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${token}\r\n${headers}\r\n`,
    };
  });
}

if (process.argv[2] === 'load') {
  process.send!(await run(JSON.parse(process.argv[3]!) as LoadOptions));
  process.disconnect();
}

/** @throws if the load could not be generated, or a response was not 200. */
export async function load(options: LoadOptions): Promise<LoadFigures> {
  const { first } = inChild<LoadFigures>(import.meta.url, ['load', JSON.stringify(options)]);
  return withoutFailures(await first);
}

export function withoutFailures(figures: LoadFigures): LoadFigures {
  const { failures, requests } = figures;
  if (failures > 0) throw new Error(`${failures} of ${requests} answers were not 200.`);
  return figures;
}

import { startServer } from '../support/fault-servers.ts';
import type { FaultServer, OnConnection } from '../support/fault-servers.ts';

/** A kind of receiver, and the delivery log after the first attempt. */
export interface Row {
  /** Unique description of what the receiver does. */
  name: string;
  /** Starts the receiver. Without it nothing listens. */
  start?: () => Promise<
    Pick<FaultServer, 'port' | 'allClosed' | 'close'> & { sentBytes?(): number }
  >;
  /** `{port}` stands for the receiver's port; all paths end with a secret. */
  origin: string;
  expected: Expected;
}

export interface Expected {
  status: 'delivered' | 'failed' | 'pending';
  code: number | null;
  /** The reason after "The endpoint ". */
  says: string | RegExp | null;
  /** Whether the request runs into its deadline. */
  hangs?: boolean;
  /** Milliseconds until the next attempt. */
  againMs: number | null;
  /** Whether the endpoint is deactivated. */
  isSwitchedOff?: boolean;
}

/** First delay of the backoff. */
export const FIRST_MS = 5_000;

const HERE = 'http://127.0.0.1:{port}';

/** A receiver at 127.0.0.1 without TLS. */
export function receiver(name: string, onConnection: OnConnection, expected: Expected): Row {
  return { name, start: () => startCounting(onConnection), origin: HERE, expected };
}

/** Counts the bytes it sent before its clients disconnected. */
async function startCounting(onConnection: OnConnection) {
  let bytes = 0;
  const server = await startServer((socket, received) => {
    socket.on('close', () => (bytes += socket.bytesWritten));
    onConnection(socket, received);
  });
  return { ...server, sentBytes: () => bytes };
}

/** Only the address matters. */
export function address(name: string, origin: string, expected: Expected): Row {
  return { name, origin, expected };
}

export function delivered(code = 200): Expected {
  return { status: 'delivered', code, says: null, againMs: null };
}

/** Not retried. */
export function refused(code: number, says = `answered HTTP ${code}.`): Expected {
  return { status: 'failed', code, says, againMs: null };
}

/** Retried later. */
export function again(code: number, againMs = FIRST_MS): Expected {
  return { status: 'pending', code, says: `answered HTTP ${code}.`, againMs };
}

/** No response; `why` completes the sentence. */
export function unreached(why: string | RegExp): Expected {
  const says = typeof why === 'string' ? `could not be reached: ${why}.` : why;
  return { status: 'pending', code: null, says, againMs: FIRST_MS };
}

export function hangs(expected: Expected): Expected {
  return { ...expected, hangs: true };
}

/** The address is not allowed by the operator. */
export function forbidden(target: string): Expected {
  const says = `could not be reached: Target ${target} is not allowed (ALLOW_PRIVATE_TARGETS).`;
  return { status: 'failed', code: null, says, againMs: null };
}

import { startServer } from '../support/fault-servers.ts';
import type { FaultServer, OnConnection } from '../support/fault-servers.ts';

/** One kind of receiver, and what the delivery log says after the first attempt. */
export interface Row {
  /** What it does, in words; no two rows have the same. */
  name: string;
  /** Without it nobody listens. */
  start?: () => Promise<
    Pick<FaultServer, 'port' | 'allClosed' | 'close'> & { sentBytes?(): number }
  >;
  /** `{port}` in it stands for the receiver's; all end with a path that is secret. */
  origin: string;
  expected: Expected;
}

export interface Expected {
  status: 'delivered' | 'failed' | 'pending';
  code: number | null;
  /** All of the sentence after "The endpoint ". */
  says: string | RegExp | null;
  /** It takes all the time that a request may take. */
  hangs?: boolean;
  /** Milliseconds until it is tried again. */
  againMs: number | null;
  /** Nothing is sent there any more. */
  isSwitchedOff?: boolean;
}

/** The first step of the back-off. */
export const FIRST_MS = 5_000;

const HERE = 'http://127.0.0.1:{port}';

/** A receiver at 127.0.0.1 without TLS. */
export function receiver(name: string, onConnection: OnConnection, expected: Expected): Row {
  return { name, start: () => startCounting(onConnection), origin: HERE, expected };
}

/** It knows how much it got rid of before its clients were gone. */
async function startCounting(onConnection: OnConnection) {
  let bytes = 0;
  const server = await startServer((socket, received) => {
    socket.on('close', () => (bytes += socket.bytesWritten));
    onConnection(socket, received);
  });
  return { ...server, sentBytes: () => bytes };
}

/** The address alone is what matters. */
export function address(name: string, origin: string, expected: Expected): Row {
  return { name, origin, expected };
}

export function delivered(code = 200): Expected {
  return { status: 'delivered', code, says: null, againMs: null };
}

/** Not tried again. */
export function refused(code: number, says = `answered HTTP ${code}.`): Expected {
  return { status: 'failed', code, says, againMs: null };
}

/** Tried again later. */
export function again(code: number, againMs = FIRST_MS): Expected {
  return { status: 'pending', code, says: `answered HTTP ${code}.`, againMs };
}

/** There was no answer; `why` completes the sentence. */
export function unreached(why: string | RegExp): Expected {
  const says = typeof why === 'string' ? `could not be reached: ${why}.` : why;
  return { status: 'pending', code: null, says, againMs: FIRST_MS };
}

export function hangs(expected: Expected): Expected {
  return { ...expected, hangs: true };
}

/** The operator does not allow to speak to it. */
export function forbidden(target: string): Expected {
  const says = `could not be reached: Target ${target} is not allowed (ALLOW_PRIVATE_TARGETS).`;
  return { status: 'failed', code: null, says, againMs: null };
}

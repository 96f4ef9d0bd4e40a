import type { IncomingMessage } from 'node:http';
import type { Clock, Timer } from '../lib/clock.ts';

/** What is kept of a ping's body. */
export interface PingBody {
  /** Null without any. */
  text: string | null;
  /** There was more, or it never came. */
  isCut: boolean;
}

/** A body on its way in. */
export interface PingBodyReading {
  /** Settles once no more will be kept: the body ended, was longer, or did not end in time. */
  kept: Promise<PingBody>;
  /** Settles once the answer may go out: the body ended, its client is gone, or it is no longer waited for. */
  isOver: Promise<void>;
  /** Waits no longer. */
  hurry(): void;
}

const KEPT_BYTES = 10 * 1024;
const LOOK_MS = 5_000;
/** A body that takes so many looks is kept as far as it came, and is waited for only while more comes. */
const LOOKS_TO_KEEP = 2;
/** After so many it is waited for no longer; the server itself cuts off after 60 s. */
const MOST_LOOKS = 10;

/**
 * Reads a body of any type and size: its beginning as UTF-8 text, the rest to be dropped. Whoever answers before a
 * client has sent all may be cut off from it with a reset, hence the waiting; yet whether a ping counts does not depend
 * on it. A call that broke off in its body counts too: the job did call, and its address says what it meant.
 * Null when there is none.
 */
export function readPingBody(
  request: IncomingMessage,
  clock: Pick<Clock, 'after' | 'clear'>,
): PingBodyReading | null {
  if (!hasBody(request)) return null;
  const kept = Promise.withResolvers<PingBody>();
  const over = Promise.withResolvers<void>();
  // Copied together at once: a body that comes byte by byte would else cost hundreds of bytes for each.
  let bytes = Buffer.alloc(0);
  let size = 0;
  let isKept = false;
  let looks = 0;
  let sizeSeen = 0;
  let timer: Timer = clock.after(LOOK_MS, look);

  function keep(isCut: boolean): void {
    if (isKept) return;
    isKept = true;
    kept.resolve({ text: textOf(bytes.subarray(0, size), isCut), isCut });
    bytes = Buffer.alloc(0);
  }

  function end(isCut: boolean): void {
    clock.clear(timer);
    keep(isCut);
    over.resolve();
  }

  function look(): void {
    looks += 1;
    const hasStalled = size === sizeSeen;
    if (looks >= LOOKS_TO_KEEP) {
      keep(true);
      if (hasStalled || looks === MOST_LOOKS) return over.resolve();
    }
    sizeSeen = size;
    timer = clock.after(LOOK_MS, look);
  }

  request.on('data', (chunk: Buffer) => {
    if (bytes.length === 0 && !isKept) bytes = Buffer.allocUnsafe(roomFor(request));
    chunk.copy(bytes, size);
    size += chunk.length;
    if (size > KEPT_BYTES) keep(true);
  });
  request.on('end', () => end(false));
  // After its end this changes nothing.
  request.on('close', () => end(true));
  // Of a client that is gone: its close follows.
  request.on('error', () => {});
  return { kept: kept.promise, isOver: over.promise, hurry: () => end(true) };
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** In bytes, for what is kept. */
function roomFor({ headers }: IncomingMessage): number {
  return Math.min(KEPT_BYTES, Number(headers['content-length'] ?? KEPT_BYTES));
}

/** Bytes that are no UTF-8 are replaced, and so is NUL, which Postgres can't keep. */
function textOf(bytes: Buffer, isCut: boolean): string | null {
  // As of a stream that goes on: half a character at its end is left out.
  const text = new TextDecoder().decode(bytes, { stream: isCut });
  return text === '' ? null : text.replaceAll('\0', '\ufffd');
}

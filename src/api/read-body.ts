import type { IncomingMessage } from 'node:http';
import { Problem, RateLimited } from '../resources/common/errors.ts';
import { freeBytes } from '../lib/free-bytes.ts';
import type { BodyMemory, BodyShare } from './body-memory.ts';

const KIB = 1024;
/** First size of the buffer of a body that arrives in pieces; it is doubled as needed. */
const FIRST_BUFFER_BYTES = 16 * KIB;
/** Seconds after which a client that sends too much at once may try again. */
const RETRY_SECONDS = 1;

const TOO_SLOW = new Problem(
  'too_slow',
  'The body arrived too slowly: less than 10 KiB in 10 seconds. Send it again, faster.',
);
const NO_ROOM = new Problem(
  'too_slow',
  'The server is receiving too many bodies at once and has ended the slowest one, this. Send it again.',
);
const TRUNCATED = new Problem('malformed', 'The request could not be read to its end.');
const OTHER_LENGTH = new Problem(
  'malformed',
  'The body is shorter or longer than its Content-Length says.',
);

export interface BodyLimits {
  memory: BodyMemory;
  address: string;
  limit: number;
}

export interface Body {
  bytes: Buffer;
  /** To be released when nothing of the body is held any more. */
  share: BodyShare;
  /** Frees the bytes, which must not be used any more: the garbage collector sees how small a large buffer's object is. */
  free(): void;
}

/**
 * Reads a body into one buffer, within the limits.
 *
 * @throws Problem when the body is too large or too slow, or its client sends too much at once.
 */
export function readBody(request: IncomingMessage, { memory, address, limit }: BodyLimits) {
  const { promise, resolve, reject } = Promise.withResolvers<Body>();
  const length = request.headers['content-length'];
  if (Number(length ?? 0) > limit) {
    reject(tooLarge(limit));
    return promise;
  }
  // A piece that is the whole body, as most are, is kept as it is; several are copied together, since each piece of a
  // byte would cost hundreds of them.
  let first: Buffer | null = null;
  let buffer: Buffer | null = null;
  let size = 0;
  let isReading = true;
  const share = memory.open(address, (why) => fail(why === 'too slow' ? TOO_SLOW : NO_ROOM));

  function add(piece: Buffer): void {
    size += piece.length;
    if (size > limit) return fail(tooLarge(limit));
    share.receive(size);
    if (size > (buffer ?? first ?? []).length && !grow(piece)) return;
    if (buffer === null) return;
    piece.copy(buffer, size - piece.length);
    // Node makes a copy of its own of each piece that it reads.
    freeBytes(piece);
  }

  /** Makes the space for a piece; false when the body had to be given up. */
  function grow(piece: Buffer): boolean {
    if (first === null) {
      first = piece;
      return hold(piece.length);
    }
    const capacity = Math.min(limit, Math.max(FIRST_BUFFER_BYTES, 2 * size));
    if (!hold(capacity)) return false;
    const former: Buffer = buffer ?? first;
    buffer = Buffer.allocUnsafeSlow(capacity);
    former.copy(buffer, 0, 0, size - piece.length);
    freeBytes(former);
    return true;
  }

  function hold(bytes: number): boolean {
    // Making room may end this very body.
    if (!share.hold(bytes)) fail(tooMuchAtOnce());
    return isReading;
  }

  function stop(): void {
    isReading = false;
    request.off('data', add).off('end', onEnd).off('close', onClose);
    buffer = null;
    first = null;
  }

  function fail(problem: Problem): void {
    if (buffer !== null) freeBytes(buffer);
    stop();
    share.release();
    // What is still to come is read and dropped until the connection is closed.
    request.on('data', freeBytes);
    reject(problem);
  }

  function onEnd(): void {
    const bytes = (buffer ?? first ?? Buffer.alloc(0)).subarray(0, size);
    const own = buffer;
    stop();
    share.complete();
    if (length !== undefined && Number(length) !== size) return fail(OTHER_LENGTH);
    resolve({ bytes, share, free: () => void (own && freeBytes(own)) });
  }

  function onClose(): void {
    fail(TRUNCATED);
  }

  request.on('data', add).once('end', onEnd).once('close', onClose);
  request.on('error', () => {});
  return promise;
}

/** Reads a body to its end and keeps nothing of it. Resolves with whether there was anything. */
export async function skipBody(request: IncomingMessage, { limit }: Pick<BodyLimits, 'limit'>) {
  let size = Number(request.headers['content-length'] ?? 0);
  if (size > limit) throw tooLarge(limit);
  size = 0;
  try {
    for await (const piece of request) {
      size += (piece as Buffer).length;
      freeBytes(piece as Buffer);
      if (size > limit) throw tooLarge(limit);
    }
  } catch (error) {
    throw error instanceof Problem ? error : TRUNCATED;
  }
  return size > 0;
}

function tooLarge(limit: number): Problem {
  const shown = limit >= KIB * KIB ? `${limit / KIB / KIB} MiB` : `${limit / KIB} KiB`;
  return new Problem('too_large', `The body is larger than ${shown}. Send less.`);
}

function tooMuchAtOnce(): Problem {
  return new RateLimited(
    0,
    RETRY_SECONDS,
    'More than 4 MiB of request bodies from your address are being received at once',
  );
}

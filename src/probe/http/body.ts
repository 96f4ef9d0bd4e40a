import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib';
import type { Transform } from 'node:stream';
import type { LargeBodySlot } from './large-body-slots.ts';
import { BodyBuffer } from './body-buffer.ts';
import type { Stop } from '../contract.ts';

/**
 * A body without its content coding. `truncated` if there is more than was decoded, `broken` if it doesn't match its
 * Content-Encoding, `stopped` if the check ended first, `too-slow` if its slot was revoked.
 */
export type DecodedBody =
  | { state: 'ok'; bytes: Buffer; truncated: boolean }
  | { state: 'broken' }
  | { state: 'stopped' }
  | { state: 'too-slow' };

interface EncodedBody {
  bytes: Buffer;
  /** Content-Encoding, such as `gzip` or `gzip, br`. */
  encoding: string;
  /** Whether the bytes are complete, so that the coding must end with them. */
  complete: boolean;
  /** Number of decoded bytes after which decoding stops. */
  limit: number;
  /** Slot to acquire once more than `LARGE_BODY_BYTES` are decoded; none if absent. */
  slot?: Pick<LargeBodySlot, 'acquire' | 'onRevoke'>;
}

/** A body beyond this size needs a slot if all of it is kept. */
export const LARGE_BODY_BYTES = 256 * 1024;

/** Each coding multiplies the possible size of a response; honest servers use one. */
const MAX_CODINGS = 3;

/** First coding of a Content-Encoding that is not supported; null if all are. */
export function unknownCoding(encoding: string): string | null {
  return codingsOf(encoding).find((coding) => !DECODERS.has(coding)) ?? null;
}

function codingsOf(encoding: string): string[] {
  return encoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
}

/**
 * Never rejects. If one of the codings is unknown, the body stays as it is (WHATWG Fetch standard, "handle content
 * codings"): some servers name a charset there.
 */
export async function decodeBody(body: EncodedBody, stop: Stop): Promise<DecodedBody> {
  const codings = unknownCoding(body.encoding) === null ? codingsOf(body.encoding) : [];
  if (codings.length > MAX_CODINGS) return { state: 'broken' };

  let { bytes } = body;
  let complete = body.complete;
  for (const coding of codings.toReversed()) {
    if (bytes.length === 0) break;
    const unpacked = await run(DECODERS.get(coding)!(bytes, complete), bytes, body, stop);
    if (unpacked.state !== 'ok') return unpacked;
    bytes = unpacked.bytes;
    complete &&= !unpacked.truncated;
  }
  return { state: 'ok', bytes, truncated: !complete };
}

/** The flush mode of a continuing stream doesn't treat an early end as an error. */
const flushing = (complete: boolean, finishFlush: number) => (complete ? {} : { finishFlush });
const zlib = (complete: boolean) => flushing(complete, constants.Z_SYNC_FLUSH);
const gunzip: Decoder = (_, complete) => createGunzip(zlib(complete));

type Decoder = (bytes: Buffer, complete: boolean) => Transform;
const DECODERS: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  ['gzip', gunzip],
  ['x-gzip', gunzip],
  [
    'deflate',
    (bytes, complete) =>
      hasZlibHeader(bytes) ? createInflate(zlib(complete)) : createInflateRaw(zlib(complete)),
  ],
  [
    'br',
    (_, complete) => createBrotliDecompress(flushing(complete, constants.BROTLI_OPERATION_FLUSH)),
  ],
  ['zstd', (_, complete) => createZstdDecompress(flushing(complete, constants.ZSTD_e_flush))],
]);

/**
 * `deflate` is zlib's format (RFC 9110, section 8.4.1.2), but some servers send raw deflate data, which browsers
 * accept.
 */
function hasZlibHeader(bytes: Buffer): boolean {
  const [first = 0, second = 0] = bytes;
  return (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0;
}

function run(
  decoder: Transform,
  bytes: Buffer,
  { limit, slot }: EncodedBody,
  stop: Stop,
): Promise<DecodedBody> {
  return new Promise((resolve) => {
    const buffer = new BodyBuffer(limit, null);
    let length = 0;
    const settle = (result: DecodedBody): void => {
      stop.onAbort(null);
      slot?.onRevoke(null);
      resolve(result);
      decoder.destroy();
    };
    const collected = (truncated: boolean): DecodedBody => ({
      state: 'ok',
      bytes: buffer.take(),
      truncated,
    });
    const resume = (): void => void decoder.resume();
    decoder.on('data', (chunk: Buffer) => {
      buffer.add(chunk);
      length += chunk.length;
      if (length > limit) settle(collected(true));
      else if (length > LARGE_BODY_BYTES && slot?.acquire(resume) === false) decoder.pause();
    });
    decoder.on('end', () => settle(collected(false)));
    decoder.on('error', () => settle({ state: 'broken' }));
    stop.onAbort(() => settle({ state: 'stopped' }));
    slot?.onRevoke(() => settle({ state: 'too-slow' }));
    decoder.end(bytes);
  });
}

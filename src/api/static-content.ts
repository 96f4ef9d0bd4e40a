import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isKnown } from './entity-tags.ts';

/** Smaller contents are sent as they are: compression would save less than a packet. */
const MIN_COMPRESSED_BYTES = 1_024;

const REVALIDATED = 'no-cache';

/** Content that is the same for everybody, in both codings. */
interface Coded {
  plain: Buffer;
  /** Null where compression saves nothing. */
  compressed: Buffer | null;
  etag: string;
}

/**
 * Makes a function that sends static content, compressed with gzip for clients that accept it, or 304 when the client has
 * it. It is read and compressed once, at the first request; a failed read is retried by the next one.
 *
 * Answers of the API are not compressed: they show secrets beside text that other people choose, and the length of what is
 * compressed would tell one from the other (BREACH, CVE-2013-3587).
 *
 * @param caching `Cache-Control`; by default browsers keep the content and revalidate it each time.
 */
export function staticContent(
  type: string,
  read: () => Promise<Buffer> | Buffer,
  caching = REVALIDATED,
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  let reading: Promise<Coded> | null = null;
  const load = (): Promise<Coded> =>
    (reading ??= coded(read).catch((error: unknown) => {
      reading = null;
      throw error;
    }));

  return async function send(request, reply) {
    const { plain, compressed, etag } = await load();
    void reply.headers({ etag, vary: 'accept-encoding', 'cache-control': caching });
    const known = request.headers['if-none-match'];
    if (known !== undefined && isKnown(known, etag)) return reply.code(304).send();
    void reply.type(type);
    return compressed !== null && acceptsGzip(request)
      ? reply.header('content-encoding', 'gzip').send(compressed)
      : reply.send(plain);
  };
}

/** Whether a client accepts gzip (RFC 9110, section 12.5.3). A client that says nothing gets what every client can read. */
export function acceptsGzip({ headers }: FastifyRequest): boolean {
  const codings = String(headers['accept-encoding'] ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.split(';').map((part) => part.trim()));
  const gzipped =
    codings.find(([name]) => name === 'gzip' || name === 'x-gzip') ??
    codings.find(([name]) => name === '*');
  const weight = gzipped?.find((part) => part.startsWith('q='))?.slice(2) ?? '1';
  return gzipped !== undefined && Number(weight) > 0;
}

async function coded(read: () => Promise<Buffer> | Buffer): Promise<Coded> {
  const plain = await read();
  const etag = `W/"${createHash('sha256').update(plain).digest('base64url')}"`;
  if (plain.length < MIN_COMPRESSED_BYTES) return { plain, compressed: null, etag };
  const compressed = await promisify(gzip)(plain, { level: 9 });
  return { plain, compressed: compressed.length < plain.length ? compressed : null, etag };
}

import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  acceptedEncodings,
  keepDocument,
  type KeptDocument,
} from '../status-page/kept-document.ts';
import { isKnown } from './entity-tags.ts';
import type { Prepared } from '../resources/common/prepared.ts';

const REVALIDATED = 'no-cache';

/**
 * Makes a function that sends static content, compressed for clients that accept it, or 304 when the client has it. It is
 * read once, at the first request, and compressed once for each encoding; a failed read is retried by the next request.
 *
 * Answers of the API are not compressed: they show secrets beside text that other people choose, and the length of what is
 * compressed would reveal one to the other (BREACH, CVE-2013-3587).
 *
 * @param caching `Cache-Control`; by default browsers keep the content and revalidate it each time.
 */
export function staticContent(
  type: string,
  read: () => Promise<Buffer> | Buffer,
  caching = REVALIDATED,
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  let reading: Promise<KeptDocument> | null = null;
  const keep = async () => keepDocument({ type, body: await read() });
  const load = () =>
    (reading ??= keep().catch((error: unknown) => {
      reading = null;
      throw error;
    }));

  return async function send({ headers }, reply) {
    const kept = await load();
    void reply.headers({ etag: kept.etag, vary: 'accept-encoding', 'cache-control': caching });
    const known = headers['if-none-match'];
    if (known !== undefined && isKnown(known, kept.etag)) return reply.code(304).send();
    void reply.type(type);
    const [encoding] = acceptedEncodings(headers['accept-encoding']?.toString());
    const encoded = encoding === undefined ? undefined : await kept.encoded(encoding);
    if (encoded === undefined || encoded.length >= kept.body.length) return reply.send(kept.body);
    return reply.header('content-encoding', encoding).send(encoded);
  };
}

/** Whether a client accepts gzip (RFC 9110, section 12.5.3). A client that says nothing gets what every client can read. */
export function acceptsGzip({ headers }: FastifyRequest): boolean {
  return acceptedEncodings(headers['accept-encoding']?.toString()).includes('gzip');
}

/** Sends a prepared answer, or 304 when the client has it. */
export async function sendPrepared(request: FastifyRequest, reply: FastifyReply, answer: Prepared) {
  const { etag } = answer;
  void reply.headers({ etag, vary: 'accept-encoding' });
  const known = request.headers['if-none-match'];
  if (known !== undefined && isKnown(known, etag)) return reply.code(304).send();
  return sendCompressed(request, reply, answer);
}

/**
 * Sends an answer, compressed to those who accept that. Other answers of the API are not: the length of one that holds a secret
 * beside what the request says reveals it to an attacker (BREACH, CVE-2013-3587).
 */
export async function sendCompressed(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Prepared,
) {
  void reply.header('vary', 'accept-encoding').type('application/json; charset=utf-8');
  if (!acceptsGzip(request)) return reply.send(answer.plain);
  return reply.header('content-encoding', 'gzip').send(await answer.compressed());
}

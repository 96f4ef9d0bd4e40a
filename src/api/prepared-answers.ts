import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Prepared } from '../resources/common/prepared.ts';
import { isKnown } from './entity-tags.ts';
import { acceptsGzip } from './static-content.ts';

/**
 * Sends a prepared answer, or 304 when the client has it. Unlike other answers of the API it is compressed: it depends on
 * nothing that a request says and holds no secret, so that its length tells an attacker nothing (BREACH, CVE-2013-3587).
 */
export async function sendPrepared(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Prepared,
): Promise<FastifyReply> {
  const { plain, etag } = answer;
  void reply.headers({ etag, vary: 'accept-encoding' });
  const known = request.headers['if-none-match'];
  if (known !== undefined && isKnown(known, etag)) return reply.code(304).send();
  void reply.type('application/json; charset=utf-8');
  if (!acceptsGzip(request)) return reply.send(plain);
  return reply.header('content-encoding', 'gzip').send(await answer.compressed());
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../resources/common/errors.ts';
import type { BodyMemory } from '../body-memory.ts';
import { readBody } from '../read-body.ts';
import { htmlHeaders } from './answers.ts';

const FORM = 'application/x-www-form-urlencoded';

/** Longest body of a form: the choice of 200 services fits. */
export const MAX_FORM_BYTES = 8 * 1024;

/**
 * Makes the routes of a scope take forms: the body is URLSearchParams, empty where none was sent. Routes of the API take
 * none, so that no other site can send them one.
 */
export function takeForms(scope: FastifyInstance, memory: BodyMemory): void {
  scope.addContentTypeParser(
    FORM,
    async (request: FastifyRequest, payload: FastifyRequest['raw']) => {
      const { bytes, share, free } = await readBody(payload, {
        memory,
        address: request.ip,
        limit: MAX_FORM_BYTES,
      });
      const fields = new URLSearchParams(bytes.toString());
      free();
      share.release();
      return fields;
    },
  );
}

export function formOf({ body }: FastifyRequest): URLSearchParams {
  return body instanceof URLSearchParams ? body : new URLSearchParams();
}

/**
 * Throws for a form that a page of another site sent. Programs that send neither header are no browsers, and have no
 * cookie that they did not choose themselves.
 */
export function requireOwnForm({ headers }: FastifyRequest): void {
  const site = headers['sec-fetch-site'];
  if (site === 'same-origin' || site === 'none') return;
  const { origin, host } = headers;
  const isOwn = origin === undefined || URL.parse(origin)?.host === host;
  if (site === undefined && isOwn) return;
  throw new Problem(
    'forbidden',
    'Forms are accepted from the own page only. Open it and try again.',
  );
}

export function sendPage(reply: FastifyReply, status: number, html: string): FastifyReply {
  return reply
    .code(status)
    .headers({
      ...htmlHeaders("'none'"),
      'cache-control': 'private, no-store',
      'x-robots-tag': 'noindex',
    })
    .type('text/html; charset=utf-8')
    .send(html);
}

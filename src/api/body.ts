import { isUtf8 } from 'node:buffer';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { parseExactJson } from '../lib/exact-json.ts';
import { jsonShape } from '../lib/json-size.ts';
import { Problem } from '../resources/common/errors.ts';
import type { BodyMemory, BodyShare } from './body-memory.ts';
import { NOT_JSON } from './errors.ts';
import { readBody, skipBody } from './read-body.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Memory of the body that was read; null without one. */
    bodyShare: BodyShare | null;
  }
}

/**
 * Limits of a JSON body. The largest sensible one of 1 MiB, 500 monitors with all their settings, has some 50,000 values
 * and names on 7 levels.
 */
const MAX_JSON = { levels: 32, partsInMebibyte: 100_000 };
const MIB = 1024 * 1024;

/**
 * Bodies are JSON. An empty one is none, whatever its Content-Type: some clients send one with every request
 * (contract 1.7).
 */
export function parseBodies(app: FastifyInstance, memory: BodyMemory): void {
  app.removeAllContentTypeParsers();
  app.decorateRequest('bodyShare', null);
  app.addContentTypeParser(
    /^application\/([\w.+-]+\+)?json\b/i,
    async (request: FastifyRequest, payload: FastifyRequest['raw']) => {
      const { ip: address } = request;
      const limit = limitOf(request);
      const { bytes, share, free } = await readBody(payload, { memory, address, limit });
      try {
        const value = valueOf(request, bytes);
        request.bodyShare = share;
        return value;
      } catch (error) {
        share.release();
        throw error;
      } finally {
        free();
      }
    },
  );
  app.addContentTypeParser('*', async (request: FastifyRequest, payload: FastifyRequest['raw']) => {
    if (await skipBody(payload, { limit: limitOf(request) })) throw new Problem(...NOT_JSON);
  });
  // What became of a body takes memory until its request is answered.
  app.addHook('preValidation', (request, reply, done) => {
    const { bodyShare: share } = request;
    if (share !== null) releaseWithAnswer(share, request.raw.socket, reply.raw);
    done();
  });
}

function releaseWithAnswer(share: BodyShare, socket: Socket, response: ServerResponse): void {
  if (socket.destroyed || response.closed) return share.release();
  // An answer that waits behind others of its connection gets no event when that closes.
  const release = () => {
    socket.off('close', release);
    share.release();
  };
  socket.once('close', release);
  response.once('close', release);
}

function limitOf(request: FastifyRequest): number {
  return request.routeOptions.bodyLimit!;
}

function valueOf(request: FastifyRequest, bytes: Buffer): unknown {
  if (bytes.length > 0 && isCompressed(request))
    throw new Problem(
      'not_json',
      'The body must be JSON as it is: send it without a Content-Encoding.',
    );
  // Decoding invalid bytes would store something that was never sent.
  if (!isUtf8(bytes)) throw new Problem('malformed', 'The body is not valid UTF-8.');
  requireModestJson(bytes, limitOf(request));
  const text = bytes.toString();
  if (text.trim() === '') return undefined;
  let value: unknown;
  try {
    value = parseExactJson(text);
  } catch {
    throw new Problem(
      'malformed',
      'The body is not valid JSON: look for missing quotes, commas or braces.',
    );
  }
  // Fastify would treat null as a missing body; a string is rejected as not an object.
  return value === null ? 'null' : value;
}

function requireModestJson(bytes: Buffer, limit: number): void {
  const { levels } = MAX_JSON;
  const parts = MAX_JSON.partsInMebibyte * Math.max(1, Math.floor(limit / MIB));
  const { excess } = jsonShape(bytes, { levels, parts });
  if (excess === null) return;
  throw new Problem(
    'malformed',
    excess === 'too deep'
      ? `The body is nested deeper than ${levels} levels: send it with fewer brackets and braces inside each other.`
      : `The body has more than ${parts.toLocaleString('en-US')} values and names: send it in several requests.`,
  );
}

function isCompressed(request: FastifyRequest): boolean {
  const encoding = request.headers['content-encoding'] ?? '';
  return !['', 'identity'].includes(encoding.trim().toLowerCase());
}

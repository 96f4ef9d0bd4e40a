import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '../resources/common/errors.ts';
import { NOT_JSON } from './errors.ts';

/**
 * Bodies are JSON. An empty one is none, whatever its Content-Type: some clients send one with every request
 * (contract 1.7).
 */
export function parseBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    /^application\/([\w.+-]+\+)?json\b/i,
    { parseAs: 'buffer' },
    (request, body: Buffer, done) => {
      if (body.length > 0 && isCompressed(request)) return done(compressedProblem());
      // Decoding invalid bytes would store something that was never sent.
      if (!isUtf8(body)) return done(new Problem('malformed', 'The body is not valid UTF-8.'));
      const text = body.toString();
      if (text.trim() === '') return done(null, undefined);
      let value: unknown;
      try {
        value = JSON.parse(text);
      } catch {
        return done(
          new Problem(
            'malformed',
            'The body is not valid JSON: look for missing quotes, commas or braces.',
          ),
        );
      }
      // Fastify would treat null as a missing body; a string is rejected as not an object.
      done(null, value === null ? 'null' : value);
    },
  );
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => {
    if (body.length === 0) return done(null, undefined);
    done(new Problem(...NOT_JSON));
  });
}

function isCompressed(request: FastifyRequest): boolean {
  const encoding = request.headers['content-encoding'] ?? '';
  return !['', 'identity'].includes(encoding.trim().toLowerCase());
}

function compressedProblem(): Problem {
  return new Problem(
    'not_json',
    'The body must be JSON as it is: send it without a Content-Encoding.',
  );
}

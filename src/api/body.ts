import type { FastifyInstance } from 'fastify';
import { Problem } from '../service/errors.ts';

/**
 * Bodies are JSON. An empty one is none, whatever its Content-Type: some clients send one with every request
 * (completions, section 1).
 */
export function parseBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    /^application\/([\w.+-]+\+)?json\b/i,
    { parseAs: 'string' },
    (_request, body, done) => {
      const text = body.toString();
      if (text.trim() === '') return done(null, undefined);
      let value: unknown;
      try {
        value = JSON.parse(text);
      } catch {
        return done(new Problem('malformed', 'The body is not valid JSON.'));
      }
      // Fastify takes null for no body, but it is one that is no object.
      done(null, value === null ? 'null' : value);
    },
  );
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => {
    if (body.length === 0) return done(null, undefined);
    done(
      new Problem(
        'not_json',
        'The body must be JSON: send it with Content-Type: application/json.',
      ),
    );
  });
}

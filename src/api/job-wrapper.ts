import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { staticContent } from './static-content.ts';

/** Adds the wrapper for jobs at `/tocsin-run`, so that a machine with curl can install it from here. */
export function jobWrapper(app: FastifyInstance): void {
  const script = new URL('../../examples/tocsin-run', import.meta.url);
  app.get(
    '/tocsin-run',
    staticContent('text/x-shellscript; charset=utf-8', () => readFile(script)),
  );
}

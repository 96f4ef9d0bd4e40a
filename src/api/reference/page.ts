import { readFile } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import type { FastifyInstance } from 'fastify';
import { pageHeaders } from '../security-headers.ts';
import { staticContent } from '../static-content.ts';
import { basePathOf } from '../url.ts';
import type { RenderTask } from './renderer.ts';

/** The page loads its style sheets and icon from this server, and has no scripts. */
const HEADERS = pageHeaders({ 'style-src': "'self'", 'img-src': "'self'" });

/**
 * Adds the API reference at `/docs` and `/openapi.json`, both without authentication.
 *
 * @param deps.baseUrl BASE_URL, whose path the document's server URL contains.
 * @param deps.assets path of the style sheets, beginning with `/`.
 */
export function referencePage(
  app: FastifyInstance,
  { baseUrl, assets }: { baseUrl: () => string; assets: string },
): void {
  const readDocument = async () => {
    const text = await readFile(new URL('../../../openapi.json', import.meta.url), 'utf8');
    const path = basePathOf(baseUrl());
    return path === '' ? text : withServerPath(path, text);
  };
  const pageAt = (root: '' | '../') =>
    staticContent('text/html; charset=utf-8', async () =>
      render({ document: await readDocument(), root, assets: assets.slice(1) }),
    );
  // Links on the page are relative, so its address decides what they begin with.
  const pages = { '': pageAt(''), '../': pageAt('../') };

  app.get(
    '/openapi.json',
    staticContent('application/json; charset=utf-8', async () => Buffer.from(await readDocument())),
  );

  app.get('/docs', (request, reply) => {
    const root = /^[^?]*\/(?:\?|$)/.test(request.url) ? '../' : '';
    return pages[root](request, reply.headers(HEADERS));
  });
}

/** Replaces the first URL of the document, that of its server: `/api/v1`. */
function withServerPath(path: string, document: string): string {
  return document.replace('"url":"/api/v1"', () => `"url":${JSON.stringify(`${path}/api/v1`)}`);
}

/** Renders the page in a thread, whose memory is freed when it ends. */
function render(task: RenderTask): Promise<Buffer> {
  const thread = new Worker(new URL('./renderer.ts', import.meta.url), { workerData: task });
  return new Promise((resolve, reject) => {
    thread.once('message', (bytes: Uint8Array) => resolve(Buffer.from(bytes)));
    thread.once('error', reject);
    thread.once('exit', () => reject(new Error('The API reference could not be rendered.')));
  });
}

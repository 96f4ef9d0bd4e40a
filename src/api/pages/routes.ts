import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pageHeaders } from '../security-headers.ts';
import { staticContent } from '../static-content.ts';
import { basePathOf } from '../url.ts';
import type { Assets } from './assets.ts';
import { documentOf } from './document.ts';
import { sendPage } from '../status/form.ts';
import { isStatusPath, noPageDocument } from '../status/not-found.ts';
import { notFoundPage } from './not-found.ts';

/** Paths of assets contain their hash. */
const FOREVER = 'public, max-age=31536000, immutable';

/** Pages load their style sheets and icon from this server, and have no scripts. */
const HEADERS = {
  ...pageHeaders({ 'style-src': "'self'", 'img-src': "'self' data:" }),
  // Addresses may contain tokens.
  'cache-control': 'no-store',
};

/** Adds the files of pages that need no build of the dashboard, and its service worker. */
export function assetRoutes(app: FastifyInstance, assets: Assets): void {
  // A service worker controls the paths below its own; revalidation makes browsers update it at once.
  const worker = assets.files.find(({ path }) => path === `${assets.path}/service-worker.js`)!;
  app.get('/service-worker.js', (_request, reply) =>
    reply.type(worker.type).header('cache-control', 'no-cache').send(worker.bytes),
  );

  for (const { path, type, bytes } of assets.files) {
    app.get(
      path,
      staticContent(type, () => bytes, FOREVER),
    );
  }
}

/** Paths of programs, which get JSON whatever they accept. */
const FOR_PROGRAMS = /^\/(api|mcp|metrics|healthz|readyz|ping)(\/|\?|$)/;

/**
 * Whether a browser asks for a page: it names text/html before anything else that it accepts. The forms of status pages are
 * answered by pages, too.
 */
export function wantsPage({ method, url, headers }: FastifyRequest): boolean {
  if (!['GET', 'HEAD'].includes(method) && !isStatusPath(url)) return false;
  if (FOR_PROGRAMS.test(url)) return false;
  return (headers.accept ?? '').split(',', 1)[0]!.split(';', 1)[0]!.trim() === 'text/html';
}

/** Sends the page for an address that does not exist: to visitors of status pages in the look of those. */
export function sendNotFoundPage(
  { url, headers }: FastifyRequest,
  reply: FastifyReply,
  { assets, baseUrl }: { assets: Assets; baseUrl: string },
): FastifyReply {
  if (isStatusPath(url)) {
    const [path = ''] = url.split('?', 1);
    return sendPage(reply, 404, noPageDocument(path, headers['accept-language']));
  }
  const base = basePathOf(baseUrl);
  const document = documentOf(notFoundPage(isForVisitors(url) ? null : base), base + assets.path);
  return reply.code(404).headers(HEADERS).type('text/html; charset=utf-8').send(document);
}

/** Whether an address belongs to visitors, who have no business with the dashboard. */
export function isForVisitors(url: string): boolean {
  return isStatusPath(url) || /^\/(?:report|pages|dashboard)(?:[/?]|$)/.test(url);
}

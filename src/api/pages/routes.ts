import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pageHeaders } from '../security-headers.ts';
import { staticContent } from '../static-content.ts';
import { basePathOf } from '../url.ts';
import type { Assets } from './assets.ts';
import { documentOf } from './document.ts';
import { notFoundPage, VISITORS_NOT_FOUND } from './not-found.ts';

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

/** Whether a browser asks for a page: it names text/html before anything else that it accepts. */
export function wantsPage({ method, url, headers }: FastifyRequest): boolean {
  if (!['GET', 'HEAD'].includes(method) || FOR_PROGRAMS.test(url)) return false;
  return (headers.accept ?? '').split(',', 1)[0]!.split(';', 1)[0]!.trim() === 'text/html';
}

/** Sends the page for an address that does not exist. */
export function sendNotFoundPage(
  reply: FastifyReply,
  { assets, baseUrl }: { assets: Assets; baseUrl: string },
): FastifyReply {
  const base = basePathOf(baseUrl);
  const isForVisitors = reply.request.url.startsWith('/status/');
  const page = isForVisitors ? VISITORS_NOT_FOUND : notFoundPage(base);
  const document = documentOf(page, base + assets.path);
  return reply.code(404).headers(HEADERS).type('text/html; charset=utf-8').send(document);
}

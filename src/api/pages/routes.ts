import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pageHeaders } from '../security-headers.ts';
import { wayToConnectHeaders } from '../dashboard/way-to-connect.ts';
import { staticContent } from '../static-content.ts';
import { basePathOf } from '../url.ts';
import { ALERT_PAGE } from './alert.ts';
import type { Assets } from './assets.ts';
import { CONNECT_PAGE } from './connect.ts';
import { documentOf, type Page } from './document.ts';
import { notFoundPage } from './not-found.ts';

/** Paths of assets contain their hash. */
const FOREVER = 'public, max-age=31536000, immutable';

/** Pages load and call this server only, and contain no inline scripts. */
const HEADERS = {
  ...pageHeaders({
    'script-src': "'self'",
    'style-src': "'self'",
    'img-src': "'self' data:",
    'connect-src': "'self'",
  }),
  // Page URLs contain tokens.
  'cache-control': 'no-store',
};

/**
 * Adds the pages for people. They contain no data: their scripts call the API with the session cookie or the token of
 * the link.
 */
export function pageRoutes(
  app: FastifyInstance,
  { assets, baseUrl }: { assets: Assets; baseUrl: () => string },
): void {
  const serve = (path: string, page: () => Page) =>
    app.get(path, ({ url }, reply) => {
      const [requested = '', query] = url.split('?', 2);
      // Pages load their assets from relative URLs, which a trailing slash would break.
      if (requested.endsWith('/'))
        return reply.redirect(`..${path}${query === undefined ? '' : `?${query}`}`);
      const document = documentOf(page(), assets.path.slice(1));
      const headers = { ...HEADERS, ...wayToConnectHeaders(path, query, baseUrl()) };
      return reply.headers(headers).type('text/html; charset=utf-8').send(document);
    });

  serve('/connect', () => CONNECT_PAGE);
  serve('/alert', () => ALERT_PAGE);

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
  const document = documentOf(notFoundPage(base), base + assets.path);
  return reply.code(404).headers(HEADERS).type('text/html; charset=utf-8').send(document);
}

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { escapeHtml } from '../../lib/text.ts';
import { pageHeaders } from '../security-headers.ts';
import { staticContent } from '../static-content.ts';
import { basePathOf } from '../url.ts';
import { sendPage } from '../status/form.ts';
import { noPageDocument } from '../status/refusals.ts';
import { documentOf, type Page } from './document.ts';

/** Paths of assets contain their hash. */
const FOREVER = 'public, max-age=31536000, immutable';

/** Pages load their style sheets and icon from this server, and have no scripts. */
const HEADERS = {
  ...pageHeaders({ 'style-src': "'self'", 'img-src': "'self' data:" }),
  // Addresses may contain tokens.
  'cache-control': 'no-store',
};

const TYPES: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

/** Colors and sizes of the dashboard, which these pages share. */
const TOKENS = new URL('../../../web/style/tokens.css', import.meta.url);

export type Assets = ReturnType<typeof readAssets>;

/** Scripts, style sheet and icon of the pages, from `browser/`, below a path with a hash of all, so that browsers can cache them forever. */
export function readAssets() {
  const folder = new URL('./browser/', import.meta.url);
  const hash = createHash('sha256');
  const read = readdirSync(folder)
    .filter((name) => TYPES[extensionOf(name)] !== undefined)
    .toSorted()
    .map((name) => ({ name, bytes: readFileSync(new URL(name, folder)) }));
  const found = [...read, { name: 'tokens.css', bytes: readTokens() }].map(({ name, bytes }) => {
    hash.update(`${name}\0${bytes.length}\0`).update(bytes);
    return { name, type: TYPES[extensionOf(name)]!, bytes };
  });
  const path = `/pages/${hash.digest('base64url').slice(0, 16)}`;
  return {
    path,
    files: found.map(({ name, type, bytes }) => ({ path: `${path}/${name}`, type, bytes })),
  };
}

/** Nothing where the source of the dashboard is missing: pages are plain then, and checks go on. */
function readTokens(): Buffer {
  return existsSync(TOKENS) ? readFileSync(TOKENS) : Buffer.alloc(0);
}

function extensionOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

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

/**
 * Page for an address that does not exist.
 *
 * @param base path of BASE_URL without a trailing slash; null for addresses of visitors, who have no account.
 */
function notFoundPage(base: string | null): Page {
  const link = (path: string, text: string) =>
    `<li><a href="${escapeHtml(base + path)}">${text}</a></li>`;
  const text = 'There is no page at this address. Check it for a typing error';
  return {
    title: 'Page not found',
    main: `<h1>Page not found</h1>
${
  base === null
    ? `<p>${text}.</p>`
    : `<p>${text}, or go on here:</p>
<ul>
${link('/sign-in', 'Sign in')}
${link('/account', 'Your account')}
${link('/docs', 'API reference')}
</ul>`
}`,
  };
}

/** Whether an address is one of public pages below BASE_URL. @param url request target without an origin. */
function isStatusPath(url: string): boolean {
  return /^\/status(?:[/?]|$)/.test(url);
}

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { gunzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pageHeaders } from './security-headers.ts';

/** How the reference is shown; every request that would leave this server is switched off. */
const SETTINGS = {
  agent: { disabled: true },
  mcp: { disabled: true },
  telemetry: false,
  withDefaultFonts: false,
  orderSchemaPropertiesBy: 'preserve',
  showDeveloperTools: 'never',
  hideClientButton: true,
  // The token that somebody tries it with does not stay in the browser.
  persistAuth: false,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  metaData: { title: 'Tocsin API' },
};

/** @param root where the installation begins, seen from the page: a BASE_URL may have a path. */
const pageBelow = (root: '' | '../') => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tocsin API</title>
<link rel="icon" href="data:,">
</head>
<body>
<noscript>This page needs JavaScript. The same is at <a href="${root}openapi.json">/openapi.json</a>.</noscript>
<script id="api-reference" data-url="${root}openapi.json" data-configuration="${attribute(SETTINGS)}"></script>
<script src="${root}docs/reference.js"></script>
</body>
</html>
`;

/** The browser refuses whatever is not from here. The reference sets styles inline, and shows its icons as data. */
const HEADERS = pageHeaders({
  'script-src': "'self'",
  'style-src': "'unsafe-inline'",
  'img-src': "'self' data:",
  'connect-src': "'self'",
});

/** What is sent as it is, and how a browser knows that it has it already. */
interface Content {
  bytes: Buffer;
  etag: string;
}

/**
 * The reference of the API for people at `/docs`, and for machines at `/openapi.json`; no token is needed. Nothing is
 * read before somebody asks for it.
 *
 * @param baseUrl BASE_URL: below its path lies the API for those who ask.
 */
export function referencePage(app: FastifyInstance, { baseUrl }: { baseUrl: () => string }): void {
  const document = once(async () => {
    const bytes = await readFile(new URL('../../openapi.json', import.meta.url));
    const path = new URL(baseUrl()).pathname.replace(/\/$/, '');
    return path === '' ? bytes : Buffer.from(serverBelow(path, bytes.toString()));
  });
  const script = once(packedScript);
  // One buffer for all who can't unpack it themselves: one of each would let anybody use up the memory.
  const unpacked = once(async () => promisify(gunzip)((await script()).bytes));

  app.get('/openapi.json', async (request, reply) => {
    const content = await document();
    if (isKnown(request, reply, content)) return reply;
    return reply.type('application/json; charset=utf-8').send(content.bytes);
  });

  // Until there is a page for people at the front, newcomers find the reference there.
  app.get('/', (_request, reply) => reply.redirect('docs'));

  app.get('/docs', ({ url }, reply) => {
    const page = pageBelow(/^[^?]*\/(?:\?|$)/.test(url) ? '../' : '');
    return reply.headers(HEADERS).type('text/html; charset=utf-8').send(page);
  });

  app.get('/docs/reference.js', async (request, reply) => {
    const content = await script();
    if (isKnown(request, reply, content)) return reply;
    void reply.type('text/javascript; charset=utf-8').header('vary', 'accept-encoding');
    if (/\bgzip\b/.test(request.headers['accept-encoding'] ?? ''))
      return reply.header('content-encoding', 'gzip').send(content.bytes);
    return reply.send((await unpacked()).bytes);
  });
}

/** The first url in the document is that of its server: `/api/v1`. */
function serverBelow(path: string, document: string): string {
  return document.replace('"url": "/api/v1"', () => `"url": ${JSON.stringify(`${path}/api/v1`)}`);
}

/** Answers 304 where the browser has it. It may be kept, but has to be asked for whether it is still the same. */
function isKnown(request: FastifyRequest, reply: FastifyReply, { etag }: Content): boolean {
  void reply.headers({ etag, 'cache-control': 'no-cache' });
  if (request.headers['if-none-match'] !== etag) return false;
  void reply.code(304).send();
  return true;
}

/** Reads at the first call; a failed one is tried again by the next. */
function once(read: () => Promise<Buffer>): () => Promise<Content> {
  let reading: Promise<Content> | null = null;
  const start = async (): Promise<Content> => {
    const bytes = await read();
    return { bytes, etag: `W/"${createHash('sha256').update(bytes).digest('base64url')}"` };
  };
  return () =>
    (reading ??= start().catch((error: unknown) => {
      reading = null;
      throw error;
    }));
}

/** The script of the page, as gzip. A thread of its own reads it: what that takes is freed when it ends. */
function packedScript(): Promise<Buffer> {
  const thread = new Worker(new URL('./reference-script.ts', import.meta.url));
  return new Promise((resolve, reject) => {
    thread.once('message', (bytes: Uint8Array) => resolve(Buffer.from(bytes)));
    thread.once('error', reject);
    thread.once('exit', () => reject(new Error('The script of the reference was not read.')));
  });
}

function attribute(value: object): string {
  return JSON.stringify(value).replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { gunzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pageHeaders } from './security-headers.ts';

/** Settings of the reference; every request to other servers is disabled. */
const SETTINGS = {
  agent: { disabled: true },
  mcp: { disabled: true },
  telemetry: false,
  withDefaultFonts: false,
  orderSchemaPropertiesBy: 'preserve',
  showDeveloperTools: 'never',
  hideClientButton: true,
  // Tokens entered in the reference are not kept in the browser.
  persistAuth: false,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  metaData: { title: 'Tocsin API' },
};

/** @param root relative path from the page to the root of the installation. */
const pageAt = (root: '' | '../') => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tocsin API</title>
<link rel="icon" href="data:,">
</head>
<body>
<noscript>This page needs JavaScript. See the same reference at <a href="${root}openapi.json">/openapi.json</a>.</noscript>
<script id="api-reference" data-url="${root}openapi.json" data-configuration="${attribute(SETTINGS)}"></script>
<script src="${root}docs/reference.js"></script>
</body>
</html>
`;

/** Restricts the page to this server. The reference uses inline styles, and icons as data URLs. */
const HEADERS = pageHeaders({
  'script-src': "'self'",
  'style-src': "'unsafe-inline'",
  'img-src': "'self' data:",
  'connect-src': "'self'",
});

/** Static content with its entity tag. */
interface Content {
  bytes: Buffer;
  etag: string;
}

/**
 * Adds the API reference at `/docs` and `/openapi.json`, both without authentication. Files are read on first request.
 *
 * @param baseUrl BASE_URL, whose path the document's server URL contains.
 */
export function referencePage(app: FastifyInstance, { baseUrl }: { baseUrl: () => string }): void {
  const document = cached(async () => {
    const bytes = await readFile(new URL('../../openapi.json', import.meta.url));
    const path = new URL(baseUrl()).pathname.replace(/\/$/, '');
    return path === '' ? bytes : Buffer.from(withServerPath(path, bytes.toString()));
  });
  const script = cached(compressedScript);
  // Shared by all clients without gzip support: a buffer per request would let anybody exhaust memory.
  const uncompressed = cached(async () => promisify(gunzip)((await script()).bytes));

  app.get('/openapi.json', async (request, reply) => {
    const content = await document();
    if (isNotModified(request, reply, content)) return reply;
    return reply.type('application/json; charset=utf-8').send(content.bytes);
  });

  // Until there is a front page, it redirects to the reference.
  app.get('/', (_request, reply) => reply.redirect('docs'));

  app.get('/docs', ({ url }, reply) => {
    const page = pageAt(/^[^?]*\/(?:\?|$)/.test(url) ? '../' : '');
    return reply.headers(HEADERS).type('text/html; charset=utf-8').send(page);
  });

  app.get('/docs/reference.js', async (request, reply) => {
    const content = await script();
    if (isNotModified(request, reply, content)) return reply;
    void reply.type('text/javascript; charset=utf-8').header('vary', 'accept-encoding');
    if (/\bgzip\b/.test(request.headers['accept-encoding'] ?? ''))
      return reply.header('content-encoding', 'gzip').send(content.bytes);
    return reply.send((await uncompressed()).bytes);
  });
}

/** Replaces the first URL of the document, that of its server: `/api/v1`. */
function withServerPath(path: string, document: string): string {
  return document.replace('"url": "/api/v1"', () => `"url": ${JSON.stringify(`${path}/api/v1`)}`);
}

/** Answers 304 when the browser has the content. It may be cached, but must be revalidated. */
function isNotModified(request: FastifyRequest, reply: FastifyReply, { etag }: Content): boolean {
  void reply.headers({ etag, 'cache-control': 'no-cache' });
  if (request.headers['if-none-match'] !== etag) return false;
  void reply.code(304).send();
  return true;
}

/** Caches the content of the first read; a failed read is retried by the next call. */
function cached(read: () => Promise<Buffer>): () => Promise<Content> {
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

/** Reads the page's script as gzip, in a thread whose memory is freed when it ends. */
function compressedScript(): Promise<Buffer> {
  const thread = new Worker(new URL('./reference-script.ts', import.meta.url));
  return new Promise((resolve, reject) => {
    thread.once('message', (bytes: Uint8Array) => resolve(Buffer.from(bytes)));
    thread.once('error', reject);
    thread.once('exit', () => reject(new Error('The script of the reference could not be read.')));
  });
}

function attribute(value: object): string {
  return JSON.stringify(value).replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}

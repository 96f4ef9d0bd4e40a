import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { sharedApi } from '../../../test/support/api.ts';
import type { OpenApiDocument } from './openapi.ts';
import { referencePage } from './page.ts';

const shared = sharedApi();
const TEXT = readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8');
const DOCUMENT = JSON.parse(TEXT) as OpenApiDocument;

test('the document is public, and answered with 304 when cached', async () => {
  const { app } = await shared();
  const first = await app.inject('/openapi.json');
  expect([first.statusCode, first.body]).toEqual([200, TEXT]);
  expect(first.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-cache',
    etag: expect.stringMatching(/^W\/"[\w-]{16}"$/),
  });
  expect(first.headers).not.toHaveProperty('x-ratelimit-limit');
  const headers = { 'if-none-match': first.headers.etag! };
  const again = await app.inject({ url: '/openapi.json', headers });
  expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', first.headers.etag]);
  const stale = await app.inject({ url: '/openapi.json', headers: { 'if-none-match': 'W/"x"' } });
  expect(stale.statusCode).toBe(200);
});

test('the document and the page name the path of BASE_URL', async () => {
  for (const [url, server] of [
    ['https://up.example.com', '/api/v1'],
    ['https://example.com/tools/$&/up', '/tools/$&/up/api/v1'],
  ] as const) {
    const app = Fastify();
    referencePage(app, { baseUrl: () => url, assets: '/pages/x' });
    const { servers, ...rest } = (await app.inject('/openapi.json')).json();
    expect(servers).toEqual([{ url: server, description: 'This installation.' }]);
    const { servers: _servers, ...documented } = DOCUMENT;
    expect(rest).toEqual(documented);
    const { body } = await app.inject('/docs');
    expect(body).toContain(`Base URL: <code>${server.replace('&', '&amp;')}</code>`);
    await app.close();
  }
});

test('the page has no script, and loads its style from this server only', async () => {
  const { app } = await shared();
  // Seen from either, below whatever path the installation has.
  for (const [url, root] of [
    ['/docs', ''],
    ['/docs/', '../'],
    ['/docs/?from=/', '../'],
    ['/docs?from=/', ''],
  ] as const) {
    const { statusCode, headers, body } = await app.inject(url);
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const sources = [...body.matchAll(/<(?:link|img|script)[^>]* (?:src|href)="([^"]*)"/g)].map(
      ([, source]) => source!,
    );
    expect(sources.length).toBeGreaterThan(2);
    for (const source of sources) {
      expect(source.slice(0, root.length + 6)).toBe(`${root}pages/`);
      const asset = await app.inject(`/${source.slice(root.length)}`);
      expect([source, asset.statusCode]).toEqual([source, 200]);
    }
    expect(body).not.toMatch(/<script|<style|\son[a-z]+=|\sstyle=/);
    expect(body).toContain(`href="${root}openapi.json"`);
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'; style-src 'self'; img-src 'self';");
    expect(policy).not.toMatch(/https?:|\*|unsafe|script-src/);
  }
});

test('the page is compressed, and answered with 304 when cached [1.35]', async () => {
  const { app } = await shared();
  const url = '/docs';
  const packed = await app.inject({ url, headers: { 'accept-encoding': 'br, gzip' } });
  const plain = await app.inject(url);
  expect([packed.statusCode, packed.headers['content-encoding']]).toEqual([200, 'br']);
  expect([plain.statusCode, plain.headers['content-encoding']]).toEqual([200, undefined]);
  expect(brotliDecompressSync(packed.rawPayload).equals(plain.rawPayload)).toBe(true);
  expect(packed.headers).toMatchObject({ vary: 'accept-encoding', 'cache-control': 'no-cache' });
  const again = await app.inject({ url, headers: { 'if-none-match': packed.headers.etag! } });
  expect([again.statusCode, again.body]).toEqual([304, '']);
});

test('the page describes every operation, event, error and schema, and every link within it works', async () => {
  const { app } = await shared();
  const { body } = await app.inject('/docs');
  const ids = Array.from(body.matchAll(/ id="([^"]+)"/g), ([, id]) => id!);
  expect(ids).toEqual([...new Set(ids)]);
  const operations = [DOCUMENT.paths, DOCUMENT.webhooks].flatMap((paths) =>
    Object.values(paths).flatMap((item) => Object.values(item)),
  );
  const wanted = [
    ...operations.map(({ operationId }) => operationId),
    ...Object.entries(DOCUMENT.components.responses).flatMap(([name, { description }]) =>
      // Without more to show, they stand at each operation.
      description.endsWith('No body.') ? [] : [`response-${name}`],
    ),
    ...Object.keys(DOCUMENT.components.schemas).map((name) => `schema-${name}`),
    ...Array.from(body.matchAll(/href="#([^"]+)"/g), ([, id]) => id!),
  ];
  expect(wanted.length).toBeGreaterThan(300);
  expect(wanted.filter((id) => !ids.includes(id))).toEqual([]);
});

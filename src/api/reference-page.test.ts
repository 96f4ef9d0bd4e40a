import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { sharedApi } from '../../test/support/api.ts';
import { referencePage } from './reference-page.ts';

const shared = sharedApi();
const DOCUMENT = readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8');

test('the document is public, and answered with 304 when cached', async () => {
  const { app } = await shared();
  const first = await app.inject('/openapi.json');
  expect([first.statusCode, first.body]).toEqual([200, DOCUMENT]);
  expect(first.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-cache',
    etag: expect.stringMatching(/^W\/"[\w-]{43}"$/),
  });
  expect(first.headers).not.toHaveProperty('x-ratelimit-limit');
  const headers = { 'if-none-match': first.headers.etag! };
  const again = await app.inject({ url: '/openapi.json', headers });
  expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', first.headers.etag]);
  const stale = await app.inject({ url: '/openapi.json', headers: { 'if-none-match': 'W/"x"' } });
  expect(stale.statusCode).toBe(200);
});

test('the server URL in the document contains the path of BASE_URL', async () => {
  for (const [url, server] of [
    ['https://up.example.com', '/api/v1'],
    ['https://example.com/tools/$&/up', '/tools/$&/up/api/v1'],
  ] as const) {
    const app = Fastify();
    referencePage(app, { baseUrl: () => url });
    const { servers, ...rest } = (await app.inject('/openapi.json')).json();
    expect(servers).toEqual([{ url: server, description: 'This installation.' }]);
    const { servers: _servers, ...documented } = JSON.parse(DOCUMENT);
    expect(rest).toEqual(documented);
    await app.close();
  }
});

test('the page loads its script from this server, and its policy blocks everything else', async () => {
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
    const sources = [...body.matchAll(/\b(?:src|href|data-url)="([^"]*)"/g)].map(
      ([, source]) => source,
    );
    expect(sources).toEqual([
      'data:,',
      `${root}openapi.json`,
      `${root}openapi.json`,
      `${root}docs/reference.js`,
    ]);
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'; script-src 'self';");
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval|script-src[^;]*unsafe/);
    // No script stands in the page itself: the policy would stop it.
    expect(body).not.toMatch(/<script[^>]*>[^<]/);
  }
});

test('every request of the page to other servers is disabled', async () => {
  const { app } = await shared();
  const { body } = await app.inject('/docs');
  const settings = /data-configuration="([^"]*)"/.exec(body)?.[1]?.replaceAll('&quot;', '"') ?? '';
  expect(JSON.parse(settings)).toMatchObject({
    agent: { disabled: true },
    mcp: { disabled: true },
    telemetry: false,
    withDefaultFonts: false,
  });
});

test('the script is that of the package, compressed for clients with gzip', async () => {
  const { app } = await shared();
  const url = '/docs/reference.js';
  const packed = await app.inject({ url, headers: { 'accept-encoding': 'br, gzip' } });
  const plain = await app.inject(url);
  expect([packed.statusCode, packed.headers['content-encoding']]).toEqual([200, 'gzip']);
  expect([plain.statusCode, plain.headers['content-encoding']]).toEqual([200, undefined]);
  expect((await promisify(gunzip)(packed.rawPayload)).equals(plain.rawPayload)).toBe(true);
  expect(plain.body).toContain('@scalar/api-reference');
  expect(packed.headers).toMatchObject({ vary: 'accept-encoding', 'cache-control': 'no-cache' });
  const again = await app.inject({ url, headers: { 'if-none-match': packed.headers.etag! } });
  expect([again.statusCode, again.body]).toEqual([304, '']);
});

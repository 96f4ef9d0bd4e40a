import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { openApi } from '../../../test/support/api.ts';
import { openInMemory } from '../../../test/support/memory-database.ts';
import { assetRoutes, readAssets } from './routes.ts';

const app = Fastify();
assetRoutes(app, readAssets());

test('assets cached forever have a path with their hash', async () => {
  const { path, files } = readAssets();
  expect(path).toMatch(/^\/pages\/[\w-]{16}$/);
  for (const file of files) {
    const { statusCode, headers, rawPayload } = await app.inject(file.path);
    expect([file.path, statusCode, headers['content-type']]).toEqual([file.path, 200, file.type]);
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(rawPayload.equals(file.bytes)).toBe(true);
  }
  expect(files.some((file) => /\.(?:ts|json)$/.test(file.path))).toBe(false);
});

test('the service worker controls all pages, and is revalidated', async () => {
  const { statusCode, headers, rawPayload } = await app.inject('/service-worker.js');
  const file = readAssets().files.find(({ path }) => path.endsWith('/service-worker.js'))!;
  expect([statusCode, headers['content-type']]).toEqual([200, file.type]);
  expect(headers['cache-control']).toBe('no-cache');
  expect(rawPayload.equals(file.bytes)).toBe(true);
  // As a classic script, and with a policy that lets it load nothing.
  expect(file.bytes.toString()).not.toMatch(/^(?:import|export) |importScripts|fetch\(/m);
});

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

test('a mistyped address shows a browser a page with links, and a program JSON [39.52]', async () => {
  const { app: api } = await openApi(await openInMemory());
  const get = (url: string, accept?: string) =>
    api.inject({ url, headers: { ...(accept !== undefined && { accept }) } });
  const page = await get('/signin', BROWSER);
  expect([page.statusCode, page.headers['content-type']]).toEqual([
    404,
    'text/html; charset=utf-8',
  ]);
  expect(page.body).toContain('Page not found');
  expect(page.body).not.toMatch(/<script|<noscript/);
  const links = [...page.body.matchAll(/<a href="([^"]+)"/g)].map(([, url]) => url!);
  expect(links).toEqual(['/sign-in', '/account', '/docs']);
  const visitors = await get('/status/mistyped', BROWSER);
  expect([visitors.statusCode, visitors.body.includes('Page not found')]).toEqual([404, true]);
  expect(visitors.body).not.toContain('<a ');
  const style = /rel="stylesheet" href="([^"]+)"/.exec(page.body)![1]!;
  // Without a build of the dashboard its pages say so.
  for (const url of [...links, style])
    expect((await get(url, BROWSER)).statusCode, url).toBe(
      ['/account', '/sign-in'].includes(url) ? 503 : 200,
    );
  expect((await get('/a/b/c?token=x', BROWSER)).body).toContain(`href="${style}"`);
  for (const [url, accept] of [
    ['/signin', undefined],
    ['/signin', '*/*'],
    ['/signin', 'application/json, text/html'],
    ['/api/v1/nothing', BROWSER],
    ['/api/nothing', BROWSER],
    ['/metrics/x', BROWSER],
  ] as const) {
    const answer = await get(url, accept);
    expect([answer.statusCode >= 400, answer.headers['content-type']], url).toEqual([
      true,
      'application/json; charset=utf-8',
    ]);
  }
});

import { readFileSync } from 'node:fs';
import Fastify from 'fastify';
import { Parser } from 'htmlparser2';
import { expect, test } from 'vitest';
import { openApi } from '../../../test/support/api.ts';
import { openInMemory } from '../../../test/support/memory-database.ts';
import { readAssets } from './assets.ts';
import { pageRoutes } from './routes.ts';

interface Tag {
  name: string;
  attributes: Record<string, string>;
  /** Names of the elements around it, the outermost first. */
  within: string[];
}

const PAGES = ['/connect', '/alert'];
const BASE = 'https://example.com/tocsin';

const app = Fastify({ routerOptions: { ignoreTrailingSlash: true } });
pageRoutes(app, { assets: readAssets(), baseUrl: () => BASE });

async function read(path: string): Promise<{ html: string; tags: Tag[] }> {
  const { statusCode, body } = await app.inject(path);
  expect(statusCode).toBe(200);
  const tags: Tag[] = [];
  const within: string[] = [];
  const parser = new Parser({
    onopentag(name, attributes) {
      tags.push({ name, attributes, within: [...within] });
      within.push(name);
    },
    onclosetag: () => void within.pop(),
  });
  parser.end(body);
  return { html: body, tags };
}

function withName(tags: Tag[], ...names: string[]): Tag[] {
  return tags.filter(({ name }) => names.includes(name));
}

test.each(PAGES)(
  '%s loads from this server only, and has no inline script or style',
  async (path) => {
    const { html, tags } = await read(path);
    const { path: assetPath, files } = readAssets();
    const served = new Set(files.map((file) => file.path));
    const written = [
      ...withName(tags, 'script', 'img').map(({ attributes }) => attributes['src']!),
      ...withName(tags, 'link', 'a').map(({ attributes }) => attributes['href']!),
    ].filter((address) => address !== '' && !address.startsWith('#'));
    // A BASE_URL may have a path, which a proxy takes away.
    expect(written.filter((address) => address.startsWith('/'))).toEqual([]);
    const sources = written
      .filter((address) => address.startsWith('pages/'))
      .map((address) => `/${address}`);
    expect(sources.length).toBeGreaterThan(3);
    for (const source of sources) {
      expect(source.startsWith(`${assetPath}/`)).toBe(true);
      expect([source, served.has(source)]).toEqual([source, true]);
    }
    expect(html).not.toMatch(/<script[^>]*>[^<]|<style|\son[a-z]+=|\sstyle=/);
  },
);

test.each(PAGES)('%s can be used with a keyboard and a screen reader', async (path) => {
  const { tags } = await read(path);
  const ids = tags.flatMap(({ attributes }) => attributes['id'] ?? []);
  expect(ids).toEqual([...new Set(ids)]);
  expect(tags.find(({ name }) => name === 'html')?.attributes['lang']).toBe('en');
  expect(withName(tags, 'main')).toHaveLength(1);
  const labelled = withName(tags, 'label').map(({ attributes }) => attributes['for']);
  for (const { attributes, within } of withName(tags, 'input', 'select')) {
    if (attributes['aria-hidden'] === 'true') expect(attributes['tabindex']).toBe('-1');
    else expect(labelled.includes(attributes['id']!) || within.includes('label')).toBe(true);
  }
  const named = tags.flatMap(({ attributes }) =>
    ['aria-describedby', 'aria-labelledby', 'for', 'list', 'data-copy'].flatMap(
      (key) => attributes[key]?.split(' ') ?? [],
    ),
  );
  expect(named.filter((id) => !ids.includes(id))).toEqual([]);
});

test.each(PAGES)('%s has autocomplete attributes for password managers', async (path) => {
  const { tags } = await read(path);
  for (const { attributes } of withName(tags, 'input')) {
    const { type, name } = attributes;
    if (type === 'password') expect(attributes['autocomplete']).toMatch(/^(current|new)-password$/);
    if (type === 'email') expect(attributes['autocomplete']).toBe('username');
    if (name === 'code' && attributes['id'] === 'code')
      expect(attributes['autocomplete']).toBe('one-time-code');
  }
  // A form that is sent before its script is there must not put a password into the address bar.
  for (const { attributes } of withName(tags, 'form')) {
    expect(attributes).toMatchObject({ method: 'post' });
    expect(attributes).not.toHaveProperty('action');
  }
});

test.each(PAGES)('the page %s has all elements its script needs', async (path) => {
  const { tags } = await read(path);
  const ids = new Set(tags.map(({ attributes }) => attributes['id']));
  const [script] = withName(tags, 'script').map(({ attributes }) => attributes['src']!);
  const wanted = scriptsFrom(script!.split('/').at(-1)!).flatMap((text) =>
    Array.from(text.matchAll(/\b(?:find|findForm|show)\('([^']+)'/g), ([, id]) => id!),
  );
  expect(wanted.length).toBeGreaterThan(2);
  expect(wanted.filter((id) => !ids.has(id))).toEqual([]);
});

/** The texts of a script and of all that it imports. */
function scriptsFrom(name: string, seen = new Set<string>()): string[] {
  if (seen.has(name)) return [];
  seen.add(name);
  const text = readFileSync(new URL(`./browser/${name}`, import.meta.url), 'utf8');
  const imported = Array.from(text.matchAll(/from '\.\/([^']+)'/g), ([, other]) => other!);
  return [text, ...imported.flatMap((other) => scriptsFrom(other, seen))];
}

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

test.each(PAGES)('%s redirects a trailing slash, and keeps the query', async (path) => {
  const { statusCode, headers } = await app.inject(`${path}/?token=a%2Fb`);
  expect([statusCode, headers['location']]).toEqual([302, `..${path}?token=a%2Fb`]);
});

test('pages are not cached, since their URLs may contain a token', async () => {
  for (const path of PAGES) {
    const { headers } = await app.inject(`${path}?token=secret`);
    expect(headers['cache-control']).toBe('no-store');
  }
});

test.each([
  ['/connect?client_id=a', 'unsafe-none'],
  ['/alert?next=%2Fconnect', 'same-origin'],
])('%s leaves its window to the site that opened it: %s [49.11]', async (path, policy) => {
  const { headers } = await app.inject(path);
  expect(headers['cross-origin-opener-policy']).toBe(policy);
});

test('an alert is acknowledged only by a button, since mail scanners open links [33.12]', async () => {
  const { html } = await read('/alert?token=secret&acknowledge=1');
  expect(html).not.toContain('secret');
  const [script] = scriptsFrom('alert.js');
  const calls = Array.from(
    script!.matchAll(/\bcall\('(\w+)', ([`'])([^`'?]*)/g),
    ([, method, , path]) => [method, path],
  );
  expect(calls.toSorted()).toEqual([
    ['GET', '/v1/alert-links'],
    ['POST', '/v1/alert-links/acknowledge'],
  ]);
  expect(script!.indexOf("onSubmit(findForm('acknowledge')")).toBeLessThan(
    script!.indexOf("call('POST'"),
  );
});

test('an application is connected only by a button, not by opening the page [49.7]', async () => {
  const { html } = await read('/connect?client_id=unknown&sig=signature');
  expect(html).not.toContain('signature');
  expect(html).toContain('Tocsin has not verified this one');
  const [script] = scriptsFrom('connect.js');
  expect(script!.match(/call\('POST', '[^']+'/g)).toEqual(["call('POST', '/auth/oauth2/consent'"]);
  // Only the two buttons answer.
  expect(script!.match(/\banswer\(\{/g)).toHaveLength(2);
  expect(script).toMatch(/^onSubmit\(findForm\('consent'\), \(values\) =>\s+answer\(\{ *$/m);
  expect(script).toMatch(/^onPress\(.*find\('cancel'\)\), \(\) => answer\(\{/m);
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

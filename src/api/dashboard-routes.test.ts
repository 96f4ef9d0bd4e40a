import { readAssets } from './pages/routes.ts';
import Fastify, { type FastifyInstance } from 'fastify';
import { expect, test } from 'vitest';
import { openApi, LIMITS } from '../../test/support/api.ts';
import { SAMPLE_DASHBOARD, fileOf, SCRIPT } from '../../test/support/sample-dashboard.ts';
import { openInMemory } from '../../test/support/memory-database.ts';
import { NO_DASHBOARD, type Dashboard } from '../dashboard/dashboard.ts';
import { createClientKeys, createRateLimits } from '../identity/rate-limits.ts';
import { systemClock } from '../lib/clock.ts';
import { VISITOR_PAGES } from './dashboard-pages.gen.ts';
import { dashboardRoutes } from './dashboard-routes.ts';
import { preferencesOf } from './preferred-language.ts';

const AS_BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

async function open(builds: Dashboard | undefined) {
  const dashboard = builds && { builds, version: '1.2.3' };
  const { app } = await openApi(await openInMemory(), {}, dashboard ? { dashboard } : {});
  return (url: string, headers: Record<string, string> = AS_BROWSER) =>
    app.inject({ url, headers });
}

test('browsers get the document at paths of the dashboard, and 404 with it at others [39.52]', async () => {
  const get = await open(SAMPLE_DASHBOARD);
  const found = await get('/');
  expect([found.statusCode, found.headers['content-type']]).toEqual([
    200,
    'text/html; charset=utf-8',
  ]);
  for (const path of ['/monitors', '/monitors/', '/monitors/3/edit?tab=1', '/account/tokens']) {
    expect([path, (await get(path)).statusCode, (await get(path)).body]).toEqual([
      path,
      200,
      found.body,
    ]);
  }
  for (const path of ['/nowhere', '/monitorss', '/nowhere/monitors']) {
    expect([path, (await get(path)).statusCode, (await get(path)).body]).toEqual([
      path,
      404,
      found.body,
    ]);
  }
});

test('the document loads the build, has no inline script, and must not be framed', async () => {
  const get = await open(SAMPLE_DASHBOARD);
  const { body, headers } = await get('/monitors');
  expect(body).toContain('<html lang="en" data-base="" data-version="1.2.3">');
  expect(body).toContain('<link rel="stylesheet" href="/dashboard/main-CD.css">');
  expect(body).toContain('<link rel="modulepreload" href="/dashboard/part-EF.js">');
  expect(body).toContain(
    '<link rel="preload" href="/dashboard/inter-latin-wght-normal-KL.woff2" as="font" type="font/woff2" crossorigin>',
  );
  expect(body).toContain('<script type="module" src="/dashboard/main-AB.js"></script>');
  expect(body).not.toMatch(/<script[^>]*>[^<]|<style|\son[a-z]+=|\sstyle=/);
  expect(headers).toMatchObject({
    'content-security-policy':
      "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data: blob:; connect-src 'self'; frame-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    'cache-control': 'no-store',
    'cross-origin-opener-policy': 'same-origin',
    'x-frame-options': 'DENY',
  });
});

test.each([
  ['en', null, {}],
  ['de', null, { 'accept-language': 'de-AT,de;q=0.9,en;q=0.8' }],
  ['de', null, { 'accept-language': 'en;q=0.4, fr, de;q=0.5' }],
  ['en', null, { 'accept-language': 'de;q=0, fr' }],
  ['en', 'dark', { 'accept-language': 'de', cookie: 'a=b; theme=dark; lang=en' }],
  ['de', 'light', { cookie: 'lang=de;theme=light' }],
  ['de', 'light', { cookie: 'lang=en; __Secure-lang=de; theme=dark; __Secure-theme=light' }],
  ['en', null, { cookie: 'lang="><script>; theme=blue' }],
])('the document is in %s with the theme %s for %o', async (language, theme, headers) => {
  expect(preferencesOf(headers)).toEqual({ language, theme });
  const get = await open(SAMPLE_DASHBOARD);
  const { body } = await get('/', { ...AS_BROWSER, ...headers });
  const shown = theme === null ? '' : ` data-theme="${theme}"`;
  expect(body).toContain(`<html lang="${language}"${shown} data-base=""`);
  expect(body).toContain(`src="/dashboard/main-${language === 'de' ? 'DE' : 'AB'}.js"`);
});

test('programs, paths of the API and visitors of status pages do not get the document', async () => {
  const get = await open(SAMPLE_DASHBOARD);
  for (const accept of ['*/*', 'application/json', 'application/json, text/html']) {
    const { statusCode, headers } = await get('/monitors', { accept });
    expect([statusCode, headers['content-type']]).toEqual([404, 'application/json; charset=utf-8']);
  }
  for (const path of ['/api/v1/nothing', '/mcp/x', '/ping']) {
    expect((await get(path)).headers['content-type']).toBe('application/json; charset=utf-8');
  }
  const page = await get('/status/no-such-page');
  expect([page.statusCode, page.body.includes('id="app"')]).toEqual([404, false]);
});

test('pages for visitors have a document of their own, whatever is accepted, and never the token', async () => {
  const get = await open(SAMPLE_DASHBOARD);
  const { body: expected } = await get('/sign-in');
  expect(expected).toContain('<script type="module" src="/dashboard/entry-GH.js"></script>');
  expect(expected).toContain('<link rel="stylesheet" href="/dashboard/entry-IJ.css">');
  expect(expected).not.toContain('main-AB.js');
  const safe = {
    'cache-control': 'no-store',
    'content-security-policy': expect.stringMatching(
      /^default-src 'none'; script-src 'self'; style-src 'self'; .*form-action 'none'; frame-ancestors 'none'$/,
    ),
    'permissions-policy': expect.stringContaining('camera=()'),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  };
  for (const path of VISITOR_PAGES) {
    for (const accept of ['text/html', '*/*', 'application/json']) {
      for (const url of [path, `${path}?token=s3cret`, `${path}/?token=s3cret`]) {
        const { statusCode, body, headers } = await get(url, { accept });
        expect([url, accept, statusCode, body]).toEqual([url, accept, 200, expected]);
        expect(headers).toMatchObject(safe);
      }
    }
    expect((await get(`${path}/below`)).statusCode).toBe(404);
  }
});

test.each([
  ['/sign-in?next=%2Ftocsin%2Fconnect%3Fclient_id%3Da', 'unsafe-none'],
  ['/sign-in/?next=%2Ftocsin%2Fconnect%3Fclient_id%3Da', 'unsafe-none'],
  ['/sign-in?next=%2Ftocsin%2Fapi%2Fauth%2Foauth2%2Fauthorize%3Fclient_id%3Da', 'unsafe-none'],
  ['/sign-in?next=%2Ftocsin%2Faccount', 'same-origin'],
  ['/sign-in?next=%2Faccount%3F%2Fconnect', 'same-origin'],
  ['/sign-in', 'same-origin'],
  ['/connect?client_id=a', 'unsafe-none'],
  ['/alert?next=%2Fconnect', 'same-origin'],
  ['/invitation?next=%2Fconnect', 'same-origin'],
])('%s leaves its window to the site that opened it: %s [49.11]', async (url, policy) => {
  const { headers } = await belowPath('https://example.com/tocsin').inject(url);
  expect(headers['cross-origin-opener-policy']).toBe(policy);
});

/** The pages alone, below a BASE_URL. */
function belowPath(baseUrl: string): FastifyInstance {
  const app = Fastify({ routerOptions: { ignoreTrailingSlash: true } });
  const sendPage = dashboardRoutes(app, {
    builds: SAMPLE_DASHBOARD,
    assets: readAssets(),
    rateLimits: createRateLimits({ limits: LIMITS, clock: systemClock }),
    clientKeys: createClientKeys('a key'),
    version: '1.2.3',
    baseUrl: () => baseUrl,
  });
  app.setNotFoundHandler(sendPage);
  return app;
}

test('addresses begin with the path of BASE_URL', async () => {
  const app = belowPath('https://example.com/up');
  const { body } = await app.inject('/monitors');
  expect(body).toContain('data-base="/up"');
  const addresses = Array.from(body.matchAll(/(?:src|href)="([^"]*)"/g), ([, address]) => address!);
  expect(addresses).toHaveLength(5);
  expect(addresses.filter((address) => !address.startsWith('/up/'))).toEqual([]);
});

test('files are encoded, cached forever, and known by their tag', async () => {
  const get = await open(SAMPLE_DASHBOARD);
  const plain = await get('/dashboard/main-AB.js', {});
  expect([plain.statusCode, plain.body]).toEqual([200, SCRIPT]);
  expect(plain.headers).toMatchObject({
    'content-type': 'text/javascript',
    'cache-control': 'public, max-age=31536000, immutable',
    etag: 'W/"main-AB.js"',
    vary: 'accept-encoding',
    'x-content-type-options': 'nosniff',
  });
  expect(plain.headers).not.toHaveProperty('content-encoding');
  const short = await get('/dashboard/main-AB.js', { 'accept-encoding': 'gzip, br' });
  expect([short.headers['content-encoding'], short.body]).toEqual(['gzip', 'gzip of main-AB.js']);
  const known = await get('/dashboard/main-AB.js', { 'if-none-match': 'W/"main-AB.js"' });
  expect([known.statusCode, known.body]).toEqual([304, '']);
  expect((await get('/dashboard/main-ZZ.js', {})).statusCode).toBe(404);
  expect((await get('/dashboard/..%2fpackage.json', {})).statusCode).toBe(404);
});

test('a file that can no longer be read is an error that nobody caches', async () => {
  const gone: Dashboard = {
    ...SAMPLE_DASHBOARD,
    file: async (name) => ({
      ...fileOf(name, 'text/javascript'),
      read: () => Promise.reject(new Error('The file is gone.')),
    }),
  };
  const get = await open(gone);
  const { statusCode, headers, body } = await get('/dashboard/main-AB.js', {
    'accept-encoding': 'gzip',
  });
  expect([statusCode, headers['cache-control']]).toEqual([500, 'no-store']);
  expect(headers).not.toHaveProperty('content-encoding');
  expect(headers).not.toHaveProperty('etag');
  expect(JSON.parse(body)).toMatchObject({ message: 'Server error.' });
});

test('files of the dashboard do not count toward the budget of pages [5.22]', async () => {
  const limits = { ...LIMITS, web: 3 };
  const rateLimits = createRateLimits({ limits, clock: systemClock });
  const dashboard = { builds: SAMPLE_DASHBOARD, version: '1.2.3' };
  const { app } = await openApi(await openInMemory(), {}, { rateLimits, dashboard });
  const status = async (url: string) =>
    (await app.inject({ url, headers: AS_BROWSER, remoteAddress: '192.0.2.9' })).statusCode;
  for (let call = 0; call < 5; call += 1) expect(await status('/dashboard/main-AB.js')).toBe(200);
  expect(await status('/')).toBe(200);
  expect(await status('/dashboard/none.js')).toBe(404);
  expect(await status('/monitors')).toBe(200);
  expect(await status('/dashboard/none.js')).toBe(429);
  expect(await status('/')).toBe(429);
  expect(await status('/dashboard/main-AB.js')).toBe(200);
});

test('without a build, pages say what to do, and everything else goes on', async () => {
  const get = await open(NO_DASHBOARD);
  const page = await get('/monitors/3');
  expect([page.statusCode, page.headers['content-type']]).toEqual([
    503,
    'text/html; charset=utf-8',
  ]);
  expect(page.body).toContain('npm run build');
  const nowhere = await get('/nowhere');
  expect([nowhere.statusCode, nowhere.body.includes('Page not found')]).toEqual([404, true]);
  expect((await get('/readyz', {})).statusCode).toBe(200);
  expect((await get('/sign-in')).statusCode).toBe(503);
});

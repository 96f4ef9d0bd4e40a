import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { QUICK_PASSWORDS } from '../../../test/support/quick-passwords.ts';
import { insertRows } from '../../../test/support/rows.ts';
import { useStatusEdges, type StatusAnswer } from '../../../test/support/status-edge.ts';

const edgeWith = useStatusEdges();

/** The headers that are equal in all answers. */
const comparable = ({ headers }: StatusAnswer) => ({
  ...headers,
  date: '',
  'x-request-id': '',
});

describe('a public document', () => {
  test('is served to everybody, with its caching and a strict policy [42.20]', async () => {
    const edge = await edgeWith();
    await edge.page('acme');
    const { status, headers, text } = await edge.call('/status/acme');
    expect([status, text.startsWith('page page')]).toEqual([200, true]);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'public, max-age=15, stale-while-revalidate=60, stale-if-error=86400',
      vary: 'accept-encoding',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
      'strict-transport-security': 'max-age=31536000',
      'content-security-policy':
        "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'self'; base-uri 'none'",
    });
    expect(headers['set-cookie']).toBeUndefined();
    expect(headers['access-control-allow-origin']).toBeUndefined();
  });

  test.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const)('is sent in %s to those who accept it [42.21]', async (encoding, decompress) => {
    const edge = await edgeWith();
    await edge.page('acme');
    const headers = { 'accept-encoding': `${encoding}, deflate` };
    const answer = await edge.call('/status/acme', { headers });
    expect(answer.headers['content-encoding']).toBe(encoding);
    expect(answer.headers['content-length']).toBe(String(answer.bytes.length));
    expect(decompress(answer.bytes).toString()).toBe((await edge.call('/status/acme')).text);
    const short = await edge.call('/status/acme/embed', { headers });
    expect([short.headers['content-encoding'], short.text]).toEqual([undefined, 'short']);
  });

  test('that a client has is not sent again [42.21]', async () => {
    const edge = await edgeWith();
    await edge.page('acme');
    const { headers } = await edge.call('/status/acme');
    const known = { 'if-none-match': `"other", ${headers.etag}`, 'accept-encoding': 'br' };
    const again = await edge.call('/status/acme', { headers: known });
    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', headers.etag]);
    expect(again.headers).toMatchObject({
      'cache-control': headers['cache-control'],
      vary: 'accept-encoding',
    });
    expect(edge.views).toEqual(['sent', 'not_modified']);
  });

  test('has the same headers for HEAD, without a body [42.29]', async () => {
    const edge = await edgeWith();
    await edge.page('acme');
    const [head, get] = [
      await edge.call('/status/acme', { method: 'HEAD' }),
      await edge.call('/status/acme'),
    ];
    expect([head.status, head.text, comparable(head)]).toEqual([200, '', comparable(get)]);
  });

  test.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])(
    'can not be changed by %s [42.29]',
    async (method) => {
      const edge = await edgeWith();
      await edge.page('acme');
      const { status, headers } = await edge.call('/status/acme', { method, body: 'x' });
      expect([status, headers.allow]).toEqual([405, 'GET, HEAD']);
    },
  );

  test('with a slash at the end leads to the one without [42.29]', async () => {
    const edge = await edgeWith();
    await edge.page('acme');
    for (const [path, location] of [
      ['/status/acme/', '../acme'],
      ['/status/acme/history/2030-01/', '../2030-01'],
    ] as const) {
      const { status, headers } = await edge.call(path);
      expect([status, headers.location]).toEqual([301, location]);
    }
  });

  test.each<[document: string, headers: Record<string, string | undefined>]>([
    ['.json', { 'access-control-allow-origin': '*' }],
    ['.atom', { 'access-control-allow-origin': '*' }],
    ['/badge.svg', { 'access-control-allow-origin': '*' }],
    ['/embed', { 'x-frame-options': undefined }],
    ['/logo', { 'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'" }],
  ])('%s is for other sites too [42.22]', async (document, expected) => {
    const edge = await edgeWith();
    await edge.page('acme');
    const { status, headers } = await edge.call(`/status/acme${document}`);
    expect([status, headers['cross-origin-resource-policy']]).toEqual([200, 'cross-origin']);
    for (const [name, value] of Object.entries(expected)) expect(headers[name]).toBe(value);
    if (document === '/embed')
      expect(headers['content-security-policy']).toContain('frame-ancestors *');
  });

  test('may be framed by pages of its own origin, and a page with a password by none [42.22]', async () => {
    const edge = await edgeWith();
    await edge.page('acme');
    await edge.page('locked', { access_type: 'password', access_password: 'a hash' });
    const { headers } = await edge.call('/status/acme/history/2030-01');
    expect(headers['content-security-policy']).toContain("frame-ancestors 'self';");
    const locked = await edge.call('/status/locked');
    expect(locked.headers).toMatchObject({ 'x-frame-options': 'DENY' });
    expect(locked.headers['content-security-policy']).toContain("frame-ancestors 'none'");
  });

  const HTML = 'text/html; charset=utf-8';
  const TEXT = 'text/plain; charset=utf-8';
  const JSON_TYPE = 'application/json; charset=utf-8';
  const SVG = 'image/svg+xml; charset=utf-8';
  test.each<[path: string, type: string, content: string]>([
    ['/status/nobody', HTML, 'keine Statusseite'],
    ['/status/A', HTML, 'keine Statusseite'],
    ['/status/', HTML, 'keine Statusseite'],
    ['/status', HTML, 'keine Statusseite'],
    ['/status/nobody/history/2030-01', HTML, 'keine Statusseite'],
    ['/status/nobody/confirm?token=a', HTML, 'keine Statusseite'],
    ['/status/nobody/x/y', HTML, 'keine Statusseite'],
    ['/status/acme/incidents/2', HTML, 'nothing at this address'],
    ['/status/nobody.json', JSON_TYPE, '{"message":"There is no such path."}'],
    ['/status/nobody/feed.json', JSON_TYPE, '{"message":"There is no such path."}'],
    ['/status/A.json', JSON_TYPE, '{"message":"There is no such path."}'],
    ['/status/nobody.atom', TEXT, 'Unter dieser Adresse gibt es nichts.'],
    ['/status/nobody.rss', TEXT, 'Unter dieser Adresse gibt es nichts.'],
    ['/status/nobody/logo', TEXT, 'Unter dieser Adresse gibt es nichts.'],
    ['/status/_/x/y', TEXT, 'Unter dieser Adresse gibt es nichts.'],
    ['/status/nobody/badge.svg', SVG, 'nicht gefunden'],
  ])('%s does not exist, and is answered in its own form [42.57]', async (path, type, content) => {
    const edge = await edgeWith();
    await edge.page('acme');
    const headers = { accept: 'text/html,*/*;q=0.8', 'accept-language': 'de-AT,de;q=0.9' };
    const answer = await edge.call(path, { headers });
    expect([answer.status, answer.headers['content-type']]).toEqual([404, type]);
    expect(answer.headers['cache-control']).toBe('private, no-store');
    expect(answer.text).toContain(content);
    expect(answer.headers['content-length'] ?? String(answer.bytes.length)).not.toBe('0');
    if (type === SVG) expect(answer.headers['cross-origin-resource-policy']).toBe('cross-origin');
    if (type !== HTML) return;
    expect(answer.text).not.toMatch(/sign-in|account|docs/);
    const at = new URL(path, 'https://up.example.com');
    for (const [, link] of answer.text.matchAll(/ href="([^"]+)"/g)) {
      const { pathname } = new URL(link!, at);
      expect([link, (await edge.call(pathname)).status]).toEqual([link, 200]);
    }
  });

  test('a form of a page that does not exist is answered by a page [42.57]', async () => {
    const edge = await edgeWith();
    const answer = await edge.call('/status/nobody/subscribe', {
      method: 'POST',
      headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
      body: 'email=a@example.com',
    });
    expect([answer.status, answer.headers['content-type']]).toEqual([404, HTML]);
    expect(answer.text).toContain('There is no status page at this address.');
  });

  test('visits of pages that do not exist are counted [5.22]', async () => {
    const edge = await edgeWith({ limits: { web: 2 } });
    const statuses = [];
    for (const path of ['/status/A', '/status/nobody', '/status/nobody'])
      statuses.push((await edge.call(path)).status);
    expect(statuses).toEqual([404, 404, 429]);
  });

  test('is limited by client address, as all that lies outside of the API [5.22]', async () => {
    const edge = await edgeWith({ limits: { web: 2 } });
    await edge.page('acme');
    const answers = [];
    for (let index = 0; index < 3; index++) answers.push(await edge.call('/status/acme'));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(answers[2]!.headers['retry-after']).toMatch(/^\d+$/);
    expect(edge.views).toEqual(['sent', 'sent', 'limited']);
  });
});

describe('a page with a password', () => {
  const PASSWORD = 'three ships at anchor';

  async function edgeWithPassword(limits = {}) {
    const edge = await edgeWith({ limits });
    const hash = await QUICK_PASSWORDS.hash(PASSWORD);
    const id = await edge.page('acme', { access_type: 'password', access_password: hash });
    const signIn = (password: string, headers: Record<string, string> = {}, returnTo = 'acme') =>
      edge.call('/status/acme/sign-in', {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        body: new URLSearchParams({ password, return_to: returnTo }).toString(),
      });
    return { edge, id, signIn };
  }

  test('is shown to those who know it, and never kept by shared caches [42.23]', async () => {
    const { edge, signIn } = await edgeWithPassword();
    for (const path of ['/status/acme.json', '/status/acme/badge.svg', '/status/acme.atom']) {
      const refused = await edge.call(path);
      expect([refused.status, refused.headers['cache-control']]).toEqual([
        403,
        'private, no-store',
      ]);
    }
    const answer = await signIn(PASSWORD, {}, 'acme/history/2030-01');
    expect([answer.status, answer.headers.location]).toEqual([303, '../acme/history/2030-01']);
    const [cookie = ''] = answer.headers['set-cookie'] ?? [];
    expect(cookie).toMatch(
      /^__Secure-tocsin_page_\d+=[\w.-]+; Path=\/status; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure$/,
    );
    const headers = { cookie: `a=b; ${cookie.split(';')[0]!}` };
    for (const path of ['/status/acme', '/status/acme.json', '/status/acme/badge.svg']) {
      const shown = await edge.call(path, { headers });
      expect([shown.status, shown.headers['cache-control']]).toEqual([200, 'private, no-store']);
      expect([shown.headers.etag, shown.headers['access-control-allow-origin']]).toEqual([
        undefined,
        undefined,
      ]);
    }
  });

  test('asks again after its access was changed [42.23]', async () => {
    const { edge, id, signIn } = await edgeWithPassword();
    const cookie = (await signIn(PASSWORD)).headers['set-cookie']![0]!.split(';')[0]!;
    const status = async () =>
      (await edge.call('/status/acme.json', { headers: { cookie } })).status;
    expect(await status()).toBe(200);
    await edge.database.transaction((tx) =>
      tx.updateTable('status_page').set({ access_version: 2 }).where('id', '=', id).execute(),
    );
    await expect.poll(status).toBe(403);
  });

  test.each([
    [{ origin: 'https://evil.example' }, 403],
    [{ origin: 'null' }, 403],
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ 'sec-fetch-site': 'same-origin', origin: 'null' }, 303],
    [{}, 303],
  ])('takes forms of its own site only: %j [42.24]', async (headers, status) => {
    const { signIn } = await edgeWithPassword();
    const answer = await signIn(PASSWORD, headers as Record<string, string>);
    expect([answer.status, answer.headers['set-cookie']?.length]).toEqual([
      status,
      status === 303 ? 1 : undefined,
    ]);
  });

  test('takes no longer form, and no other type', async () => {
    const { signIn } = await edgeWithPassword();
    expect((await signIn('x'.repeat(9_000))).status).toBe(413);
    expect((await signIn(PASSWORD, { 'content-type': 'application/json' })).status).toBe(400);
    expect((await signIn(PASSWORD, { 'content-type': 'text/plain' })).status).toBe(415);
  });
});

describe('a page for certain addresses', () => {
  test.each([
    ['["127.0.0.1"]', 200],
    ['["10.0.0.0/8","127.0.0.0/8"]', 200],
    ['["::ffff:127.0.0.0/104"]', 200],
    ['["10.0.0.0/8"]', 403],
    ['[]', 403],
  ])('%s [42.25]', async (addresses, status) => {
    const edge = await edgeWith();
    await edge.page('acme', { access_type: 'addresses', access_addresses: addresses });
    expect((await edge.call('/status/acme.json')).status).toBe(status);
  });

  test('reads the address that a trusted proxy names [42.25]', async () => {
    const edge = await edgeWith({ trustProxy: true });
    await edge.page('acme', { access_type: 'addresses', access_addresses: '["2001:db8::/32"]' });
    const from = async (address: string) =>
      (await edge.call('/status/acme.json', { headers: { 'x-forwarded-for': address } })).status;
    expect([await from('2001:db8::7'), await from('2001:db9::7')]).toEqual([200, 403]);
  });
});

test('a page for members is shown to those of its team, whichever their session acts on [42.26]', async () => {
  const people = new Map([
    ['none', null],
    ['own', { kind: 'session', team: 'own' }],
    ['member', { kind: 'session', team: 'other' }],
    ['token', { kind: 'token', team: 'other' }],
  ] as const);
  let team = 0;
  const edge = await edgeWith({
    authenticator: {
      authenticate: async ({ cookie }) => {
        const who = people.get(cookie as 'none');
        return who
          ? ({
              person: { id: 7 },
              team: { id: who.team === 'own' ? team : 99 },
              credential: { kind: who.kind },
            } as never)
          : null;
      },
    },
  });
  ({ team } = edge);
  await edge.page('acme', { access_type: 'members' });
  const statusOf = async (cookie: string) =>
    (await edge.call('/status/acme.json', { headers: { cookie } })).status;
  expect([await statusOf('none'), await statusOf('own'), await statusOf('member')]).toEqual([
    403, 200, 403,
  ]);
  await insertRows(edge.database, 'person', {
    id: 7,
    name: 'Ada',
    email: 'ada@example.com',
    timezone: 'UTC',
    created_at: 0,
    updated_at: 0,
  } as never);
  await insertRows(edge.database, 'member', {
    team_id: team,
    person_id: 7,
    role: 'viewer',
    status: 'active',
    added_at: 0,
  } as never);
  expect([await statusOf('member'), await statusOf('token')]).toEqual([200, 403]);
});

test('a restricted page is previewed by members of its team who are signed in, and by nobody else [42.22, 42.56]', async () => {
  const people = new Map<string | undefined, { kind: string; team: 'own' | 'other' }>([
    ['member', { kind: 'session', team: 'own' }],
    ['stranger', { kind: 'session', team: 'other' }],
    ['token', { kind: 'token', team: 'own' }],
  ]);
  let team = 0;
  const edge = await edgeWith({
    authenticator: {
      authenticate: async ({ cookie }) => {
        const who = people.get(cookie);
        if (who === undefined) return null;
        const teamId = who.team === 'own' ? team : 99;
        return { person: { id: 7 }, team: { id: teamId }, credential: { kind: who.kind } } as never;
      },
    },
  });
  ({ team } = edge);
  await edge.page('secret', { access_type: 'password', access_password: 'x' });
  await edge.page('near', { access_type: 'addresses', access_addresses: '["192.0.2.0/24"]' });
  await edge.pageOnDomain('far', 'status.example.com', {
    access_type: 'addresses',
    access_addresses: '["192.0.2.0/24"]',
  });
  const ask = (path: string, cookie: string, headers = {}) =>
    edge.call(path, { headers: { cookie, ...headers } });
  for (const slug of ['secret', 'near']) {
    for (const query of ['preview', 'preview=17', 'a=b&preview']) {
      const shown = await ask(`/status/${slug}?${query}`, 'member');
      expect([query, shown.status, shown.text.startsWith('page page')]).toEqual([query, 200, true]);
      expect(shown.headers).toMatchObject({
        'cache-control': 'private, no-store',
        'x-frame-options': 'SAMEORIGIN',
        'x-robots-tag': 'noindex',
        'content-security-policy': expect.stringContaining("frame-ancestors 'self'"),
      });
      expect(shown.headers.etag).toBeUndefined();
    }
    for (const [cookie, query] of [
      ['nobody', '?preview'],
      ['stranger', '?preview'],
      ['token', '?preview'],
      ['member', ''],
      ['member', '?previews=1'],
    ] as const) {
      const refused = await ask(`/status/${slug}${query}`, cookie);
      expect([cookie, query, refused.status, refused.headers['x-frame-options']]).toEqual([
        cookie,
        query,
        403,
        'DENY',
      ]);
    }
    // Parts of the page that it loads by itself.
    expect((await ask(`/status/${slug}/custom.css`, 'stranger')).status).toBe(
      slug === 'secret' ? 200 : 403,
    );
    expect((await ask(`/status/${slug}/custom.css`, 'member')).status).toBe(200);
  }
  const there = { host: 'status.example.com' };
  expect((await ask('/?preview', 'member', there)).status).toBe(403);
});

test('a draft is an unknown page for visitors, and its team previews it [41.27]', async () => {
  let team = 0;
  const edge = await edgeWith({
    authenticator: {
      authenticate: async ({ cookie }) =>
        cookie === 'member'
          ? ({
              person: { id: 7 },
              team: { id: team },
              credential: { kind: 'session' },
            } as never)
          : null,
    },
  });
  ({ team } = edge);
  await edge.pageOnDomain('draft', 'status.example.com', { draft: 1 });
  const documents = [
    '',
    '.json',
    '.atom',
    '/badge.svg',
    '/embed',
    '/logo',
    '/subscribe',
    '/confirm',
  ];
  for (const path of documents) {
    const [draft, unknown] = [
      await edge.call(`/status/draft${path}`),
      await edge.call(`/status/other${path}`),
    ];
    const texts = [draft, unknown].map(({ text }) => text.replaceAll(/req_\w+|draft|other/g, ''));
    expect([path, draft.status, texts[0]]).toEqual([path, 404, texts[1]]);
    const [one, other] = [comparable(draft), comparable(unknown)];
    expect({ ...one, 'content-length': '' }).toEqual({ ...other, 'content-length': '' });
  }
  expect((await edge.call('/', { headers: { host: 'status.example.com' } })).status).toBe(404);
  const body = 'password=guess';
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'sec-fetch-site': 'same-origin',
  };
  for (const form of ['sign-in', 'subscribe']) {
    const sent = await edge.call(`/status/draft/${form}`, { method: 'POST', headers, body });
    expect([form, sent.status]).toEqual([form, 404]);
  }
  const cookie = 'member';
  const [shown, logo, plain] = [
    await edge.call('/status/draft.preview?preview', { headers: { cookie } }),
    await edge.call('/status/draft/logo', { headers: { cookie } }),
    await edge.call('/status/draft', { headers: { cookie } }),
  ];
  expect([shown.status, logo.status, plain.status]).toEqual([200, 200, 404]);
});

const on = (host: string) => ({ headers: { host } });

describe('a custom domain', () => {
  test('serves its page at /, and nothing else [42.27]', async () => {
    const edge = await edgeWith();
    await edge.page('other');
    await edge.pageOnDomain('acme', 'status.example.com');
    for (const path of ['/', '/acme', '/acme.json', '/acme/history/2030-01', '/?x=1'])
      for (const host of ['status.example.com', 'STATUS.example.com.', 'status.example.com:8443'])
        expect([path, (await edge.call(path, on(host))).status]).toEqual([path, 200]);
    for (const path of [
      '/other',
      '/x/../other',
      '/status/acme',
      '/status/other',
      '/api/v1/monitors',
      '/sign-in',
      '/docs',
      '/metrics',
      '/healthz',
      '/ping/abc',
      '/acme/incidents/2',
    ]) {
      const answer = await edge.call(path, on('status.example.com'));
      expect([path, answer.status]).toEqual([path, 404]);
    }
    expect((await edge.call('/docs', on('up.example.com'))).status).toBe(200);
    expect((await edge.call('/status/acme', on('up.example.com'))).status).toBe(200);
  });

  test('takes the password of its page, with a cookie for all its paths [42.27]', async () => {
    const edge = await edgeWith();
    const hash = await QUICK_PASSWORDS.hash('three ships at anchor');
    await edge.page('acme', {
      access_type: 'password',
      access_password: hash,
      custom_domain: 'status.example.com',
      domain_verified_at: 1,
    });
    await expect
      .poll(async () => (await edge.call('/acme.json', on('status.example.com'))).status)
      .toBe(403);
    const form = {
      method: 'POST',
      headers: {
        host: 'status.example.com',
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: 'password=three+ships+at+anchor&return_to=acme',
    };
    const answer = await edge.call('/acme/sign-in', form);
    expect([answer.status, answer.headers.location]).toEqual([303, '../acme']);
    expect(answer.headers['set-cookie']![0]).toContain('; Path=/; ');
    // As all that is asked of this domain without the password.
    expect((await edge.call('/other/sign-in', form)).status).toBe(403);
  });
});

test('nothing here is a fault', async () => {
  const edge = await edgeWith();
  await edge.page('acme');
  for (const path of [
    '/status/acme?%zz',
    '/status/%zz',
    '/status/acme/%00',
    '/status/acme/badge.svg?%',
  ])
    await edge.call(path);
  expect(edge.faults).toEqual([]);
});

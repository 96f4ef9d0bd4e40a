import { describe, expect, test } from 'vitest';
import { QUICK_PASSWORDS } from '../../../test/support/quick-passwords.ts';
import { useStatusEdges } from '../../../test/support/status-edge.ts';
import { giveSubscriber, subscriberLinks } from '../../../test/support/subscribers.ts';

const edgeWith = useStatusEdges();

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const SECRET = /Lighthouse|Keepers only/;
const columns = { name: 'Lighthouse', description: 'Keepers only', language: 'en' };

/** What is below a page, without the form that asks for the password. */
const BELOW = [
  '',
  '.json',
  '.atom',
  '.rss',
  '/feed.json',
  '/embed',
  '/uncorrected',
  '/custom.css',
  '/logo',
  '/badge.svg',
  '/badge.svg?kind=uptime',
  '/badge.svg?monitor_id=1',
  '/incidents/1',
  '/history/2030-01',
  '/subscribe',
  '/confirm?token=x',
  '/subscription?token=x',
  '/unsubscribe?token=x',
  '/nothing',
  '/nothing/confirm?token=x',
];

/** Spellings of the path of a page that a router might take for it. */
const SPELLINGS = [
  '/%73tatus/acme',
  '/status/%61cme',
  '/status//acme',
  '//status/acme',
  '/status/./acme',
  '/status/x/../acme',
  '/status/x/%2e%2e/acme',
  '/status/acme%00',
  '/status/acme%2fembed',
  '/status/acme;x',
  '/status/ACME',
  'http://up.example.com/status/acme',
  'http://up.example.com/%73tatus/acme/subscribe',
  '/%73tatus/acme/subscribe',
  '/status/acme/%73ubscribe',
  '/%73tatus/acme/confirm?token=x',
  `/status/${'acme'.repeat(2_000)}`,
];

describe.each(['members', 'addresses'])('a page for %s', (access_type) => {
  test('tells outsiders nothing, whatever they ask for and however they spell it [42.25, 42.28]', async () => {
    const edge = await edgeWith();
    await edge.page('acme', { ...columns, access_type, access_addresses: '["10.0.0.0/8"]' });
    for (const path of [...BELOW.map((one) => `/status/acme${one}`), ...SPELLINGS])
      for (const method of ['GET', 'HEAD', 'POST']) {
        const answer = await edge.call(path, {
          method,
          headers: { ...FORM, 'if-none-match': '*' },
        });
        const asked = `${method} ${path}: ${answer.status}`;
        expect(asked).toMatch(/ (?:30[18]|40[0345]|414|431)$/);
        expect(`${asked} ${answer.text}`).not.toMatch(SECRET);
        expect(answer.headers.etag, asked).toBeUndefined();
        expect(answer.headers['cache-control'] ?? 'no-store', asked).toMatch(/no-store/);
      }
    expect(edge.faults).toEqual([]);
  });

  test('shows its forms to those who have a link of this page [42.28]', async () => {
    const edge = await edgeWith();
    const pageId = await edge.page('acme', { ...columns, access_type, access_addresses: '[]' });
    const otherId = await edge.page('other');
    const here = await giveSubscriber(edge.database, { teamId: edge.team, pageId }, 'a@b.test');
    const page = { teamId: edge.team, pageId: otherId };
    const there = await giveSubscriber(edge.database, page, 'a@b.test');
    for (const name of ['subscription', 'unsubscribe']) {
      const call = (id: number) =>
        edge.call(`/status/acme/${name}?token=${subscriberLinks.manageToken(id)}`);
      expect((await call(here)).status).toBe(200);
      expect((await call(there)).status).toBe(403);
    }
    const post = { method: 'POST', headers: FORM };
    const foreign = `/status/acme/unsubscribe?token=${subscriberLinks.manageToken(there)}`;
    expect((await edge.call(foreign, post)).text).not.toMatch(SECRET);
    const rows = await edge.database.read.selectFrom('subscriber').select('id').execute();
    expect(rows.map(({ id }) => id)).toEqual([here, there]);
  });
});

/** A server with two pages behind a password, and the cookie of one of them. */
async function signedIn() {
  const edge = await edgeWith();
  const access_password = await QUICK_PASSWORDS.hash('three ships at anchor');
  const access = { access_type: 'password', access_password };
  const pageId = await edge.page('acme', access);
  const other = await edge.page('other', access);
  const { headers } = await edge.call('/status/acme/sign-in', {
    method: 'POST',
    headers: FORM,
    body: 'password=three+ships+at+anchor',
  });
  const cookie = headers['set-cookie']![0]!.split(';')[0]!;
  const statusWith = async (value: string, slug = 'acme') =>
    (await edge.call(`/status/${slug}`, { headers: { cookie: value } })).status;
  return { edge, pageId, other, headers, cookie, statusWith };
}

describe('the cookie of a password', () => {
  test('opens one page, can not be made up, and is for this server only [42.23]', async () => {
    const { other, pageId, headers, cookie, statusWith } = await signedIn();
    expect(headers['set-cookie']![0]).toMatch(
      /; Path=\/status; .*; HttpOnly; SameSite=Lax; Secure$/,
    );
    expect(await statusWith(cookie)).toBe(200);
    expect(await statusWith(cookie, 'other')).toBe(403);
    const [name = '', value = ''] = cookie.split('=');
    const [until = '', signature = ''] = value.split('.');
    for (const forged of [
      `__Secure-tocsin_page_${other}=${value}`,
      `${name.replace('__Secure-', '')}=${value}`,
      `${name}=${Number(until) + 1}.${signature}`,
      `${name}=${until}.${signature.slice(0, -1)}`,
      `${name}=${until}.${'A'.repeat(43)}`,
      `${name}=1.${signature}`,
      `${name}=`,
      `${name}=${value}x`,
      `x${name}=${value}`,
    ]) {
      expect(await statusWith(forged, 'other'), forged).toBe(403);
      expect(await statusWith(forged), forged).toBe(403);
    }
    expect(pageId).not.toBe(other);
  });

  test('leads back to the own page only [42.24]', async () => {
    const { edge } = await signedIn();
    for (const target of [
      'https://evil.example/',
      '//evil.example',
      '/\\evil.example',
      'other',
      'acme/../../api',
      'acme%0d%0aSet-Cookie: a=b',
      'acme\r\nSet-Cookie: a=b',
      'acme/sign-in',
    ]) {
      const body = new URLSearchParams({ password: 'three ships at anchor', return_to: target });
      const { headers } = await edge.call('/status/acme/sign-in', {
        method: 'POST',
        headers: FORM,
        body: body.toString(),
      });
      expect([target, headers.location]).toEqual([target, '../acme']);
      expect(headers['set-cookie']).toHaveLength(1);
    }
  });
});

test('only the exact custom domain serves its page [42.27]', async () => {
  const edge = await edgeWith();
  await edge.pageOnDomain('acme', 'status.acme.test');
  for (const host of [
    'status.acme.test@evil.example',
    'status.acme.test.evil.example',
    'evil.example',
    'status.acme.test:80:80',
    '[::1]',
    '',
  ])
    expect((await edge.call('/', { headers: { host } })).text, host).not.toMatch(/^page page/);
});

test('a custom domain answers what its page does not have in the words of the page, without links to the rest of Tocsin [42.27]', async () => {
  const edge = await edgeWith();
  await edge.pageOnDomain('acme', 'status.acme.test', { language: 'fr' });
  for (const path of [
    '/acme/foo',
    '/acme/x/confirm',
    '/acme/subscribe/x',
    '/acme/sign-in/x',
    '/acme/api/v1',
  ]) {
    edge.views.length = 0;
    const ask = (method: string) =>
      edge.call(path, { method, headers: { host: 'status.acme.test', accept: 'text/html' } });
    const { status, headers, text } = await ask('GET');
    expect([path, status, headers['content-type']]).toEqual([
      path,
      404,
      'text/html; charset=utf-8',
    ]);
    expect(text).toContain('Page introuvable');
    for (const [, link] of text.matchAll(/\shref="([^"]*)"/g))
      expect(link).toMatch(/^(https:\/\/status\.acme\.test\/|(\.\.\/)+(_\/|acme$))/);
    const posted = await ask('POST');
    expect([posted.status, posted.text]).toEqual([404, text]);
    expect(edge.views).toEqual(['not_found', 'not_found']);
  }
});

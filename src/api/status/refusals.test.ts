import { expect, test } from 'vitest';
import { QUICK_PASSWORDS } from '../../../test/support/quick-passwords.ts';
import { useStatusEdges, type StatusEdge } from '../../../test/support/status-edge.ts';
import { wordsOf } from '../../status-page/render/words/index.ts';

const edgeWith = useStatusEdges();
const words = wordsOf('de').signIn;

const signIn = (edge: StatusEdge, password: string) =>
  edge.call('/status/acme/sign-in', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `password=${password}&return_to=acme`,
  });

test('a page asks for its password in its language, and leads back to what was asked for [42.23]', async () => {
  const edge = await edgeWith();
  const hash = await QUICK_PASSWORDS.hash('three ships at anchor');
  const access = { access_type: 'password', access_password: hash };
  await edge.page('acme', { ...access, name: 'Hafen', language: 'de' });
  const { status, headers, text } = await edge.call('/status/acme/history/2030-01');
  expect([status, headers['cache-control']]).toEqual([403, 'private, no-store']);
  expect(headers).toMatchObject({
    'x-robots-tag': 'noindex',
    'content-security-policy': expect.stringContaining("default-src 'none'"),
  });
  expect(text).toContain('<html lang="de"');
  expect(text).toContain('Hafen');
  expect(text).toMatch(/<input[^>]*type="password"/);
  expect(text).toMatch(/name="return_to" value="acme\/history\/2030-01"/);
  expect((await edge.call('/status/acme/sign-in')).status).toBe(403);
});

test.each(['/status/acme', '/status/acme/history/2030-01', '/status/acme/sign-in'])(
  'the form at %s has its style, and leads to the sign-in [42.23]',
  async (path) => {
    const edge = await edgeWith();
    const hash = await QUICK_PASSWORDS.hash('three ships at anchor');
    await edge.page('acme', { access_type: 'password', access_password: hash });
    const { text } = await edge.call(path);
    const linked = (pattern: RegExp) =>
      new URL(pattern.exec(text)![1]!, `https://up.example.com${path}`).pathname;
    expect(linked(/action="([^"]*)"/)).toBe('/status/acme/sign-in');
    const style = await edge.call(linked(/rel="stylesheet" href="([^"]*)"/));
    expect(style.status).toBe(200);
  },
);

test('guesses are counted for the client and the page [42.24]', async () => {
  const edge = await edgeWith({ limits: { sign_in: 3 } });
  const hash = await QUICK_PASSWORDS.hash('right');
  for (const slug of ['acme', 'other'])
    await edge.page(slug, { access_type: 'password', access_password: hash, language: 'de' });
  const answers = [];
  for (let guess = 0; guess < 4; guess++) answers.push(await signIn(edge, 'wrong'));
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 429]);
  expect(answers[0]!.text).toContain(words.wrong);
  expect(answers[3]!.text).toContain(words.tooMany);
  expect((await signIn(edge, 'right')).status).toBe(429);
  const other = await edge.call('/status/other/sign-in', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'password=right',
  });
  expect(other.status).toBe(303);
});

test.each([
  ['members', words.membersTitle],
  ['addresses', words.addressTitle],
])('a page for %s tells outsiders nothing but why [42.25, 42.26]', async (type, title) => {
  const edge = await edgeWith();
  await edge.page('acme', {
    access_type: type,
    access_addresses: '["10.0.0.0/8"]',
    name: 'Hafen',
    description: 'Geheim',
    language: 'de',
  });
  const { status, text } = await edge.call('/status/acme');
  expect(status).toBe(403);
  expect(text).toContain(title);
  expect(text).not.toMatch(/Hafen|Geheim/);
  expect(text.includes('/sign-in">')).toBe(type === 'members');
  expect((await edge.call('/status/acme/logo')).status).toBe(403);
});

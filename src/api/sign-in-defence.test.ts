import { type TOTP, URI } from 'otpauth';
import { describe, expect, it, test } from 'vitest';
import { openApi, type TestApi } from '../../test/support/api.ts';
import { openBrowser, type TestBrowser } from '../../test/support/browser.ts';
import { eachDatabase } from '../../test/support/databases.ts';
import {
  aliceSignedIn,
  audited,
  freezeDates,
  givePassword,
  pass,
  PASSWORD,
  SESSION_COOKIE,
  signIn,
} from '../../test/support/sign-in.ts';
import { openInMemory } from '../../test/support/memory-database.ts';

const CHANGE = '/api/auth/change-password';
const VERIFY = '/api/auth/two-factor/verify-totp';

const inMemory = async () => openApi(await openInMemory());

freezeDates();

async function edSignedIn(api: TestApi): Promise<TestBrowser> {
  await givePassword(api, api.ed);
  const browser = openBrowser(api);
  expect((await signIn(browser, 'ed@example.com')).status).toBe(200);
  return browser;
}

async function linkFor(api: TestApi, email: string): Promise<string> {
  await openBrowser(api).post('/api/auth/request-password-reset', { email });
  await api.signIn.close();
  const { text } = (await api.mails()).at(-1)!;
  return /reset-password\?token=([\w-]+)/.exec(text)![1]!;
}

/** Ways to write one's own session cookie that not every reader takes for one. */
const ODD_COOKIES: [string, (value: string) => string][] = [
  [
    'without padding',
    (value) => `${SESSION_COOKIE}=${decodeURIComponent(value).replace(/=+$/, '')}`,
  ],
  [
    'after one whose name ends in a space',
    (value) => `${SESSION_COOKIE} =x; ${SESSION_COOKIE}=${value}`,
  ],
  ['under a name that ends in a space', (value) => `${SESSION_COOKIE} =${value}`],
  ['in quotes', (value) => `${SESSION_COOKIE}="${value}"`],
  ['before another one', (value) => `${SESSION_COOKIE}=${value}; ${SESSION_COOKIE}=x`],
  ['after another one', (value) => `${SESSION_COOKIE}=x; ${SESSION_COOKIE}=${value}`],
];

describe('all code reads the same session, or none, from an odd cookie', () => {
  it.each(ODD_COOKIES)('a used code stays used beside a session %s', async (_name, write) => {
    const api = await inMemory();
    const alice = await aliceSignedIn(api);
    const { body } = await alice.post('/api/auth/two-factor/enable', { password: PASSWORD });
    const totp = URI.parse(String(body['totpURI'])) as TOTP;
    const code = totp.generate({ timestamp: Date.now() });
    expect((await alice.post(VERIFY, { code })).status).toBe(200);

    const ed = await edSignedIn(api);
    const thief = openBrowser(api);
    expect((await signIn(thief)).body).toMatchObject({ twoFactorRedirect: true });
    const cookie = `${thief.cookie()}; ${write(ed.cookies.get(SESSION_COOKIE)!)}`;
    expect((await thief.post(VERIFY, { code }, { cookie })).status).not.toBe(200);
    expect(thief.cookies.has(SESSION_COOKIE)).toBe(false);
  });

  it.each(ODD_COOKIES)('what a session %s changes is told', async (_name, write) => {
    const api = await inMemory();
    const alice = await aliceSignedIn(api);
    const cookie = write(alice.cookies.get(SESSION_COOKIE)!);
    const change = { currentPassword: PASSWORD, newPassword: 'wholly other words' };
    const { status } = await openBrowser(api).post(CHANGE, change, { cookie });
    const told = [await audited(api), (await api.mails()).map(({ kind }) => kind)];
    const tells = [
      expect.arrayContaining(['person.password_changed by Alice']),
      ['password_changed'],
    ];
    expect(told).toEqual(status === 200 ? tells : [['session.created by Alice'], []]);
  });
});

eachDatabase((_name, open) => {
  test('a new password ends all reset links, however it was set [35.4, 36.13]', async () => {
    const api = await openApi(await open());
    await givePassword(api, api.ed);
    const alice = await aliceSignedIn(api);
    const [first, second, third] = [
      await linkFor(api, 'alice@example.com'),
      await linkFor(api, 'alice@example.com'),
      await linkFor(api, 'alice@example.com'),
    ];
    const ofEd = await linkFor(api, 'ed@example.com');
    const reset = async (token: string) =>
      (await openBrowser(api).post('/api/auth/reset-password', { token, newPassword: token }))
        .status;

    const atOnce = await Promise.all([reset(first), reset(second), reset(first)]);
    expect(atOnce.toSorted()).toEqual([200, 400, 400]);
    expect(await reset(third)).toBe(400);
    expect((await alice.get('/api/v1')).status).toBe(401);

    const ed = openBrowser(api);
    await signIn(ed, 'ed@example.com');
    const change = { currentPassword: PASSWORD, newPassword: 'wholly other words' };
    expect((await ed.post(CHANGE, change)).status).toBe(200);
    expect(await reset(ofEd)).toBe(400);
    expect(await audited(api)).toEqual([
      'session.created by Alice',
      'person.password_changed by Alice',
      'session.created by Ed',
      'person.password_changed by Ed',
    ]);
  });

  test('a reset link is valid for an hour, also for people without a password [36.14]', async () => {
    const api = await openApi(await open());
    const [link, late] = [
      await linkFor(api, 'ed@example.com'),
      await linkFor(api, 'vera@example.com'),
    ];
    const reset = (token: string) =>
      openBrowser(api).post('/api/auth/reset-password', { token, newPassword: PASSWORD });
    expect((await reset(link)).body).toEqual({ status: true });
    expect((await signIn(openBrowser(api), 'ed@example.com')).status).toBe(200);
    await pass(api, 3_600_000);
    expect((await reset(late)).body).toMatchObject({
      message: 'Invalid token.',
      code: 'INVALID_TOKEN',
    });
  });
});

describe('redirects to other sites are refused', () => {
  const ADDRESSES = [
    'https://evil.example',
    '//evil.example',
    '/..//evil.example',
    '/.//evil.example',
    '/a/../..//evil.example',
    '/%2e%2e//evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
    'https://up.example.com.evil.example',
  ];

  it.each(ADDRESSES)('%s is refused', async (address) => {
    const api = await inMemory();
    for (const name of ['callbackURL', 'errorCallbackURL', 'newUserCallbackURL']) {
      const body = { provider: 'google', [name]: address };
      expect((await openBrowser(api).post('/api/auth/sign-in/social', body)).status).toBe(403);
    }
  });

  it.each(['/account', '/a//b?c=//d', 'https://up.example.com/account'])(
    '%s is accepted',
    async (address) => {
      const database = await openInMemory();
      const google = { googleClientId: 'our-id', googleClientSecret: 'secret' };
      const api = await openApi(database, {}, {}, google);
      for (const name of ['callbackURL', 'errorCallbackURL', 'newUserCallbackURL']) {
        const body = { provider: 'google', [name]: address };
        expect((await openBrowser(api).post('/api/auth/sign-in/social', body)).status).toBe(200);
      }
    },
  );
});

test('HEAD, as sent by mail scanners, does not use up a link', async () => {
  const api = await inMemory();
  const url = '/api/auth/callback/google?state=x&code=x';
  const { statusCode, headers } = await api.app.inject({ method: 'HEAD', url });
  expect([statusCode, headers['allow']]).toEqual([405, 'GET']);
});

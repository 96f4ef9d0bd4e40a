import { type TOTP, URI } from 'otpauth';
import { describe, expect, it } from 'vitest';
import { openApi, type TestApi } from '../../test/support/api.ts';
import { createAuthenticator } from '../../test/support/authenticator.ts';
import { openBrowser, type TestBrowser } from '../../test/support/browser.ts';
import { eachDatabase } from '../../test/support/databases.ts';
import {
  aliceSignedIn,
  audited,
  freezeDates,
  pass,
  PASSWORD,
  SESSION_COOKIE,
  signIn,
} from '../../test/support/sign-in.ts';
import { openInMemory } from '../../test/support/memory-database.ts';

const STEP_MS = 30_000;
const SITE = { origin: 'https://up.example.com', rpId: 'up.example.com' };

freezeDates();

/** Alice with an authenticator, and her recovery codes. */
async function enrolled(api: TestApi, browser: TestBrowser) {
  const { status, body } = await browser.post('/api/auth/two-factor/enable', {
    password: PASSWORD,
  });
  expect(status).toBe(200);
  const totp = URI.parse(String(body['totpURI'])) as TOTP;
  const code = () => totp.generate({ timestamp: Date.now() });
  expect((await verify(browser, code())).status).toBe(200);
  await pass(api, STEP_MS);
  return { code, recoveryCodes: body['backupCodes'] as string[] };
}

const verify = (browser: TestBrowser, code: string) =>
  browser.post('/api/auth/two-factor/verify-totp', { code });

const recover = (browser: TestBrowser, code: string) =>
  browser.post('/api/auth/two-factor/verify-backup-code', { code });

async function sessions(api: TestApi) {
  const rows = api.database.read.selectFrom('session').select(['id', 'method', 'team_id']);
  return rows.orderBy('id').execute();
}

eachDatabase((_name, open) => {
  it('a pending second factor ends when the password changes', async () => {
    const api = await openApi(await open());
    const alice = await aliceSignedIn(api);
    const { code } = await enrolled(api, alice);
    const waiting = openBrowser(api);
    expect((await signIn(waiting)).body).toMatchObject({ twoFactorRedirect: true });
    const change = { currentPassword: PASSWORD, newPassword: 'wholly other words' };
    expect((await alice.post('/api/auth/change-password', change)).status).toBe(200);
    expect((await verify(waiting, code())).status).toBe(401);
    expect(waiting.cookies.has(SESSION_COOKIE)).toBe(false);
  });

  it('requires a code of the authenticator: no session without it, and no code works twice', async () => {
    const api = await openApi(await open());
    const browser = await aliceSignedIn(api);
    const { code } = await enrolled(api, browser);
    expect(await sessions(api)).toMatchObject([{ method: 'password', team_id: api.alice.teamId }]);
    expect((await browser.get('/api/v1')).status).toBe(200);

    const second = openBrowser(api);
    const first = await signIn(second);
    expect(first.body).toMatchObject({ twoFactorRedirect: true, twoFactorMethods: ['totp'] });
    expect(second.cookies.has(SESSION_COOKIE)).toBe(false);
    expect(await sessions(api)).toHaveLength(1);
    expect((await verify(second, code() === '000000' ? '111111' : '000000')).status).toBe(401);
    const used = code();
    expect((await verify(second, used)).status).toBe(200);
    expect((await second.get('/api/v1')).body).toMatchObject({ user: { name: 'Alice' } });
    expect(await sessions(api)).toMatchObject([
      {},
      { method: 'password', team_id: api.alice.teamId },
    ]);

    const third = openBrowser(api);
    await signIn(third);
    const replayed = await verify(third, used);
    expect([replayed.status, replayed.body['message']]).toEqual([
      401,
      'This code was used already. Wait for the next one.',
    ]);
    expect(third.cookies.has(SESSION_COOKIE)).toBe(false);
    expect(await audited(api)).toEqual([
      'session.created by Alice',
      'person.mfa_enabled by Alice',
      'session.created by Alice',
    ]);
  });

  it('accepts recovery codes, each once', async () => {
    const api = await openApi(await open());
    const { recoveryCodes } = await enrolled(api, await aliceSignedIn(api));
    const [code = ''] = recoveryCodes;
    const browser = openBrowser(api);
    await signIn(browser);
    expect((await recover(browser, code)).status).toBe(200);
    expect((await browser.get('/api/v1')).status).toBe(200);
    const again = openBrowser(api);
    await signIn(again);
    expect((await recover(again, code)).status).toBe(401);
    const stored = await api.database.read.selectFrom('two_factor').selectAll().execute();
    expect(JSON.stringify(stored)).not.toContain(recoveryCodes[1]);
  });

  it('registers a passkey, and signs in with it', async () => {
    const api = await openApi(await open());
    const browser = await aliceSignedIn(api);
    const passkey = createAuthenticator(SITE);
    const { body: options } = await browser.get('/api/auth/passkey/generate-register-options');
    expect(options).toMatchObject({
      rp: { id: 'up.example.com', name: 'Tocsin' },
      user: { name: 'alice@example.com' },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    const response = passkey.register(options as { challenge: string });
    const registered = await browser.post('/api/auth/passkey/verify-registration', {
      response,
      name: 'Laptop',
    });
    expect([registered.status, registered.body['name']]).toEqual([200, 'Laptop']);

    const other = openBrowser(api);
    const asked = await other.get('/api/auth/passkey/generate-authenticate-options');
    const answer = passkey.authenticate(asked.body as { challenge: string });
    const verifyPasskey = () =>
      other.post('/api/auth/passkey/verify-authentication', { response: answer });
    const signedIn = await verifyPasskey();
    expect(signedIn.status).toBe(200);
    expect(JSON.stringify(signedIn.body)).not.toContain(
      other.cookies.get(SESSION_COOKIE)!.split('.')[0],
    );
    expect((await other.get('/api/v1')).body).toMatchObject({ user: { name: 'Alice' } });
    expect(await sessions(api)).toMatchObject([{ method: 'password' }, { method: 'passkey' }]);
    expect((await verifyPasskey()).status).toBe(400);
    const stored = await api.database.read.selectFrom('passkey').selectAll().execute();
    expect(stored).toMatchObject([{ counter: 2, backed_up: 0, created_at: Date.now() }]);

    const foreign = await browser.post('/api/auth/passkey/delete-passkey', { id: 'x' });
    expect(foreign.status).toBe(404);
    const removed = await browser.post('/api/auth/passkey/delete-passkey', {
      id: String(stored[0]!.id),
    });
    expect(removed.status).toBe(200);
    expect((await audited(api)).slice(1)).toEqual([
      'person.passkey_added by Alice',
      'session.created by Alice',
      'person.passkey_removed by Alice',
    ]);
  });
});

describe('a second factor', () => {
  it('is locked after guesses, whatever challenge they belong to, and opens again later [36.15]', async () => {
    const api = await openApi(await openInMemory());
    const { code } = await enrolled(api, await aliceSignedIn(api));
    let answer = { status: 0 };
    for (let round = 0; round < 2; round += 1) {
      const browser = openBrowser(api);
      await signIn(browser);
      for (let guess = 0; guess < 5; guess += 1) {
        const wrong = String(round * 5 + guess).padStart(6, '0');
        answer = await verify(browser, wrong);
        expect(answer.status).toBe(401);
      }
      expect((await verify(browser, `99999${round}`)).status).toBe(round === 0 ? 400 : 429);
    }
    const browser = openBrowser(api);
    await signIn(browser);
    expect((await verify(browser, code())).status).toBe(429);
    await pass(api, 16 * 60_000);
    const later = openBrowser(api);
    await signIn(later);
    expect((await verify(later, code())).status).toBe(200);
  });

  it('can be disabled with the password, and then is not required', async () => {
    const api = await openApi(await openInMemory());
    const browser = await aliceSignedIn(api);
    await enrolled(api, browser);
    const disable = (password: string) =>
      browser.post('/api/auth/two-factor/disable', { password });
    expect((await disable('not this one')).status).toBe(400);
    expect((await disable(PASSWORD)).status).toBe(200);
    expect((await browser.get('/api/v1')).status).toBe(200);
    const other = openBrowser(api);
    await signIn(other);
    expect((await other.get('/api/v1')).status).toBe(200);
    expect(await audited(api)).toContain('person.mfa_disabled by Alice');
  });

  it('is required at each sign-in, in every browser', async () => {
    const api = await openApi(await openInMemory());
    const { code } = await enrolled(api, await aliceSignedIn(api));
    const browser = openBrowser(api);
    await signIn(browser);
    const body = { code: code(), trustDevice: true };
    expect((await browser.post('/api/auth/two-factor/verify-totp', body)).status).toBe(200);
    await browser.post('/api/auth/sign-out');
    expect((await signIn(browser)).body).toMatchObject({ twoFactorRedirect: true });
  });

  it('is not satisfied by a passkey without user verification [36.16]', async () => {
    const api = await openApi(await openInMemory());
    const browser = await aliceSignedIn(api);
    const passkey = createAuthenticator({ ...SITE, verifiesUser: false });
    const { body } = await browser.get('/api/auth/passkey/generate-register-options');
    const response = passkey.register(body as { challenge: string });
    const refused = await browser.post('/api/auth/passkey/verify-registration', { response });
    expect([refused.status, refused.body['message']]).toEqual([
      401,
      'The passkey did not ask who uses it. Use one that asks for a finger, a face or a PIN.',
    ]);
    expect(await api.database.read.selectFrom('passkey').selectAll().execute()).toEqual([]);
  });

  it('needs a session to be registered', async () => {
    const api = await openApi(await openInMemory());
    const { status } = await openBrowser(api).get('/api/auth/passkey/generate-register-options');
    expect(status).toBe(401);
  });
});

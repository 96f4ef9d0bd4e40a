import { type TOTP, URI } from 'otpauth';
import { describe, expect, it } from 'vitest';
import { NO_MAIL, openApi, type TestApi } from '../../test/support/api.ts';
import { createAuthenticator } from '../../test/support/authenticator.ts';
import { openBrowser, type TestBrowser } from '../../test/support/browser.ts';
import { eachDatabase } from '../../test/support/databases.ts';
import { openInMemory } from '../../test/support/memory-database.ts';
import { updateRows } from '../../test/support/rows.ts';
import {
  aliceSignedIn,
  freezeDates,
  givePassword,
  pass,
  PASSWORD,
  signIn,
} from '../../test/support/sign-in.ts';
import { issueResetToken } from '../identity/setup-token.ts';

const OTHER_PASSWORD = 'wholly other words';
const MINUTE_MS = 60_000;
const SITE = { origin: 'https://up.example.com', rpId: 'up.example.com' };
const REGISTER = '/api/auth/passkey/generate-register-options';
const SEND_CODE = '/api/auth/two-factor/send-enrollment-code';
const CONFIRM_CODE = '/api/auth/two-factor/confirm-enrollment-code';

freezeDates();

const enable = (browser: TestBrowser, password: string = PASSWORD) =>
  browser.post('/api/auth/two-factor/enable', { password });

/** Sets an authenticator up. @returns the code that it shows. */
async function enroll(browser: TestBrowser, password: string = PASSWORD): Promise<() => string> {
  const { body } = await enable(browser, password);
  const totp = URI.parse(String(body['totpURI'])) as TOTP;
  const code = () => totp.generate({ timestamp: Date.now() });
  const { status } = await browser.post('/api/auth/two-factor/verify-totp', { code: code() });
  expect(status).toBe(200);
  return code;
}

async function addPasskey(browser: TestBrowser) {
  const options = await browser.get(REGISTER);
  if (options.status !== 200) return options;
  const response = createAuthenticator(SITE).register(options.body as { challenge: string });
  return browser.post('/api/auth/passkey/verify-registration', { response });
}

/** Ed signed in with his password alone, in a team that requires two-factor authentication. */
async function edInStrictTeam(api: TestApi): Promise<TestBrowser> {
  await updateRows(api.database, 'team', { mfa_required: 1 }, { id: api.ed.teamId });
  await givePassword(api, api.ed);
  const browser = openBrowser(api);
  expect((await signIn(browser, 'ed@example.com')).status).toBe(200);
  expect((await browser.get('/api/v1/monitors')).status).toBe(403);
  return browser;
}

async function mailedCode(api: TestApi): Promise<string> {
  const { to, kind, text } = (await api.mails()).at(-1)!;
  expect([to, kind]).toEqual(['ed@example.com', 'enrollment_code']);
  return /^[A-Z0-9]{10}$/m.exec(text)![0];
}

eachDatabase((_name, open) => {
  it('in a team that requires it, a password alone sets up no second factor: a mailed code is needed [37.29]', async () => {
    const api = await openApi(await open());
    const thief = await edInStrictTeam(api);
    for (const refused of [await enable(thief), await addPasskey(thief)]) {
      expect([refused.status, refused.body['code']]).toEqual([403, 'ENROLLMENT_CODE_NEEDED']);
      expect(refused.body['message']).toMatch(/enter the code that Tocsin mails/);
    }
    expect((await thief.post(SEND_CODE)).status).toBe(200);
    const code = await mailedCode(api);
    const guessed = await thief.post(CONFIRM_CODE, { code: 'AAAAAAAAAA' });
    expect([guessed.status, guessed.body['code']]).toEqual([400, 'INVALID_CODE']);
    expect((await enable(thief)).status).toBe(403);

    // The person who reads the mail types it in lower case and in groups.
    const ed = openBrowser(api);
    await signIn(ed, 'ed@example.com');
    const typed = `${code.slice(0, 5)} ${code.slice(5)}`.toLowerCase();
    expect((await ed.post(CONFIRM_CODE, { code: typed })).status).toBe(200);
    // It works once, and only for the session that it was entered in.
    expect((await thief.post(CONFIRM_CODE, { code })).status).toBe(400);
    expect((await enable(thief)).status).toBe(403);
    await enroll(ed);
    expect((await ed.get('/api/v1/monitors')).status).toBe(200);
  });

  it('a password alone moves no address to approve a factor from there, and no code goes to an unconfirmed one [37.29]', async () => {
    const api = await openApi(await open());
    const thief = await edInStrictTeam(api);
    const move = () => thief.post('/api/auth/change-email', { newEmail: 'thief@example.com' });
    const refused = await move();
    expect([refused.status, refused.body['code']]).toEqual([403, 'ENROLLMENT_CODE_NEEDED']);
    await updateRows(api.database, 'person', { email_verified: 0 }, { id: api.ed.personId });
    for (const answer of [await thief.post(SEND_CODE, {}), await move(), await enable(thief)]) {
      expect(answer.status).toBe(403);
      expect(answer.body['message']).toMatch(/a link that sets a new password/);
    }
    expect(await api.mails()).toEqual([]);
  });

  it('a code ends when the next is sent, and after 15 minutes; its approval after an hour [37.29]', async () => {
    const api = await openApi(await open());
    const ed = await edInStrictTeam(api);
    await ed.post(SEND_CODE);
    const first = await mailedCode(api);
    await ed.post(SEND_CODE);
    const second = await mailedCode(api);
    expect((await ed.post(CONFIRM_CODE, { code: first })).status).toBe(400);
    await pass(api, 15 * MINUTE_MS);
    expect((await ed.post(CONFIRM_CODE, { code: second })).status).toBe(400);
    await ed.post(SEND_CODE);
    expect((await ed.post(CONFIRM_CODE, { code: await mailedCode(api) })).status).toBe(200);
    const fourth = await ed.post(SEND_CODE);
    expect([fourth.status, fourth.body['retry_after']]).toEqual([429, expect.any(Number)]);
    await pass(api, 60 * MINUTE_MS);
    expect((await enable(ed)).body['code']).toBe('ENROLLMENT_CODE_NEEDED');
  });
});

describe('the first factor in a team that requires one', () => {
  it('can be set up for an hour after a password was set by a link, without mail too [37.29]', async () => {
    const api = await openApi(await openInMemory(), { mailQueue: NO_MAIL });
    const thief = await edInStrictTeam(api);
    const refused = await enable(thief);
    expect(refused.body['message']).toMatch(/ask an admin of your team or the operator for a link/);
    expect((await thief.post(SEND_CODE)).status).toBe(403);

    const { token } = await api.database.transaction((tx) =>
      issueResetToken(tx, api.ed.personId, api.clock.now()),
    );
    const ed = openBrowser(api);
    const reset = { token, newPassword: OTHER_PASSWORD };
    expect((await ed.post('/api/auth/reset-password', reset)).status).toBe(200);
    expect((await signIn(thief, 'ed@example.com')).status).toBe(401);
    await signIn(ed, 'ed@example.com', OTHER_PASSWORD);
    await enroll(ed, OTHER_PASSWORD);
    expect((await ed.get('/api/v1/monitors')).status).toBe(200);
  });

  it('needs the code also when it was begun before, and for people whose passkey was not used [37.29]', async () => {
    const api = await openApi(await openInMemory());
    await givePassword(api, api.ed);
    const ed = openBrowser(api);
    await signIn(ed, 'ed@example.com');
    expect((await addPasskey(ed)).status).toBe(200);
    const { body } = await enable(ed);
    const totp = URI.parse(String(body['totpURI'])) as TOTP;
    await edInStrictTeam(api);
    const code = totp.generate({ timestamp: Date.now() });
    const verified = await ed.post('/api/auth/two-factor/verify-totp', { code });
    expect([verified.status, verified.body['code']]).toEqual([403, 'ENROLLMENT_CODE_NEEDED']);
    expect((await enable(ed)).status).toBe(403);
  });

  it('needs no code elsewhere, and none for those who have a factor', async () => {
    const api = await openApi(await openInMemory());
    const alice = await aliceSignedIn(api);
    await enroll(alice);
    await updateRows(api.database, 'team', { mfa_required: 1 });
    expect((await addPasskey(alice)).status).toBe(200);
  });
});

describe('a change of how somebody signs in', () => {
  const CHANGES: [string, (browser: TestBrowser) => Promise<{ status: number; body: object }>][] = [
    ['adding a passkey', (browser) => browser.get(REGISTER)],
    [
      'finishing a passkey',
      (browser) => browser.post('/api/auth/passkey/verify-registration', { response: {} }),
    ],
    [
      'removing a passkey',
      (browser) => browser.post('/api/auth/passkey/delete-passkey', { id: '1' }),
    ],
    ['linking a provider', (browser) => browser.post('/api/auth/link-social', { provider: 'x' })],
    [
      'unlinking a provider',
      (browser) => browser.post('/api/auth/unlink-account', { providerId: 'x' }),
    ],
    [
      'an authenticator without the password',
      (browser) => browser.post('/api/auth/two-factor/enable'),
    ],
  ];

  it.each(CHANGES)(
    '%s needs the password or a factor again after ten minutes [36.36]',
    async (_what, change) => {
      const api = await openApi(await openInMemory());
      const alice = await aliceSignedIn(api);
      expect((await change(alice)).body).not.toMatchObject({ code: 'PROOF_NEEDED' });
      await pass(api, 10 * MINUTE_MS);
      const { status, body } = await change(alice);
      expect([status, body]).toEqual([
        403,
        expect.objectContaining({ code: 'PROOF_NEEDED', message: expect.stringMatching(/again/) }),
      ]);

      const wrong = await alice.post('/api/auth/confirm-password', { password: 'not this one' });
      expect([wrong.status, wrong.body['code']]).toEqual([400, 'INVALID_PASSWORD']);
      const right = () => alice.post('/api/auth/confirm-password', { password: PASSWORD });
      expect((await right()).status).toBe(200);
      expect((await change(alice)).body).not.toMatchObject({ code: 'PROOF_NEEDED' });
      await pass(api, 10 * MINUTE_MS);
      expect((await change(alice)).body).toMatchObject({ code: 'PROOF_NEEDED' });
      // Of another session it proves nothing.
      const other = openBrowser(api);
      await signIn(other);
      expect((await change(alice)).body).toMatchObject({ code: 'PROOF_NEEDED' });
    },
  );

  it('is proven by a code of the authenticator, too; a wrong one proves nothing [36.36]', async () => {
    const api = await openApi(await openInMemory());
    const alice = await aliceSignedIn(api);
    const code = await enroll(alice);
    await pass(api, 10 * MINUTE_MS);
    expect((await alice.get(REGISTER)).status).toBe(403);
    const verify = (given: string) =>
      alice.post('/api/auth/two-factor/verify-totp', { code: given });
    expect((await verify(code() === '000000' ? '111111' : '000000')).status).toBe(401);
    expect((await alice.get(REGISTER)).status).toBe(403);
    expect((await verify(code())).status).toBe(200);
    expect((await alice.get(REGISTER)).status).toBe(200);
  });

  it('is needed to change the address [36.36]', async () => {
    const api = await openApi(await openInMemory());
    const browser = await aliceSignedIn(api);
    await pass(api, 10 * MINUTE_MS);
    const change = () => browser.post('/api/auth/change-email', { newEmail: 'a@new.example' });
    const refused = await change();
    expect([refused.status, refused.body['code']]).toEqual([403, 'PROOF_NEEDED']);
    await browser.post('/api/auth/confirm-password', { password: PASSWORD });
    expect((await change()).status).toBe(200);
  });

  it('is proven for people without a password by signing in again [36.36]', async () => {
    const api = await openApi(await openInMemory());
    const alice = await aliceSignedIn(api);
    await api.database.transaction((tx) =>
      tx.deleteFrom('credential').where('person_id', '=', api.alice.personId).execute(),
    );
    const enableWithout = () => alice.post('/api/auth/two-factor/enable', { password: 'anything' });
    expect((await enableWithout()).status).toBe(200);
    await pass(api, 10 * MINUTE_MS);
    expect((await enableWithout()).body).toMatchObject({ code: 'PROOF_NEEDED' });
    const confirmed = await alice.post('/api/auth/confirm-password', { password: 'anything' });
    expect(confirmed.status).toBe(400);
  });

  it('is confirmed by nobody who is not signed in, and not from another site', async () => {
    const api = await openApi(await openInMemory());
    const body = { password: PASSWORD };
    expect((await openBrowser(api).post('/api/auth/confirm-password', body)).status).toBe(401);
    const alice = await aliceSignedIn(api);
    const headers = { origin: 'https://evil.example' };
    for (const path of ['/api/auth/confirm-password', SEND_CODE, CONFIRM_CODE]) {
      expect((await alice.post(path, body, headers)).status).toBe(403);
    }
    expect(await api.mails()).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { openApi } from '../../test/support/api.ts';
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
  SIGN_IN,
  signIn,
} from '../../test/support/sign-in.ts';
import { openInMemory } from '../../test/support/memory-database.ts';
import { expire } from '../store/engine/expiry.ts';

const DAY_MS = 86_400_000;
const OTHER_PASSWORD = 'wholly other words';

/** Token of the link in a verification mail. */
function verificationToken(text: string): string {
  return /https:\/\/up\.example\.com\/verify-email\?token=(\S+)/.exec(text)![1]!;
}

/** Confirms an address as the button of its page does. */
function confirm(browser: TestBrowser, token: string) {
  return browser.post('/api/auth/verify-email', { token });
}

freezeDates();

eachDatabase((_name, open) => {
  it('signs in with a password: the API accepts the cookie, and the database does not contain its token [36.1, 36.2]', async () => {
    const api = await openApi(await open());
    await givePassword(api, api.alice);
    const browser = openBrowser(api, { address: '192.0.2.7' });
    const answer = await signIn(browser);
    expect(answer.status).toBe(200);
    expect(answer.setCookies).toHaveLength(1);
    expect(answer.setCookies[0]).toMatch(
      /; Max-Age=604800; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );

    expect((await browser.get('/api/v1')).body).toMatchObject({ user: { name: 'Alice' } });
    const token = browser.cookies.get(SESSION_COOKIE)!.split('.')[0]!;
    expect(JSON.stringify(answer.body)).not.toContain(token);
    const rows = await api.database.read.selectFrom('session').selectAll().execute();
    expect(rows).toMatchObject([
      { method: 'password', team_id: api.alice.teamId, ip_address: '192.0.2.7' },
    ]);
    const verifications = await api.database.read.selectFrom('verification').selectAll().execute();
    expect(JSON.stringify([rows, verifications])).not.toContain(token);
    expect(await audited(api)).toEqual(['session.created by Alice']);
    const { last_login_at } = await api.database.read
      .selectFrom('person')
      .select('last_login_at')
      .where('id', '=', api.alice.personId)
      .executeTakeFirstOrThrow();
    expect(last_login_at).toBe(api.clock.now());
  });

  it("creates a new session at each sign-in, and ends the browser's former one [36.12]", async () => {
    const api = await openApi(await open());
    const browser = await aliceSignedIn(api);
    const former = browser.cookie();
    await signIn(browser);
    expect(browser.cookie()).not.toBe(former);
    expect((await browser.get('/api/v1')).status).toBe(200);
    const stale = await openBrowser(api).get('/api/v1', { cookie: former });
    expect(stale.status).toBe(401);
  });

  it('signing out ends the session at once', async () => {
    const api = await openApi(await open());
    const browser = await aliceSignedIn(api);
    const cookie = browser.cookie();
    expect((await browser.get('/api/v1')).status).toBe(200);
    expect((await browser.post('/api/auth/sign-out')).status).toBe(200);
    expect(browser.cookies.size).toBe(0);
    expect((await openBrowser(api).get('/api/v1', { cookie })).status).toBe(401);
    expect(await audited(api)).toEqual(['session.created by Alice', 'session.deleted by Alice']);
  });

  it('sets a new password by a one-time link; ends all sessions, and notifies the person by mail', async () => {
    const api = await openApi(await open());
    const browser = await aliceSignedIn(api);
    const asked = await openBrowser(api).post('/api/auth/request-password-reset', {
      email: 'Alice@example.com',
    });
    await api.signIn.close();
    const unknown = await openBrowser(api).post('/api/auth/request-password-reset', {
      email: 'nobody@example.com',
    });
    await api.signIn.close();
    expect([asked.status, asked.body]).toEqual([unknown.status, unknown.body]);
    const mails = await api.mails();
    expect(mails.map(({ to, kind }) => [to, kind])).toEqual([
      ['alice@example.com', 'reset_password'],
    ]);
    const token = /reset-password\?token=([\w-]+)/.exec(mails[0]!.text)![1]!;
    const reset = (newPassword: string) =>
      openBrowser(api).post('/api/auth/reset-password', { token, newPassword });

    const weak = await reset('alice@example.com');
    expect([weak.status, weak.body['errors']]).toEqual([
      422,
      { newPassword: ["newPassword must not be the person's own e-mail address or name."] },
    ]);
    expect((await reset(OTHER_PASSWORD)).status).toBe(200);
    expect((await reset('yet another one')).status).toBe(400);
    expect((await browser.get('/api/v1')).status).toBe(401);
    expect((await signIn(openBrowser(api), 'alice@example.com', PASSWORD)).status).toBe(401);
    expect((await signIn(openBrowser(api), 'alice@example.com', OTHER_PASSWORD)).status).toBe(200);
    expect((await api.mails()).map(({ kind }) => kind)).toEqual([
      'reset_password',
      'password_changed',
    ]);
    expect(await audited(api)).toContain('person.password_changed by Alice');
  });

  it("changes a password: ends other sessions, and replaces this browser's with one of the same method and team", async () => {
    const api = await openApi(await open());
    const browser = await aliceSignedIn(api);
    const other = openBrowser(api);
    await signIn(other);
    const former = browser.cookie();
    const change = (currentPassword: string) =>
      browser.post('/api/auth/change-password', { currentPassword, newPassword: OTHER_PASSWORD });
    expect((await change('not this one')).status).toBe(400);
    expect((await change(PASSWORD)).status).toBe(200);
    expect(browser.cookie()).not.toBe(former);
    expect((await browser.get('/api/v1')).status).toBe(200);
    expect((await other.get('/api/v1')).status).toBe(401);
    const rows = await api.database.read.selectFrom('session').selectAll().execute();
    expect(rows).toMatchObject([{ method: 'password', team_id: api.alice.teamId }]);
    expect((await api.mails()).map(({ kind }) => kind)).toEqual(['password_changed']);
  });

  it('with open sign-up anybody with a verified address can sign up, with a team of their own [36.19]', async () => {
    const api = await openApi(await open(), {}, {}, { openSignup: true });
    const browser = openBrowser(api);
    const person = { name: 'Newton', email: 'Newton@example.com', password: PASSWORD };
    const first = await browser.post('/api/auth/sign-up/email', person);
    const taken = await browser.post('/api/auth/sign-up/email', {
      ...person,
      email: 'ed@example.com',
    });
    expect([first.status, first.body]).toEqual([200, taken.body]);
    expect(browser.cookies.size).toBe(0);
    expect((await signIn(browser, person.email)).status).toBe(403);

    const [mail] = await api.mails();
    expect(mail).toMatchObject({ to: 'newton@example.com', kind: 'verification' });
    const token = verificationToken(mail!.text);
    // What a scanner of mails may make of the link.
    const opened = await browser.get(`/api/auth/verify-email?token=${token}`);
    expect([opened.status, opened.headers['allow']]).toEqual([405, 'POST']);
    expect((await signIn(browser, person.email)).status).toBe(403);

    const forged = await confirm(browser, `${token.slice(0, -4)}AAAA`);
    expect([forged.status, forged.body['code']]).toEqual([401, 'INVALID_TOKEN']);
    const unfit = await browser.post('/api/auth/verify-email', { token: [token] });
    expect([unfit.status, Object.keys(unfit.body['errors'] as object)]).toEqual([422, ['token']]);
    const confirmed = await confirm(browser, token);
    expect([confirmed.status, confirmed.body]).toEqual([200, { status: true }]);
    expect(browser.cookies.size).toBe(0);
    expect((await confirm(browser, token)).status).toBe(200);
    expect((await signIn(browser, person.email)).status).toBe(200);
    expect((await browser.get('/api/v1')).body).toMatchObject({
      user: { name: 'Newton', email: 'newton@example.com', timezone: 'UTC' },
      team: { name: "Newton's team", personal_team: true },
    });
    expect(await audited(api)).toEqual([
      'person.created by Newton',
      'person.address_verified by Newton',
      'session.created by Newton',
    ]);
  });

  it('refuses names that cannot be stored, as an error of their field', async () => {
    const api = await openApi(await open(), {}, {}, { openSignup: true });
    for (const name of ['a\0b', '\ud800']) {
      const person = { name, email: 'new@example.com', password: PASSWORD };
      const { status, body } = await openBrowser(api).post('/api/auth/sign-up/email', person);
      expect([status, Object.keys(body['errors'] as object)]).toEqual([422, ['name']]);
    }
  });

  it('lets two people of the same name sign up, also concurrently, each with a team of their own', async () => {
    const api = await openApi(await open(), {}, {}, { openSignup: true });
    const signUp = (email: string) =>
      openBrowser(api).post('/api/auth/sign-up/email', { name: 'Ours', email, password: PASSWORD });
    const answers = await Promise.all(['one@example.com', 'two@example.com'].map(signUp));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const owners = await api.database.read
      .selectFrom('team')
      .innerJoin('member', 'member.team_id', 'team.id')
      .innerJoin('person', 'person.id', 'member.person_id')
      .where('person.name', '=', 'Ours')
      .select(['team.slug', 'team.name', 'member.role'])
      .orderBy('team.slug')
      .execute();
    // Alice's team is "ours".
    const theirs = { name: "Ours's team", role: 'owner' };
    expect(owners).toEqual([
      { slug: 'ours-2', ...theirs },
      { slug: 'ours-3', ...theirs },
    ]);
  });

  it('changes an address after both addresses confirm in a signed-in browser [36.21]', async () => {
    const api = await openApi(await open());
    const browser = await aliceSignedIn(api);
    const change = { newEmail: 'alice@new.example' };
    expect((await browser.post('/api/auth/change-email', change)).status).toBe(200);
    const linkOf = async (index: number) => {
      const mail = (await api.mails())[index]!;
      return { to: mail.to, token: verificationToken(mail.text) };
    };
    const old = await linkOf(0);
    expect(old.to).toBe('alice@example.com');
    const agreed = await confirm(browser, old.token);
    expect([agreed.status, agreed.body]).toEqual([200, { status: true }]);
    const next = await linkOf(1);
    expect(next.to).toBe('alice@new.example');

    const elsewhere = openBrowser(api);
    const refused = await confirm(elsewhere, next.token);
    expect([refused.status, refused.body]).toEqual([
      401,
      {
        message: 'Sign in first. Then open the link of the mail once more.',
        code: 'SIGN_IN_FIRST',
      },
    ]);
    expect(elsewhere.cookies.size).toBe(0);
    const foreign = await browser.post(
      '/api/auth/verify-email',
      { token: next.token },
      { origin: 'https://evil.example' },
    );
    expect(foreign.status).toBe(403);
    expect((await browser.get('/api/v1')).body).toMatchObject({ user: { email: old.to } });
    const changed = await confirm(browser, next.token);
    expect([changed.status, changed.body]).toEqual([200, { status: true }]);
    expect((await browser.get('/api/v1')).body).toMatchObject({ user: { email: next.to } });
    const again = await confirm(browser, next.token);
    expect([again.status, again.body['code']]).toEqual([401, 'USER_NOT_FOUND']);
    expect(await audited(api)).toEqual([
      'session.created by Alice',
      'person.email_changed by Alice',
    ]);
  });

  it('deletes expired rows only', async () => {
    const api = await openApi(await open());
    const browser = await aliceSignedIn(api);
    await openBrowser(api).get('/api/auth/passkey/generate-authenticate-options');
    const count = async () => {
      const sessions = await api.database.read.selectFrom('session').selectAll().execute();
      const verifications = await api.database.read
        .selectFrom('verification')
        .selectAll()
        .execute();
      return [sessions.length, verifications.length];
    };
    expect(await expire.signIns(api.database, api.clock.now())).toBe(false);
    expect(await count()).toEqual([1, 1]);
    await pass(api, DAY_MS);
    await expire.signIns(api.database, api.clock.now());
    expect(await count()).toEqual([1, 0]);
    await pass(api, 6 * DAY_MS);
    expect((await browser.get('/api/v1')).status).toBe(401);
    await expire.signIns(api.database, api.clock.now());
    expect(await count()).toEqual([0, 0]);
  });
});

describe('information disclosure', () => {
  it('answers a wrong password and an unknown person alike [36.3]', async () => {
    const api = await openApi(await openInMemory());
    await givePassword(api, api.alice);
    const wrong = await signIn(openBrowser(api), 'alice@example.com', 'not this one');
    const unknown = await signIn(openBrowser(api), 'nobody@example.com', 'not this one');
    const without = await signIn(openBrowser(api), 'ed@example.com', 'not this one');
    expect(wrong.status).toBe(401);
    expect([wrong.status, wrong.body]).toEqual([unknown.status, unknown.body]);
    expect([wrong.status, wrong.body]).toEqual([without.status, without.body]);
    expect(wrong.body).toMatchObject({ message: 'Invalid email or password.' });
    expect(await audited(api)).toEqual([]);
  });

  it.each([
    ['name', { name: '', email: 'a@example.com', password: PASSWORD }],
    ['password', { name: 'A', email: 'a@example.com', password: 'short' }],
    ['timezone', { name: 'A', email: 'a@example.com', password: PASSWORD, timezone: 'Mars' }],
  ])('refuses to sign up with an unfit %s [36.22]', async (field, body) => {
    const api = await openApi(await openInMemory(), {}, {}, { openSignup: true });
    const answer = await openBrowser(api).post('/api/auth/sign-up/email', body);
    expect([answer.status, Object.keys(answer.body['errors'] as object)]).toEqual([422, [field]]);
  });

  it('refuses to sign up unless sign-up is open', async () => {
    const api = await openApi(await openInMemory());
    const body = { name: 'A', email: 'a@example.com', password: PASSWORD };
    const answer = await openBrowser(api).post('/api/auth/sign-up/email', body);
    expect([answer.status, answer.body['message']]).toEqual([
      403,
      'Nobody can sign up here without an invitation. Ask for one.',
    ]);
  });

  it('has only the routes of its table', async () => {
    const api = await openApi(await openInMemory());
    const browser = await aliceSignedIn(api);
    const paths = [
      'list-sessions',
      'revoke-sessions',
      'delete-user',
      'ok',
      'error',
      'get-access-token',
    ];
    for (const path of paths) {
      expect([path, (await browser.get(`/api/auth/${path}`)).status]).toEqual([path, 404]);
      expect([path, (await browser.post(`/api/auth/${path}`)).status]).toEqual([path, 404]);
    }
    const wrong = await browser.get(SIGN_IN);
    expect([wrong.status, wrong.headers['allow']]).toEqual([405, 'POST']);
    expect((await openBrowser(api).get('/api/v1/auth/get-session')).status).toBe(200);
  });

  it('refuses cookies sent from another site [36.5]', async () => {
    const api = await openApi(await openInMemory());
    const browser = await aliceSignedIn(api);
    const foreign = await browser.post(
      '/api/auth/sign-out',
      {},
      { origin: 'https://evil.example' },
    );
    expect(foreign.status).toBe(403);
    expect((await browser.get('/api/v1')).status).toBe(200);
    const own = await browser.post('/api/auth/update-user', { name: 'Alicia' });
    expect(own.status).toBe(200);
    expect((await browser.get('/api/v1')).body).toMatchObject({ user: { name: 'Alicia' } });
  });

  it('trusts no header about its own address', async () => {
    const api = await openApi(await openInMemory());
    await givePassword(api, api.alice);
    const forged = {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-for': '6.6.6.6',
    };
    const browser = openBrowser(api, { address: '192.0.2.9' });
    const body = {
      email: 'alice@example.com',
      password: PASSWORD,
      callbackURL: 'https://evil.example',
    };
    const answer = await browser.post(SIGN_IN, body, forged);
    expect(answer.status).toBe(200);
    expect(JSON.stringify([answer.headers, answer.body])).not.toContain('evil.example');
    const [session] = await api.database.read.selectFrom('session').selectAll().execute();
    expect(session).toMatchObject({ ip_address: '192.0.2.9' });
  });

  it.each([
    ['a body that is no object', '[]', 400],
    ['a body that is no JSON', '{', 400],
    ['a body that is too large', JSON.stringify({ email: 'x'.repeat(70_000) }), 413],
    ['fields of other kinds', JSON.stringify({ email: 1, password: [] }), 400],
    ['no body', '', 400],
  ])('refuses %s with a message', async (_what, payload, status) => {
    const api = await openApi(await openInMemory());
    const response = await api.app.inject({
      method: 'POST',
      url: SIGN_IN,
      headers: { 'content-type': 'application/json' },
      payload,
    });
    expect([response.statusCode, typeof response.json().message]).toEqual([status, 'string']);
    expect(response.headers).toHaveProperty('x-ratelimit-limit');
    expect(response.headers).toHaveProperty('x-request-id');
    expect(api.faults).toEqual([]);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApi, type TestApi } from '../../test/support/api.ts';
import { openBrowser, type TestBrowser } from '../../test/support/browser.ts';
import { startOidcProvider, type TestOidcProvider } from '../../test/support/oidc-provider.ts';
import { aliceSignedIn, audited, freezeDates, NOW } from '../../test/support/sign-in.ts';
import { openInMemory } from '../../test/support/memory-database.ts';
import type { SignInSettings } from '../identity/sign-in-options.ts';
import { insertRows, updateRows } from '../../test/support/rows.ts';

const CALLBACK = 'https://up.example.com/api/auth/callback/oidc';
const ALICE = { sub: 'a-1', email: 'alice@example.com', email_verified: true, name: 'Alice A.' };
const STRANGER = { sub: 's-1', email: 'newton@example.com', email_verified: true, name: 'Newton' };

let provider: TestOidcProvider;
beforeAll(async () => {
  provider = await startOidcProvider(CALLBACK);
});
afterAll(() => provider.close());
freezeDates();

async function withProvider(settings: Partial<SignInSettings> = {}): Promise<TestApi> {
  const database = await openInMemory();
  const api = await openApi(
    database,
    {},
    {},
    {
      oidcIssuer: provider.issuer,
      oidcClientId: provider.clientId,
      oidcClientSecret: provider.clientSecret,
      ...settings,
    },
  );
  await verify(api, api.alice.personId);
  return api;
}

async function verify(api: TestApi, personId: number): Promise<void> {
  await updateRows(api.database, 'person', { email_verified: 1 }, { id: personId });
}

/** The whole way by the provider and back; where the browser is sent in the end. */
async function signInThere(browser: TestBrowser): Promise<string> {
  const started = await browser.post('/api/auth/sign-in/social', {
    provider: 'oidc',
    callbackURL: '/',
  });
  expect(started.status).toBe(200);
  const back = await provider.visit(String(started.body['url']));
  expect(back.origin + back.pathname).toBe(CALLBACK);
  const answer = await browser.get(back.pathname + back.search);
  expect(answer.status).toBe(302);
  return String(answer.headers['location']);
}

describe('sign-in at an OpenID provider', () => {
  it('asks for a code with PKCE, state and nonce', async () => {
    const api = await withProvider();
    const { body } = await openBrowser(api).post('/api/auth/sign-in/social', { provider: 'oidc' });
    const asked = new URL(String(body['url'])).searchParams;
    expect(Object.fromEntries(asked)).toMatchObject({
      response_type: 'code',
      client_id: provider.clientId,
      redirect_uri: CALLBACK,
      scope: 'openid email profile',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.any(String),
      nonce: expect.any(String),
    });
  });

  it('signs a person in by their verified address, later by their linked account', async () => {
    const api = await withProvider();
    const browser = openBrowser(api);
    provider.setAccount(ALICE);
    expect(await signInThere(browser)).toBe('/');
    expect((await browser.get('/api/v1')).body).toMatchObject({
      user: { id: api.alice.personId, name: 'Alice' },
      team: { id: api.alice.teamId },
    });
    provider.setAccount({ ...ALICE, email: 'alice@elsewhere.example' });
    const later = openBrowser(api);
    await signInThere(later);
    expect((await later.get('/api/v1')).body).toMatchObject({ user: { id: api.alice.personId } });
    const credentials = await api.database.read.selectFrom('credential').selectAll().execute();
    expect(credentials).toMatchObject([{ provider_id: 'oidc', account_id: ALICE.sub }]);
    const sessions = await api.database.read.selectFrom('session').select('method').execute();
    expect(sessions).toEqual([{ method: 'oidc' }, { method: 'oidc' }]);
    expect(await audited(api)).toEqual(['session.created by Alice', 'session.created by Alice']);
  });

  it.each([
    ['the provider does not call verified', { ...ALICE, email_verified: false }],
    ['that we have not verified', { ...ALICE, sub: 'e-1', email: 'ed@example.com' }],
  ])('takes nobody over by an address %s [36.17]', async (_what, account) => {
    const api = await withProvider();
    provider.setAccount(account);
    const browser = openBrowser(api);
    expect(await signInThere(browser)).toContain('/sign-in?error=account_not_linked');
    expect((await browser.get('/api/v1')).status).toBe(401);
    expect(await api.database.read.selectFrom('credential').selectAll().execute()).toEqual([]);
  });

  it('is linked while signed in, which the audit log records once', async () => {
    const api = await withProvider();
    const browser = await aliceSignedIn(api);
    provider.setAccount(ALICE);
    const link = async () => {
      const body = { provider: 'oidc', callbackURL: '/account' };
      const started = await browser.post('/api/auth/link-social', body);
      expect(started.status).toBe(200);
      const back = await provider.visit(String(started.body['url']));
      const { status, headers } = await browser.get(back.pathname + back.search);
      expect([status, headers['location']]).toEqual([302, '/account']);
    };
    await link();
    await link();
    expect(await audited(api)).toEqual([
      'session.created by Alice',
      'person.provider_linked by Alice',
    ]);
    const entry = await api.database.read
      .selectFrom('audit_entry')
      .select(['person_id', 'team_id', 'via', 'target_type', 'target_id', 'after'])
      .where('action', '=', 'person.provider_linked')
      .executeTakeFirstOrThrow();
    expect(entry).toEqual({
      person_id: api.alice.personId,
      team_id: api.alice.teamId,
      via: 'session',
      target_type: 'person',
      target_id: api.alice.personId,
      after: '{"provider":"oidc"}',
    });
    // Another address than one's own links nothing.
    provider.setAccount({ ...STRANGER, sub: 'n-2' });
    const started = await browser.post('/api/auth/link-social', { provider: 'oidc' });
    const back = await provider.visit(String(started.body['url']));
    const refused = await browser.get(back.pathname + back.search);
    expect(refused.headers['location']).toContain('error=');
    expect(await audited(api)).toHaveLength(2);
  });

  it('refuses an unknown person [36.18]', async () => {
    const api = await withProvider();
    provider.setAccount(STRANGER);
    const browser = openBrowser(api);
    expect(await signInThere(browser)).toContain('/sign-in?error=not_invited');
    expect((await browser.get('/api/v1')).status).toBe(401);
    expect(await peopleNamed(api, STRANGER.name)).toBe(0);
  });

  it('accepts an invited person, who then joins by the link', async () => {
    const api = await withProvider();
    await invite(api, STRANGER.email, NOW + 1);
    provider.setAccount(STRANGER);
    const browser = openBrowser(api);
    expect(await signInThere(browser)).toBe('/');
    expect((await browser.get('/api/v1')).body).toMatchObject({
      user: { name: 'Newton' },
      team: null,
    });
  });

  it('ignores expired invitations', async () => {
    const api = await withProvider();
    await invite(api, STRANGER.email, NOW);
    provider.setAccount(STRANGER);
    expect(await signInThere(openBrowser(api))).toContain('error=not_invited');
  });

  it('with open sign-up accepts everybody with a verified address, with a team of their own', async () => {
    const api = await withProvider({ openSignup: true });
    provider.setAccount({ ...STRANGER, email_verified: false });
    expect(await signInThere(openBrowser(api))).toContain('error=email_not_verified');
    provider.setAccount(STRANGER);
    const browser = openBrowser(api);
    await signInThere(browser);
    expect((await browser.get('/api/v1')).body).toMatchObject({
      user: { name: 'Newton' },
      team: { name: "Newton's team", personal_team: true },
    });
  });

  it('accepts an answer only in the requesting browser, and once', async () => {
    const api = await withProvider();
    provider.setAccount(ALICE);
    const browser = openBrowser(api);
    const { body } = await browser.post('/api/auth/sign-in/social', { provider: 'oidc' });
    const back = await provider.visit(String(body['url']));
    const path = back.pathname + back.search;
    const stolen = await openBrowser(api).get(path);
    expect(stolen.headers['location']).toContain('error=state_mismatch');
    const own = await browser.get(path);
    expect(own.headers['location']).not.toContain('error');
    const again = await browser.get(path);
    expect(again.headers['location']).toContain('error=');
  });

  it('redirects to no other site', async () => {
    const api = await withProvider();
    for (const field of ['callbackURL', 'errorCallbackURL', 'newUserCallbackURL']) {
      const body = { provider: 'oidc', [field]: 'https://evil.example/' };
      const { status } = await openBrowser(api).post('/api/auth/sign-in/social', body);
      expect([field, status]).toEqual([field, 403]);
    }
  });

  it('reports an unavailable provider, keeps passwords working, and recovers', async () => {
    const api = await withProvider({ oidcIssuer: 'http://127.0.0.1:9' });
    const browser = openBrowser(api);
    const answer = await browser.post('/api/auth/sign-in/social', { provider: 'oidc' });
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '60']);
    expect(answer.body['message']).toBe(
      'The identity provider does not answer. Try again in a minute.',
    );
    const password = { email: 'alice@example.com', password: 'not this one' };
    expect((await browser.post('/api/auth/sign-in/email', password)).status).toBe(401);
    expect(api.faults).toEqual([]);
  });
});

describe('sign-in at GitHub and Google', () => {
  it.each([
    ['github', 'https://github.com/login/oauth/authorize'],
    ['google', 'https://accounts.google.com/o/oauth2/v2/auth'],
  ])('sends the browser to %s', async (id, page) => {
    const api = await withProvider({
      oidcIssuer: null,
      githubClientId: 'our-id',
      githubClientSecret: 'secret',
      googleClientId: 'our-id',
      googleClientSecret: 'secret',
    });
    const { body } = await openBrowser(api).post('/api/auth/sign-in/social', { provider: id });
    const url = new URL(String(body['url']));
    expect(url.origin + url.pathname).toBe(page);
    expect(url.searchParams.get('client_id')).toBe('our-id');
    expect(url.searchParams.get('redirect_uri')).toBe(
      `https://up.example.com/api/auth/callback/${id}`,
    );
    expect(api.signIn.offer.providers.map((one) => one.id)).toEqual(['github', 'google']);
  });

  it('has no provider that is not configured', async () => {
    const api = await withProvider({ oidcIssuer: null });
    const { status } = await openBrowser(api).post('/api/auth/sign-in/social', {
      provider: 'github',
    });
    expect(status).toBe(404);
  });
});

async function invite(api: TestApi, email: string, expiresAt: number): Promise<void> {
  await insertRows(api.database, 'invitation', {
    team_id: api.alice.teamId,
    email,
    role: 'viewer',
    hash: 'h',
    invited_by: api.alice.personId,
    expires_at: expiresAt,
    created_at: 0,
    updated_at: 0,
  });
}

async function peopleNamed(api: TestApi, name: string): Promise<number> {
  const rows = await api.database.read
    .selectFrom('person')
    .select('id')
    .where('name', '=', name)
    .execute();
  return rows.length;
}

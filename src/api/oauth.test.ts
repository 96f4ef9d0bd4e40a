import { describe, expect, it } from 'vitest';
import { BASE_URL, openApi, type TestApi } from '../../test/support/api.ts';
import { openBrowser } from '../../test/support/browser.ts';
import { eachDatabase } from '../../test/support/databases.ts';
import { openInMemory } from '../../test/support/memory-database.ts';
import {
  CALLBACK,
  callerOf,
  OAUTH,
  registerClient,
  send,
  type ClientAnswer,
} from '../../test/support/oauth.ts';
import {
  aliceSignedIn,
  audited,
  freezeDates,
  givePassword,
  pass,
  PASSWORD,
  signIn,
} from '../../test/support/sign-in.ts';
import { signInSecrets } from '../identity/session-cookie.ts';
import { grantStore } from '../store/people/grants.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

freezeDates();

/** Alice in her browser, with an application that she connects. */
async function world(api: TestApi) {
  const browser = await aliceSignedIn(api);
  const client = await registerClient(api);
  const ours = { team_id: api.alice.teamId };
  const connect = async (permissions = ['read']) => {
    const code = await client.code(browser, { ...ours, permissions });
    return (await client.exchange(code)).body;
  };
  return { api, browser, client, ours, connect };
}

const refusal = (error: string) => ({ status: 400, body: { error } });

const winner = (answers: ClientAnswer[]) => answers.find(({ status }) => status === 200)!.body;

const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status).toSorted();

eachDatabase((_name, open) => {
  it('connects an application: registers, asks the person, and issues tokens for the tool server [48.5, 48.6, 48.7, 48.10, 48.19]', async () => {
    const api = await openApi(await open());
    await givePassword(api, api.alice);
    const browser = openBrowser(api);
    const client = await registerClient(api);

    const first = await client.authorize(browser);
    expect([first.origin + first.pathname, [...first.searchParams.keys()]]).toEqual([
      `${BASE_URL}/sign-in`,
      ['next'],
    ]);
    const next = first.searchParams.get('next')!;
    expect(next).toMatch(/^\/api\/auth\/oauth2\/authorize\?[\w\-.+/=&%@]*$/);
    await signIn(browser);
    const { headers } = await browser.get(next);
    const page = new URL(String(headers['location']));
    expect(page.origin + page.pathname).toBe(`${BASE_URL}/connect`);

    const oauth_query = page.search.slice(1);
    const asked = await browser.get(`${OAUTH}/consent-request?${oauth_query}`);
    expect(asked.body).toEqual({
      client: { name: 'Assistant', uri: null, redirect_host: '127.0.0.1:4711' },
      scopes: ['read', 'create'],
      teams: [
        {
          id: api.alice.teamId,
          name: expect.any(String),
          role: 'owner',
          is_current: true,
          needs_mfa: false,
          granted: null,
        },
      ],
    });

    const decision = { accept: true, team_id: api.alice.teamId, permissions: ['create'] };
    const decided = await browser.post(`${OAUTH}/consent`, { oauth_query, ...decision });
    const url = new URL(String(decided.body['url']));
    expect(url.origin + url.pathname).toBe(CALLBACK);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      code: expect.stringMatching(/^\w{32}$/),
      state: 's*1',
      iss: `${BASE_URL}/api/auth`,
    });

    const tokens = await client.exchange(url.searchParams.get('code')!);
    expect(tokens).toMatchObject({
      status: 200,
      headers: { 'cache-control': 'no-store', 'access-control-allow-origin': '*' },
      body: {
        access_token: expect.stringMatching(/^tocsin_at_[A-Za-z]{32}$/),
        refresh_token: expect.stringMatching(/^tocsin_rt_[A-Za-z]{32}$/),
        token_type: 'Bearer',
        expires_in: 3_600,
        scope: 'read create offline_access',
      },
    });
    expect(await callerOf(api, tokens.body['access_token'])).toMatchObject({
      person: { id: api.alice.personId },
      team: { id: api.alice.teamId },
      role: 'owner',
      permissions: ['read', 'create'],
      credential: { kind: 'grant', id: expect.any(Number), name: 'Assistant' },
    });
    expect(await audited(api)).toEqual([
      'session.created by Alice',
      'application.connected by Alice',
    ]);
    const { body: log } = await api.call(
      api.alice,
      'GET',
      '/api/v1/audit-log?target_type=application',
    );
    expect(log['data']).toMatchObject([
      {
        via: 'session',
        target: { type: 'application', name: 'Assistant' },
        before: null,
        after: { permissions: ['read', 'create'] },
      },
    ]);
  });

  it('stores no token and no code as it is [48.11]', async () => {
    const { api, browser, client, ours } = await world(await openApi(await open()));
    const code = await client.code(browser, ours);
    const { body } = await client.exchange(code);
    const tables = ['oauth_access_token', 'oauth_refresh_token', 'verification'] as const;
    const rows = await Promise.all(
      tables.map((table) => api.database.read.selectFrom(table).selectAll().execute()),
    );
    expect(rows.map(({ length }) => length)).toEqual([1, 1, 0]);
    for (const secret of [code, body['access_token'], body['refresh_token']])
      expect(JSON.stringify(rows)).not.toContain(String(secret).slice(-32));
  });

  it('a code works once and for ten minutes, with its verifier, and its second use revokes what it gave [48.9]', async () => {
    const { api, browser, client, ours } = await world(await openApi(await open()));
    for (const changes of [
      { code_verifier: 'a'.repeat(43) },
      { redirect_uri: 'http://127.0.0.1:4711/other' },
      { client_id: (await registerClient(api)).id },
    ] as Record<string, string>[]) {
      const code = await client.code(browser, ours);
      expect(await client.exchange(code, changes)).toMatchObject(refusal('invalid_grant'));
    }
    const unproven = await client.code(browser, ours);
    expect(await client.exchange(unproven, { code_verifier: null })).toMatchObject(
      refusal('invalid_request'),
    );
    const late = await client.code(browser, ours);
    await pass(api, 600_001);
    expect(await client.exchange(late)).toMatchObject(refusal('invalid_grant'));

    await browser.post('/api/auth/confirm-password', { password: PASSWORD });
    const code = await client.code(browser, ours);
    const { body } = await client.exchange(code);
    expect(await callerOf(api, body['access_token'])).not.toBeNull();
    expect(await client.exchange(code)).toMatchObject(refusal('invalid_grant'));
    expect(await callerOf(api, body['access_token'])).toBeNull();
    expect(await client.refresh(body['refresh_token'])).toMatchObject(refusal('invalid_grant'));
  });

  it('refreshes for as long as the application is used, once with each token, without a session [48.10, 48.16]', async () => {
    const { api, browser, client, connect } = await world(await openApi(await open()));
    let tokens = await connect();
    await browser.post('/api/auth/sign-out');
    expect(await callerOf(api, tokens['access_token'])).not.toBeNull();
    for (let round = 0; round < 3; round += 1) {
      await pass(api, 29 * DAY);
      expect(await callerOf(api, tokens['access_token'])).toBeNull();
      const refreshed = await client.refresh(tokens['refresh_token']);
      expect(refreshed).toMatchObject({ status: 200, body: { expires_in: 3_600 } });
      tokens = refreshed.body;
      expect(await callerOf(api, tokens['access_token'])).toMatchObject({ permissions: ['read'] });
    }
    await pass(api, 30 * DAY + 1_000);
    expect(await client.refresh(tokens['refresh_token'])).toMatchObject(refusal('invalid_grant'));
  });

  it('gives tokens once for a code, a refresh token and a consent that come twice at once [48.9, 48.10, 48.14]', async () => {
    const { api, browser, client, ours } = await world(await openApi(await open()));
    const codes = await Promise.all([client.code(browser, ours), client.code(browser, ours)]);
    const grants = await api.database.read.selectFrom('oauth_grant').selectAll().execute();
    expect(grants).toHaveLength(1);
    const exchanged = await Promise.all([codes[0], codes[0]].map((code) => client.exchange(code)));
    expect(statuses(exchanged)).toEqual([200, 400]);
    expect(await callerOf(api, winner(exchanged)['access_token'])).toBeNull();
    const { body } = await client.exchange(codes[1]);
    const refreshed = await Promise.all([1, 2].map(() => client.refresh(body['refresh_token'])));
    expect(statuses(refreshed)).toEqual([200, 400]);
    expect(await callerOf(api, winner(refreshed)['access_token'])).toBeNull();
    expect((await client.refresh(winner(refreshed)['refresh_token'])).status).toBe(400);
  });

  it('a refresh token that is used twice revokes all tokens of the application [48.10]', async () => {
    const { api, client, connect } = await world(await openApi(await open()));
    const stolen = await connect();
    const { body: renewed } = await client.refresh(stolen['refresh_token']);
    expect(await callerOf(api, renewed['access_token'])).not.toBeNull();
    expect(await client.refresh(stolen['refresh_token'])).toMatchObject(refusal('invalid_grant'));
    expect(await callerOf(api, renewed['access_token'])).toBeNull();
    expect(await client.refresh(renewed['refresh_token'])).toMatchObject(refusal('invalid_grant'));
  });

  it('an application ends its tokens itself, and no others [48.15]', async () => {
    const { api, client, connect } = await world(await openApi(await open()));
    const [tokens, others] = [await connect(), await connect()];
    const stranger = await registerClient(api);
    expect((await stranger.revoke(tokens['refresh_token'])).status).toBe(200);
    expect(await callerOf(api, tokens['access_token'])).not.toBeNull();
    expect((await client.revoke(tokens['refresh_token'])).status).toBe(200);
    expect(await callerOf(api, tokens['access_token'])).toBeNull();
    expect(await callerOf(api, others['access_token'])).not.toBeNull();
    expect((await client.revoke(others['access_token'])).status).toBe(200);
    expect(await callerOf(api, others['access_token'])).toBeNull();
    for (const unknown of ['tocsin_rt_unknown', 'unknown'])
      expect((await client.revoke(unknown)).status).toBe(200);
    expect(await client.revoke('')).toMatchObject(refusal('invalid_request'));
    const form = { token: 'unknown', client_id: 'unknown' };
    expect(await send(api, 'POST', `${OAUTH}/revoke`, { form })).toMatchObject({
      status: 401,
      body: { error: 'invalid_client' },
    });
  });

  it('asks the person each time, and replaces the permissions of all tokens [48.7, 48.14]', async () => {
    const { api, browser, client, connect } = await world(await openApi(await open()));
    const wide = await connect(['read', 'create']);
    expect(await callerOf(api, wide['access_token'])).toMatchObject({
      permissions: ['read', 'create'],
    });
    expect((await client.authorize(browser)).pathname).toBe('/connect');
    const narrow = await connect(['read']);
    for (const token of [wide, narrow])
      expect(await callerOf(api, token['access_token'])).toMatchObject({ permissions: ['read'] });
    await connect(['create']);
    expect(await callerOf(api, wide['access_token'])).toMatchObject({
      permissions: ['read', 'create'],
    });
    // A token has no more than it was issued with.
    expect(await callerOf(api, narrow['access_token'])).toMatchObject({ permissions: ['read'] });
    const grants = await api.database.read.selectFrom('oauth_grant').selectAll().execute();
    expect(grants).toHaveLength(1);
  });

  it('survives a rotation of SECRET_KEY, also while the consent page is open [48.16]', async () => {
    const database = await open();
    const before = await openApi(
      database,
      {},
      { secrets: signInSecrets(['the key of last year']) },
    );
    const { browser, client, ours, connect } = await world(before);
    const tokens = await connect();
    const waiting = await client.authorize(browser);
    const { alice, ed, vera, mallory } = before;
    const after = await openApi(
      database,
      {},
      {
        secrets: signInSecrets(['the key of this year', 'the key of last year']),
        people: { alice, ed, vera, mallory },
      },
    );
    expect(await callerOf(after, tokens['access_token'])).not.toBeNull();
    const later = openBrowser(after);
    for (const [name, value] of browser.cookies) later.cookies.set(name, value);
    const oauth_query = waiting.search.slice(1);
    expect((await later.get(`${OAUTH}/consent-request?${oauth_query}`)).status).toBe(200);
    const decided = await later.post(`${OAUTH}/consent`, {
      oauth_query,
      accept: true,
      permissions: ['read'],
      ...ours,
    });
    expect(decided.body['url']).toMatch(/[?&]code=/);
    const form = {
      grant_type: 'refresh_token',
      refresh_token: String(tokens['refresh_token']),
      client_id: client.id,
    };
    expect(await send(after, 'POST', `${OAUTH}/token`, { form })).toMatchObject({ status: 200 });
  });
});

describe('an authorization request', () => {
  it('is what a person comes back to who signs in with a provider [48.6]', async () => {
    const github = { githubClientId: 'id', githubClientSecret: 'secret' };
    const api = await openApi(await openInMemory(), {}, {}, github);
    const client = await registerClient(api, {
      redirect_uris: ['cursor://anysphere.cursor-mcp/cb'],
    });
    const browser = openBrowser(api);
    const page = await client.authorize(browser, {
      redirect_uri: 'cursor://anysphere.cursor-mcp/cb',
      state: "a*b~c(d)'e!f g&h=i#j",
    });
    const { status, body } = await browser.post('/api/auth/sign-in/social', {
      provider: 'github',
      callbackURL: page.searchParams.get('next'),
    });
    expect([status, body['url']]).toEqual([200, expect.stringContaining('github.com')]);
  });

  it.each([
    ['without PKCE', { code_challenge: null, code_challenge_method: null }, 'invalid_request'],
    ['with a plain challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['without the method of its challenge', { code_challenge_method: null }, 'invalid_request'],
    ['for another resource', { resource: `${BASE_URL}/api` }, 'invalid_target'],
    ['with an unknown scope', { scope: 'read admin' }, 'invalid_scope'],
    ['for a token at once', { response_type: 'token' }, 'unsupported_response_type'],
  ])('%s is refused to the application [48.5]', async (_what, changes, error) => {
    const { browser, client } = await world(await openApi(await openInMemory()));
    const target = await client.authorize(browser, changes);
    expect(target.origin + target.pathname).toBe(CALLBACK);
    const answer = new URLSearchParams(target.search || target.hash.slice(1));
    expect(answer.get('error')).toBe(error);
    expect(answer.get('state')).toBe('s*1');
    expect(answer.get('iss')).toBe(`${BASE_URL}/api/auth`);
    expect(answer.has('code')).toBe(false);
  });

  it('keeps what follows a second question mark [48.5]', async () => {
    const { browser, client } = await world(await openApi(await openInMemory()));
    const query = `state=a?b&${client.query({ state: null })}`;
    const { headers } = await browser.get(`${OAUTH}/authorize?${query}`);
    const page = new URL(String(headers['location']));
    expect([page.pathname, page.searchParams.get('state')]).toEqual(['/connect', 'a?b']);
  });

  it.each([
    ['of an unknown application', { client_id: 'unknown' }],
    ['to another site', { redirect_uri: 'https://example.com/callback' }],
    ['to another path', { redirect_uri: `${CALLBACK}/other` }],
    ['to nowhere', { redirect_uri: null }],
  ])('%s goes nowhere but to a page of ours [48.5]', async (_what, changes) => {
    const { browser, client } = await world(await openApi(await openInMemory()));
    const target = await client.authorize(browser, changes);
    expect(target.origin + target.pathname).toBe(`${BASE_URL}/connect`);
    expect(target.searchParams.get('error')).toMatch(/^invalid_/);
  });

  it('may return to any port of this device, and is complete without scope and resource [48.5]', async () => {
    const { browser, client } = await world(await openApi(await openInMemory()));
    const redirect_uri = CALLBACK.replace('4711', '5999');
    const page = await client.authorize(browser, { redirect_uri, scope: null, resource: null });
    const asked = await browser.get(`${OAUTH}/consent-request${page.search}`);
    expect(asked.body).toMatchObject({
      client: { redirect_host: '127.0.0.1:5999' },
      scopes: ['read', 'create', 'update', 'delete', 'check_url'],
    });
  });
});

describe('the consent', () => {
  it('needs a sign-in, a password or a factor within ten minutes: a connection outlives the session [48.23]', async () => {
    const { api, browser, client, ours } = await world(await openApi(await openInMemory()));
    const decision = { ...ours, permissions: ['read'] };
    await pass(api, 11 * 60_000);
    const refused = await client.decide(browser, decision);
    expect(refused).toMatchObject({ status: 403, body: { code: 'PROOF_NEEDED' } });
    expect(await grantStore(api.database.read).list(api.alice.personId)).toEqual([]);
    const page = await client.authorize(browser);
    const asked = await browser.get(`${OAUTH}/consent-request${page.search}`);
    expect(asked).toMatchObject({ status: 403, body: { code: 'PROOF_NEEDED' } });
    expect((await client.decide(browser, { accept: false })).status).toBe(200);
    await browser.post('/api/auth/confirm-password', { password: PASSWORD });
    expect((await client.decide(browser, decision)).status).toBe(200);
  });

  it('declined, leads back without a code and stores nothing [48.7]', async () => {
    const { api, browser, client } = await world(await openApi(await openInMemory()));
    const { status, body } = await client.decide(browser, { accept: false });
    const target = new URL(String(body['url']));
    expect([status, target.origin + target.pathname]).toEqual([200, CALLBACK]);
    expect(Object.fromEntries(target.searchParams)).toMatchObject({
      error: 'access_denied',
      state: 's*1',
      iss: `${BASE_URL}/api/auth`,
    });
    expect(await api.database.read.selectFrom('oauth_grant').selectAll().execute()).toEqual([]);
  });

  it.each([
    ['team_id', { team_id: 'theirs' }],
    ['team_id', { team_id: undefined }],
    ['permissions', { permissions: [] }],
    ['permissions', { permissions: ['read', 'delete'] }],
    ['permissions', { permissions: ['offline_access'] }],
    ['permissions', { permissions: 'read' }],
    ['accept', { accept: 'true' }],
  ])('is refused for its %s in %j [48.7]', async (field, changes) => {
    const { api, browser, client, ours } = await world(await openApi(await openInMemory()));
    const theirs = 'team_id' in changes && changes.team_id === 'theirs';
    const { status, body } = await client.decide(browser, {
      permissions: ['read'],
      ...ours,
      ...changes,
      ...(theirs && { team_id: api.mallory.teamId }),
    });
    expect([status, Object.keys(body['errors'] as object)]).toEqual([422, [field]]);
    expect(await api.database.read.selectFrom('oauth_grant').selectAll().execute()).toEqual([]);
  });

  it('comes from a page of ours, from somebody who is signed in, for a request that we signed [48.8]', async () => {
    const { api, browser, client, ours } = await world(await openApi(await openInMemory()));
    const page = await client.authorize(browser);
    const oauth_query = page.search.slice(1);
    const decision = { oauth_query, accept: true, permissions: ['read'], ...ours };
    const consent = async (headers: Record<string, string>, change = {}) =>
      (await browser.post(`${OAUTH}/consent`, { ...decision, ...change }, headers)).status;
    expect(await consent({ origin: 'https://example.com' })).toBe(403);
    expect(await consent({ origin: 'https://example.com', 'sec-fetch-site': 'cross-site' })).toBe(
      403,
    );
    const signedOut = await openBrowser(api).post(`${OAUTH}/consent`, decision);
    expect(signedOut.status).toBe(401);
    const forged = oauth_query.replace('create', 'delete');
    expect(await consent({}, { oauth_query: forged })).toBe(400);
    expect((await browser.get(`${OAUTH}/consent-request?${forged}`)).status).toBe(400);
    expect((await openBrowser(api).get(`${OAUTH}/consent-request?${oauth_query}`)).status).toBe(
      401,
    );
    await pass(api, 601_000);
    expect(await consent({})).toBe(400);
    expect(await api.database.read.selectFrom('oauth_grant').selectAll().execute()).toEqual([]);
  });
});

import { callOf } from '../../test/support/call.ts';
import { describe, expect, it } from 'vitest';
import { openApi, type TestApi } from '../../test/support/api.ts';
import { openBrowser } from '../../test/support/browser.ts';
import { connectApplication } from '../../test/support/applications.ts';
import { eachDatabase } from '../../test/support/databases.ts';
import { openInMemory } from '../../test/support/memory-database.ts';
import { callTool, toolNames } from '../../test/support/tools.ts';
import { callerOf, registerClient } from '../../test/support/oauth.ts';
import type { TestPerson } from '../../test/support/people.ts';
import { QUICK_PASSWORDS } from '../../test/support/quick-passwords.ts';
import { updateRows } from '../../test/support/rows.ts';
import { freezeDates, givePassword, pass, signIn } from '../../test/support/sign-in.ts';
import { createPasswordQueue } from '../identity/password.ts';
import { FULL_PLANS } from '../identity/plans.ts';
import { inTeam } from '../resources/common/errors.ts';
import { createTeamService } from '../resources/teams/teams.ts';
import { tokens as tokensNoun } from '../resources/tokens.ts';
import { grantStore } from '../store/people/grants.ts';
import { CALLER_CACHE_MS } from '../identity/authenticate.ts';

const ALL = ['read', 'create', 'update', 'delete'];

freezeDates();

/** An application that Ed, an editor, has connected with all permissions; its token was just used. */
async function connected(api: TestApi, name = 'Assistant') {
  const browser = await signedIn(api, api.ed, 'ed@example.com');
  const client = await registerClient(api, { client_name: name });
  const team_id = api.ed.teamId;
  const decision = { team_id, permissions: ALL };
  const scope = ALL.join(' ');
  const decided = await client.decide(browser, decision, { scope });
  const code = () => new URL(String(decided.body['url'])).searchParams.get('code')!;
  const { body } = await client.exchange(code());
  const caller = () => callerOf(api, body['access_token']);
  expect(await caller()).toMatchObject({ role: 'editor', permissions: ALL });
  return { browser, client, decision, caller, token: body };
}

async function signedIn(api: TestApi, who: TestPerson, email: string) {
  await givePassword(api, who);
  const browser = openBrowser(api);
  await signIn(browser, email);
  return browser;
}

it('checks any address only where the person allowed that, whatever else it may do [48.22]', async () => {
  const api = await openApi(await openInMemory());
  const { browser, client, token, decision } = await connected(api);
  const bearer = String(token['access_token']);
  expect(await toolNames(api, bearer)).not.toContain('check_url');
  const args = { url: 'https://evil.example/?q=secret' };
  expect(await callTool(api, bearer, 'check_url', args)).toMatchObject({
    isError: true,
    structuredContent: {
      error: { code: 'forbidden', message: expect.stringContaining('"check_url"') },
    },
  });
  expect(api.checks).toEqual([]);
  const permissions = [...ALL, 'check_url'];
  const scope = permissions.join(' ');
  const decided = await client.decide(browser, { ...decision, permissions }, { scope });
  const code = new URL(String(decided.body['url'])).searchParams.get('code')!;
  const { body } = await client.exchange(code);
  expect(await toolNames(api, String(body['access_token']))).toContain('check_url');
  const { body: list } = await api.call(api.ed, 'GET', '/api/v1/connected-applications');
  expect(list['data']).toMatchObject([{ permissions }]);
});

eachDatabase((_name, open) => {
  it('ends when its holder is removed from the team, also when they come back [48.13]', async () => {
    const api = await openApi(await open());
    const { caller, client, token } = await connected(api);
    const removed = await api.call(api.alice, 'DELETE', `/api/v1/users/${api.ed.personId}`);
    expect(removed.status).toBe(204);
    expect(await caller()).toBeNull();
    await api.database.transaction((tx) =>
      tx
        .insertInto('member')
        .values({
          team_id: api.ed.teamId,
          person_id: api.ed.personId,
          role: 'editor',
          status: 'active',
          added_at: 0,
        })
        .execute(),
    );
    expect(await caller()).toBeNull();
    expect(await client.refresh(token['refresh_token'])).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
  });

  it('has the role that its holder has at each call [48.13]', async () => {
    const api = await openApi(await open());
    const { caller } = await connected(api);
    await api.call(api.alice, 'PUT', `/api/v1/users/${api.ed.personId}`, { role: 'viewer' });
    expect(await caller()).toMatchObject({ role: 'viewer' });
    await api.call(api.alice, 'PUT', `/api/v1/users/${api.ed.personId}`, { status: 'disabled' });
    expect(await caller()).toBeNull();
  });

  it('ends with its deletion, and a code from before gives no token [48.15]', async () => {
    const api = await openApi(await open());
    const { browser, client, caller, decision, token } = await connected(api);
    const { body } = await client.decide(browser, decision, { scope: ALL.join(' ') });
    const code = new URL(String(body['url'])).searchParams.get('code')!;
    const [grant] = await grantStore(api.database.read).list(api.ed.personId);
    expect(grant).toMatchObject({ client_name: 'Assistant', team_name: 'Team ours' });
    await api.database.transaction((tx) => grantStore(tx).delete(api.ed.personId, grant!.id));
    api.authenticator.forget({ personId: api.ed.personId });
    expect(await caller()).toBeNull();
    for (const answer of [client.exchange(code), client.refresh(token['refresh_token'])])
      expect(await answer).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(api.faults).toEqual([]);
  });

  it('is one of at most 100, of which each can be replaced [48.21]', async () => {
    const api = await openApi(await open());
    const { browser, client, decision } = await connected(api);
    const now = api.clock.now();
    for (let index = 0; index < 98; index += 1)
      await connectApplication(api.database, api.ed, { now });
    const others = await Promise.all([1, 2].map(() => registerClient(api)));
    const scope = ALL.join(' ');
    const answers = await Promise.all(
      others.map((other) => other.decide(browser, decision, { scope })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)!.body['message']).toMatch(/Disconnect one/);
    expect((await client.decide(browser, decision, { scope })).status).toBe(200);
  });

  it('records when it was used', async () => {
    const api = await openApi(await open());
    const { caller } = await connected(api);
    await pass(api, 120_000);
    await caller();
    await api.authenticator.close();
    const [grant] = await grantStore(api.database.read).list(api.ed.personId);
    expect(grant!.last_used_at).toBe(api.clock.now());
  });
});

describe('an access token', () => {
  it('opens the tool server and nothing else [48.12]', async () => {
    const api = await openApi(await openInMemory());
    const { token } = await connected(api);
    const access = String(token['access_token']);
    for (const path of ['/api/v1', '/api/v1/test', '/api/v1/monitors'])
      expect((await api.call(access, 'GET', path)).status).toBe(401);
    const authorization = `Bearer ${access}`;
    for (const resource of [undefined, 'https://up.example.com', 'https://example.com/mcp'])
      expect(await api.authenticator.authenticate({ authorization, resource })).toBeNull();
    for (const other of [token['refresh_token'], access.slice(10), `tocsin_at_${'A'.repeat(32)}`])
      expect(await callerOf(api, other)).toBeNull();
    // API tokens are accepted there, too.
    expect(await callerOf(api, api.ed.token)).toMatchObject({ credential: { kind: 'token' } });
  });

  it('is refused when another process deleted its grant, once the memory of callers is over [48.13]', async () => {
    const api = await openApi(await openInMemory());
    const { caller } = await connected(api);
    await api.database.transaction((tx) => tx.deleteFrom('oauth_grant').execute());
    await pass(api, CALLER_CACHE_MS);
    expect(await caller()).toBeNull();
  });

  it('needs the second factor that the team requires, whatever its application is named [48.13]', async () => {
    const api = await openApi(await openInMemory());
    const { browser, client, decision, caller } = await connected(api, 'ADMIN_TOKEN');
    await updateRows(api.database, 'team', { mfa_required: 1 }, { id: api.ed.teamId });
    await pass(api, CALLER_CACHE_MS);
    expect(await caller()).toMatchObject({ team: null, role: null, withheld: 'mfa_required' });
    const { status, body } = await client.decide(browser, { ...decision, permissions: ['read'] });
    expect([status, Object.keys(body['errors'] as object)]).toEqual([422, ['team_id']]);
    await updateRows(api.database, 'person', { mfa_enabled: 1 }, { id: api.ed.personId });
    await pass(api, CALLER_CACHE_MS);
    expect(await caller()).toMatchObject({ role: 'editor' });
  });

  it('acts in its team alone, and makes no tokens that would outlive it', async () => {
    const api = await openApi(await openInMemory());
    const { caller } = await connected(api);
    const principal = (await caller())!;
    const deps = { database: api.database, clock: api.clock, forget: api.authenticator.forget };
    const teams = createTeamService({
      ...deps,
      plans: FULL_PLANS,
      openSignup: false,
      passwords: createPasswordQueue(QUICK_PASSWORDS),
    });
    await expect(
      teams.switchTeam(callOf(inTeam(principal), { id: api.mallory.teamId })),
    ).rejects.toThrow(/connected to one team/);
    const tokens = tokensNoun.create(deps);
    const token = { name: 'lasting', permissions: ['read'] };
    await expect(tokens.createToken(callOf(inTeam(principal), { body: token }))).rejects.toThrow(
      /can create no tokens/,
    );
  });
});

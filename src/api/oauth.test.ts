import { describe, expect, it } from 'vitest';
import { BASE_URL, openApi } from '../../test/support/api.ts';
import { openBrowser } from '../../test/support/browser.ts';
import { eachDatabase } from '../../test/support/databases.ts';
import {
  CALLBACK,
  callerOf,
  OAUTH,
  registerClient,
  send,
  TOOL_SERVER,
} from '../../test/support/oauth.ts';
import {
  aliceSignedIn,
  audited,
  freezeDates,
  signIn,
  givePassword,
} from '../../test/support/sign-in.ts';

freezeDates();

eachDatabase((_name, open) => {
  it('connects an application: registers, asks the person, and issues tokens for the tool server', async () => {
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
  });
});

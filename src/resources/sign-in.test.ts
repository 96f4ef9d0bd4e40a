import { expect, test } from 'vitest';
import { LIMITS, NO_MAIL, openApi, type TestApi } from '../../test/support/api.ts';
import { eachDatabase, type OpenFresh } from '../../test/support/databases.ts';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { givePassword } from '../../test/support/sign-in.ts';
import { ensureOwner } from '../identity/bootstrap.ts';
import { createRateLimits } from '../identity/rate-limits.ts';
import { systemClock } from '../lib/clock.ts';

const UNSET = { adminEmail: null, adminPassword: null, teamName: null, adminToken: null };

const optionsOf = (api: TestApi) => api.call(null, 'GET', '/api/v1/sign-in');

/** An installation after its first start. */
async function fresh(open: OpenFresh) {
  const database = await open();
  const clock = createFakeClock({ now: Date.UTC(2030, 0, 1) });
  const { setupToken } = await ensureOwner({ database, clock }, UNSET);
  return { api: await openApi(database), setupToken: setupToken! };
}

eachDatabase((_name, open) => {
  test('visitors read the ways to sign in that the operator configured [57.1]', async () => {
    const bare = await openApi(await open(), { mailQueue: NO_MAIL });
    expect(await optionsOf(bare)).toMatchObject({
      status: 200,
      body: { providers: [], open_signup: false, reset_by_mail: false, setup_pending: false },
    });
    const settings = {
      githubClientId: 'id',
      githubClientSecret: 'a secret of GitHub',
      oidcIssuer: 'https://sso.example',
      oidcClientId: 'id',
      oidcClientSecret: 'a secret of SSO',
      oidcName: 'Ours',
      openSignup: true,
    };
    const { body, text } = await optionsOf(await openApi(await open(), {}, {}, settings));
    expect(body).toEqual({
      providers: [
        { id: 'oidc', name: 'Ours' },
        { id: 'github', name: 'GitHub' },
      ],
      open_signup: true,
      reset_by_mail: true,
      setup_pending: false,
    });
    expect(text).not.toMatch(/secret|sso\.example/);
  });

  test('the set-up is pending until the owner can sign in [57.2]', async () => {
    const { api, setupToken } = await fresh(open);
    expect((await optionsOf(api)).body).toMatchObject({ setup_pending: true });
    const owner = { email: 'owner@example.com', password: 'a long sentence that only I know' };
    await api.call(null, 'POST', '/api/v1/setup', { token: setupToken, ...owner });
    expect((await optionsOf(api)).body).toMatchObject({ setup_pending: false });
  });

  test('the answer depends on no account, and costs a request of visitors [57.3]', async () => {
    const limits = { ...LIMITS, anonymous: 3 };
    const rateLimits = createRateLimits({ limits, clock: systemClock });
    const api = await openApi(await open(), {}, { rateLimits });
    const before = await optionsOf(api);
    await givePassword(api, api.alice);
    const after = await optionsOf(api);
    expect(after.body).toEqual(before.body);
    expect(after.headers).toMatchObject({
      'x-ratelimit-remaining': '1',
      'cache-control': 'no-store',
    });
    await optionsOf(api);
    expect((await optionsOf(api)).status).toBe(429);
  });
});

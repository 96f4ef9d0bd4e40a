import { describe, expect, it } from 'vitest';
import { openApi } from '../../test/support/api.ts';
import { openBrowser } from '../../test/support/browser.ts';
import { openInMemory } from '../../test/support/memory-database.ts';
import { CALLBACK, registerClient } from '../../test/support/oauth.ts';
import { aliceSignedIn, freezeDates } from '../../test/support/sign-in.ts';

freezeDates();

const EVIL = 'https://evil.example/login';
const CLAUDE = 'https://claude.ai/api/mcp/auth_callback';
/** A request that is wrong on purpose, so that it is answered to the application. */
const WRONG = { redirect_uri: EVIL, scope: 'unheard-of' };

const openEdge = async () => openApi(await openInMemory());

describe('an application that anybody may have registered', () => {
  it('is led to only after signing in [48.5]', async () => {
    const api = await openEdge();
    const client = await registerClient(api, { redirect_uris: [EVIL] });
    const page = await client.authorize(openBrowser(api), WRONG);
    expect(page.href).toMatch(/^https:\/\/up\.example\.com\/sign-in\?next=/);
  });

  it('is named on a page of ours when its request is refused, and not led to [48.5]', async () => {
    const api = await openEdge();
    const client = await registerClient(api, { redirect_uris: [EVIL] });
    const page = await client.authorize(await aliceSignedIn(api), WRONG);
    expect(page.origin + page.pathname).toBe('https://up.example.com/connect');
    expect(page.searchParams.get('host')).toBe('evil.example');
    expect(page.searchParams.get('error')).toBe('invalid_scope');
  });

  it.each(['token', 'id_token', 'code id_token', 'none', 'code token'])(
    'is not led to by a request for the type %s [48.5]',
    async (response_type) => {
      const api = await openEdge();
      const client = await registerClient(api, { redirect_uris: [EVIL] });
      const page = await client.authorize(await aliceSignedIn(api), {
        redirect_uri: EVIL,
        response_type,
      });
      expect(page.origin + page.pathname).toBe('https://up.example.com/connect');
      expect(Object.fromEntries(page.searchParams)).toEqual({
        error: 'unsupported_response_type',
        host: 'evil.example',
      });
    },
  );

  it('is led to with its error once the person has connected it [48.5]', async () => {
    const api = await openEdge();
    const browser = await aliceSignedIn(api);
    const client = await registerClient(api, { redirect_uris: [CLAUDE] });
    const decided = await client.decide(
      browser,
      { team_id: api.alice.teamId, permissions: ['read'] },
      { redirect_uri: CLAUDE },
    );
    expect(decided.status).toBe(200);
    const called = await client.authorize(browser, { redirect_uri: CLAUDE, scope: 'unheard-of' });
    expect(called.href).toMatch(/^https:\/\/claude\.ai\/.*error=invalid_scope/);
  });

  it('on a device is called back with its error [48.5]', async () => {
    const api = await openEdge();
    const client = await registerClient(api);
    const called = await client.authorize(await aliceSignedIn(api), { scope: 'unheard-of' });
    expect(called.href).toContain(CALLBACK);
    expect(called.searchParams.get('error')).toBe('invalid_scope');
  });

  it('is listed with the host that got the access, also in the audit log [49.1, 48.19]', async () => {
    const api = await openEdge();
    const client = await registerClient(api, { redirect_uris: [CLAUDE, EVIL] });
    const decided = await client.decide(
      await aliceSignedIn(api),
      { team_id: api.alice.teamId, permissions: ['read'] },
      { redirect_uri: EVIL },
    );
    expect(decided.status).toBe(200);
    const { body } = await api.call(api.alice, 'GET', '/api/v1/connected-applications');
    expect(body['data']).toMatchObject([{ host: 'evil.example' }]);
    const log = await api.call(api.alice, 'GET', '/api/v1/audit-log?action=application.connected');
    expect(log.body['data']).toMatchObject([{ after: { host: 'evil.example' } }]);
  });
});

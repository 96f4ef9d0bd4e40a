import { describe, expect, it, test, vi } from 'vitest';
import { LIMITS, openApi } from '../../test/support/api.ts';
import { openBrowser } from '../../test/support/browser.ts';
import { eachDatabase } from '../../test/support/databases.ts';
import { openInMemory } from '../../test/support/memory-database.ts';
import { CALLBACK, OAUTH, registerClient, send } from '../../test/support/oauth.ts';
import { aliceSignedIn, freezeDates, pass } from '../../test/support/sign-in.ts';
import { DatabaseUnavailable } from '../store/database/errors.ts';
import { createRateLimits } from '../identity/rate-limits.ts';
import { OAUTH_ROUTES } from './oauth-routes.ts';

const FOREIGN = { origin: 'https://assistant.example' };
const REGISTRATION = { client_name: 'Assistant', redirect_uris: [CALLBACK] };

freezeDates();

const openEdge = async () => openApi(await openInMemory());

eachDatabase((_name, open) => {
  test.each([
    ['authorize', 'GET', { client_id: 'a\0b' }],
    ['authorize', 'GET', { client_id: 'a', resource: 'https://up.example.com/\0' }],
    ['token', 'POST', { grant_type: 'authorization_code', client_id: 'a\0b', code: 'x' }],
    ['revoke', 'POST', { client_id: 'a\0b', token: 'tocsin_at_x' }],
  ] as const)(
    '%s refuses a null character by %s in %j [48.17]',
    async (endpoint, method, fields) => {
      const api = await openApi(await open());
      const answer =
        method === 'GET'
          ? await send(api, method, `${OAUTH}/${endpoint}?${new URLSearchParams(fields)}`)
          : await send(api, method, `${OAUTH}/${endpoint}`, { form: fields });
      expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    },
  );
});

describe('the documents', () => {
  it.each([
    '/.well-known/oauth-authorization-server/api/auth',
    '/.well-known/oauth-authorization-server',
    '/api/auth/.well-known/oauth-authorization-server',
    '/.well-known/oauth-protected-resource/mcp',
    '/.well-known/oauth-protected-resource',
  ])('%s is for pages of any site [48.1]', async (path) => {
    const api = await openEdge();
    const answer = await send(api, 'GET', path, { headers: FOREIGN });
    expect(answer).toMatchObject({
      status: 200,
      headers: {
        'access-control-allow-origin': '*',
        'content-type': expect.stringContaining('application/json'),
      },
    });
  });

  it('name only endpoints that answer [48.1]', async () => {
    const api = await openEdge();
    const { body } = await send(api, 'GET', '/.well-known/oauth-authorization-server/api/auth');
    const named = Object.entries(body).filter(([name]) => name.endsWith('_endpoint'));
    expect(named.map(([name]) => name)).toEqual([
      'authorization_endpoint',
      'token_endpoint',
      'registration_endpoint',
      'revocation_endpoint',
    ]);
    const paths = OAUTH_ROUTES.map(({ path }) => `https://up.example.com/api/auth${path}`);
    for (const [, address] of named) expect(paths).toContain(address);
    expect((await send(api, 'GET', '/.well-known/oauth-protected-resource/other')).status).toBe(
      404,
    );
    for (const path of ['jwks', 'oauth2/userinfo', 'oauth2/introspect', 'oauth2/create-client'])
      expect((await send(api, 'GET', `/api/auth/${path}`)).status).toBe(404);
    const wrong = await send(api, 'GET', `${OAUTH}/token`);
    expect([wrong.status, wrong.headers['allow']]).toEqual([405, 'POST']);
  });
});

describe('endpoints for clients', () => {
  it.each(['register', 'token', 'revoke'])(
    '%s may be called by pages of any site [48.17]',
    async (path) => {
      const api = await openEdge();
      const asked = await send(api, 'OPTIONS', `${OAUTH}/${path}`, { headers: FOREIGN });
      expect(asked).toMatchObject({
        status: 204,
        headers: {
          'access-control-allow-origin': '*',
          'access-control-allow-headers': expect.stringContaining('Content-Type'),
        },
      });
      const answer = await send(api, 'POST', `${OAUTH}/${path}`, { form: {}, headers: FOREIGN });
      expect(answer.headers['access-control-allow-origin']).toBe('*');
      expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
    },
  );

  it('those of the consent page may not be read by other sites', async () => {
    const api = await openEdge();
    for (const path of ['consent-request', 'consent']) {
      const answer = await send(api, 'OPTIONS', `${OAUTH}/${path}`, { headers: FOREIGN });
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  it.each([
    ['an unknown grant', { grant_type: 'password' }, 400, 'unsupported_grant_type'],
    ['no grant', {}, 400, 'invalid_request'],
    ['no client', { grant_type: 'refresh_token', refresh_token: 'x' }, 400, 'invalid_request'],
    [
      'an unknown code',
      { grant_type: 'authorization_code', code: 'x', code_verifier: 'y', client_id: 'z' },
      400,
      'invalid_grant',
    ],
    [
      'an unknown refresh token',
      { grant_type: 'refresh_token', refresh_token: 'x', client_id: 'z' },
      400,
      'invalid_grant',
    ],
  ] as const)('refuse %s as the standard has it [48.17]', async (_what, form, status, error) => {
    const api = await openEdge();
    const answer = await send(api, 'POST', `${OAUTH}/token`, { form });
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual({ error, error_description: expect.stringMatching(/\.$/) });
  });

  it('refuse repeated fields, JSON, and clients that have none of their tokens [48.17]', async () => {
    const api = await openEdge();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const post = (payload: string, more = headers) =>
      api.app.inject({ method: 'POST', url: `${OAUTH}/token`, headers: more, payload });
    expect((await post('client_id=a&client_id=b')).json()).toEqual({
      error: 'invalid_request',
      error_description: 'client_id must not be repeated.',
    });
    const asJson = await post('{"grant_type":"x"}', { 'content-type': 'application/json' });
    expect([asJson.statusCode, asJson.json<{ error: string }>().error]).toEqual([
      400,
      'invalid_request',
    ]);
    const asText = await post('x', { 'content-type': 'text/plain' });
    expect([asText.statusCode, asText.json<{ error: string }>().error]).toEqual([
      415,
      'invalid_request',
    ]);
  });
});

describe('registration', () => {
  it('answers what was registered, without a secret [48.3]', async () => {
    const api = await openEdge();
    const body = {
      ...REGISTRATION,
      token_endpoint_auth_method: 'client_secret_post',
      grant_types: ['authorization_code', 'refresh_token'],
      skip_consent: true,
      logo_uri: 'https://assistant.example/logo.png',
    };
    const answer = await send(api, 'POST', `${OAUTH}/register`, { body, headers: FOREIGN });
    expect(answer).toMatchObject({
      status: 201,
      body: {
        client_id: expect.stringMatching(/^\w{30}$/),
        client_id_issued_at: api.clock.now() / 1_000,
        client_name: 'Assistant',
        redirect_uris: [CALLBACK],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
        application_type: 'native',
        scope: 'offline_access read create update delete check_url',
      },
    });
    expect(Object.keys(answer.body)).toHaveLength(9);
  });

  it('is refused with the reason [48.3]', async () => {
    const api = await openEdge();
    const body = { redirect_uris: ['http://example.com/'] };
    expect(await send(api, 'POST', `${OAUTH}/register`, { body })).toMatchObject({
      status: 400,
      body: {
        error: 'invalid_redirect_uri',
        error_description:
          'redirect_uris.0 must begin with https, unless its host is localhost, 127.0.0.1 or [::1].',
      },
    });
  });

  it('is temporarily unavailable without the database [48.17]', async () => {
    const database = await openInMemory();
    const api = await openApi(database);
    vi.spyOn(database, 'transaction').mockRejectedValue(new DatabaseUnavailable('it is away'));
    const answer = await send(api, 'POST', `${OAUTH}/register`, { body: REGISTRATION });
    expect([answer.status, answer.headers['retry-after'], answer.body]).toEqual([
      503,
      '5',
      { error: 'temporarily_unavailable', error_description: expect.stringMatching(/\.$/) },
    ]);
    expect(api.faults).toHaveLength(1);
  });

  it('has a budget of 20 an hour for each client address [48.4]', async () => {
    const clock = { now: () => Date.now() };
    const rateLimits = createRateLimits({ limits: LIMITS, clock });
    const api = await openApi(await openInMemory(), {}, { rateLimits });
    const register = (remoteAddress: string) =>
      api.app.inject({
        method: 'POST',
        url: `${OAUTH}/register`,
        remoteAddress,
        payload: REGISTRATION,
      });
    for (let time = 0; time < 20; time += 1)
      expect((await register('192.0.2.1')).statusCode).toBe(201);
    const refused = await register('192.0.2.1');
    expect(refused.statusCode).toBe(429);
    expect(refused.headers['retry-after']).toBe('3600');
    expect(refused.json()).toEqual({
      error: 'temporarily_unavailable',
      error_description:
        'The limit of 20 registrations an hour from your network is reached: try again in 60 minutes.',
    });
    expect((await register('192.0.2.2')).statusCode).toBe(201);
  });
});

describe('the provider', () => {
  it('is loaded by the first authorization, not by registration or documents', async () => {
    const api = await openEdge();
    await registerClient(api);
    await send(api, 'GET', '/.well-known/oauth-authorization-server');
    expect(await api.database.read.selectFrom('oauth_resource').selectAll().execute()).toEqual([]);
    const browser = await aliceSignedIn(api);
    await pass(api, 1_000);
    expect((await browser.get(`${OAUTH}/authorize?client_id=x`)).status).toBe(302);
    expect(
      await api.database.read.selectFrom('oauth_resource').select('identifier').execute(),
    ).toEqual([{ identifier: 'https://up.example.com/mcp' }]);
  });

  it('sends nobody to another site before it knows the application', async () => {
    const api = await openEdge();
    const query = new URLSearchParams({ redirect_uri: 'https://example.com/', client_id: 'x' });
    const { headers } = await openBrowser(api).get(`${OAUTH}/authorize?${query}`);
    expect(headers['location']).toMatch(/^https:\/\/up\.example\.com\/connect\?error=/);
  });
});

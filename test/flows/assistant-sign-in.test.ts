import {
  UnauthorizedError,
  Client,
  StreamableHTTPClientTransport,
  type FetchLike,
  type OAuthClientInformationMixed,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type OAuthTokens,
} from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { openApi, type TestApi, BASE_URL } from '../support/api.ts';
import { openBrowser, type TestBrowser } from '../support/browser.ts';
import { eachDatabase } from '../support/databases.ts';
import { freezeDates, givePassword, pass, signIn } from '../support/sign-in.ts';
import type { TestPerson } from '../support/people.ts';

const REDIRECT = 'http://127.0.0.1:41999/callback';

/** An AI assistant that signs in by OAuth, with the official client package. */
interface Assistant {
  client: Client;
  /** What the client keeps: tests look at it and change it. */
  kept: Kept;
  /** Connects again with what is kept. Throws UnauthorizedError when it would have to ask a person again. */
  reconnect(): Promise<Client>;
}

interface Kept {
  registration?: OAuthClientInformationMixed;
  tokens?: OAuthTokens;
  verifier?: string;
  discovery?: OAuthDiscoveryState;
  /** Where a person was sent to. */
  authorization?: URL;
}

/** What a person answers on the consent page. */
interface ConsentGiven {
  teamId: number;
  permissions: readonly string[];
}

/** Connects an assistant: it registers, a person signed in in that browser consents, and it fetches its tokens. */
async function connectAssistant(
  api: TestApi,
  browser: TestBrowser,
  consent: ConsentGiven,
  clientName = 'Assistant',
): Promise<Assistant> {
  const kept: Kept = {};
  const provider = providerOf(kept, clientName);
  const first = transportOf(api, provider);
  const refused = await new Client({ name: clientName, version: '1.0.0' })
    .connect(first)
    .catch((error: unknown) => error);
  if (!(refused instanceof UnauthorizedError)) throw new Error(`Not asked: ${String(refused)}`);
  await first.finishAuth(await consentOf(browser, kept.authorization!, consent));

  async function reconnect(): Promise<Client> {
    const client = new Client({ name: clientName, version: '1.0.0' });
    await client.connect(transportOf(api, provider));
    return client;
  }

  return { client: await reconnect(), kept, reconnect };
}

/** Opens the address as a browser does and answers the consent page. @returns what the client is called back with. */
async function consentOf(
  browser: TestBrowser,
  address: URL,
  { teamId, permissions }: ConsentGiven,
): Promise<URLSearchParams> {
  const opened = await browser.get(address.pathname + address.search);
  const page = new URL(String(opened.headers['location']), BASE_URL);
  if (page.pathname !== '/connect') throw new Error(`Not on the consent page: ${page.href}`);
  const { status, body } = await browser.post('/api/auth/oauth2/consent', {
    accept: true,
    oauth_query: page.search.slice(1),
    team_id: teamId,
    permissions,
  });
  const called = URL.parse(String(body['url']))?.searchParams;
  if (status !== 200 || called?.has('code') !== true)
    throw new Error(`No code: ${status} ${JSON.stringify(body)}`);
  return called;
}

function transportOf(api: TestApi, authProvider: OAuthClientProvider) {
  return new StreamableHTTPClientTransport(new URL(`${BASE_URL}/mcp`), {
    authProvider,
    fetch: fetchFrom(api),
  });
}

function providerOf(kept: Kept, clientName: string): OAuthClientProvider {
  return {
    redirectUrl: REDIRECT,
    clientMetadata: {
      client_name: clientName,
      redirect_uris: [REDIRECT],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    clientInformation: () => kept.registration,
    saveClientInformation: (registration) => void (kept.registration = registration),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void (kept.tokens = tokens),
    redirectToAuthorization: (address) => void (kept.authorization = address),
    saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier ?? '',
    invalidateCredentials: () => {
      delete kept.tokens;
    },
    discoveryState: () => kept.discovery,
    saveDiscoveryState: (discovery) => void (kept.discovery = discovery),
  };
}

/** `fetch` into the API of a test, whatever the host. */
function fetchFrom({ app }: TestApi): FetchLike {
  return async (address, init = {}) => {
    const request = new Request(new URL(address, BASE_URL), init as RequestInit);
    const { pathname, search } = new URL(request.url);
    const body = request.body === null ? undefined : await request.text();
    const answered = await app.inject({
      method: request.method as 'GET',
      url: pathname + search,
      headers: Object.fromEntries(request.headers),
      ...(body !== undefined && { payload: body }),
    });
    const headers = Object.entries(answered.headers).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]);
    const hasNoBody = [101, 204, 205, 304].includes(answered.statusCode);
    return new Response(hasNoBody ? null : answered.body, { status: answered.statusCode, headers });
  };
}

freezeDates();

const HOUR = 3_600_000;

const namesOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);

async function signedIn(api: TestApi, who: TestPerson, email: string): Promise<TestBrowser> {
  await givePassword(api, who);
  const browser = openBrowser(api);
  expect((await signIn(browser, email)).status).toBe(200);
  return browser;
}

const edIn = (api: TestApi) => signedIn(api, api.ed, 'ed@example.com');

const everything = (who: TestPerson): ConsentGiven => ({
  teamId: who.teamId,
  permissions: ['read', 'create', 'update', 'delete'],
});

const reading = (who: TestPerson): ConsentGiven => ({ teamId: who.teamId, permissions: ['read'] });

eachDatabase((_name, open) => {
  test('an assistant registers, a person consents, it calls tools, and its tokens are renewed', async () => {
    const api = await openApi(await open());
    const assistant = await connectAssistant(api, await edIn(api), everything(api.ed), 'Helper');
    const created = await assistant.client.callTool({
      name: 'create_monitor',
      arguments: { url: 'https://shop.example/', check_interval: 1 },
    });
    expect(created.structuredContent).toMatchObject({ name: 'https://shop.example/' });
    const { body: log } = await api.call(
      api.alice,
      'GET',
      '/api/v1/audit-log?action=monitor.created',
    );
    expect(log['data']).toMatchObject([{ via: 'tool_server', token_name: 'Helper' }]);

    const { access_token: first } = assistant.kept.tokens!;
    await pass(api, 2 * HOUR);
    expect(await namesOf(await assistant.reconnect())).toContain('list_monitors');
    expect(assistant.kept.tokens!.access_token).not.toBe(first);
  });

  test('an assistant is shown only the tools that the person allowed', async () => {
    const api = await openApi(await open());
    const { client } = await connectAssistant(api, await edIn(api), reading(api.ed));
    const names = await namesOf(client);
    expect(names).toContain('list_monitors');
    expect(names.filter((name) => /^(create|update|delete|pause|resolve)_/.test(name))).toEqual([]);
    const refused = await client.callTool({ name: 'delete_monitor', arguments: { monitor_id: 1 } });
    expect(refused).toMatchObject({ isError: true });
  });

  test('a member who was removed is refused at the next call, and the assistant can not renew its token', async () => {
    const api = await openApi(await open());
    const assistant = await connectAssistant(api, await edIn(api), everything(api.ed));
    expect(await namesOf(assistant.client)).toContain('delete_monitor');
    const { status } = await api.call(api.alice, 'DELETE', `/api/v1/users/${api.ed.personId}`);
    expect(status).toBe(204);
    await expect(assistant.client.listTools()).rejects.toThrow(UnauthorizedError);
    await expect(assistant.reconnect()).rejects.toThrow(UnauthorizedError);
  });

  test('a member whose role was lowered loses the tools for changes at the next call', async () => {
    const api = await openApi(await open());
    const { client } = await connectAssistant(api, await edIn(api), everything(api.ed));
    expect(await namesOf(client)).toContain('delete_monitor');
    const path = `/api/v1/users/${api.ed.personId}`;
    expect((await api.call(api.alice, 'PUT', path, { role: 'viewer' })).status).toBe(200);
    expect(await namesOf(client)).not.toContain('delete_monitor');
  });

  test('an application that was disconnected is refused at the next call', async () => {
    const api = await openApi(await open());
    const browser = await edIn(api);
    const assistant = await connectAssistant(api, browser, everything(api.ed));
    const { body } = await api.call(api.ed, 'GET', '/api/v1/connected-applications');
    const [connected] = body['data'] as { id: number }[];
    const path = `/api/v1/connected-applications/${connected!.id}`;
    expect((await api.call(api.ed, 'DELETE', path)).status).toBe(204);
    await expect(assistant.client.listTools()).rejects.toThrow(UnauthorizedError);
    await expect(assistant.reconnect()).rejects.toThrow(UnauthorizedError);
  });

  test('the session may end: the assistant stays connected', async () => {
    const api = await openApi(await open());
    const browser = await edIn(api);
    const assistant = await connectAssistant(api, browser, reading(api.ed));
    expect((await browser.post('/api/auth/sign-out')).status).toBe(200);
    await pass(api, 2 * HOUR);
    expect(await namesOf(await assistant.reconnect())).toContain('list_monitors');
  });

  test('the token of an assistant is of no use at the API', async () => {
    const api = await openApi(await open());
    const { kept } = await connectAssistant(api, await edIn(api), everything(api.ed));
    const { status } = await api.call(kept.tokens!.access_token, 'GET', '/api/v1/monitors');
    expect(status).toBe(401);
  });
});

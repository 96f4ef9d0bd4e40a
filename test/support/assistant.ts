import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type FetchLike,
  type OAuthClientInformationMixed,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type OAuthTokens,
} from '@modelcontextprotocol/client';
import { BASE_URL, type TestApi } from './api.ts';
import type { TestBrowser } from './browser.ts';

const REDIRECT = 'http://127.0.0.1:41999/callback';

/** An AI assistant that signs in by OAuth, with the official client package. */
export interface Assistant {
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
export interface ConsentGiven {
  teamId: number;
  permissions: readonly string[];
}

/** Connects an assistant: it registers, a person signed in in that browser consents, and it fetches its tokens. */
export async function connectAssistant(
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

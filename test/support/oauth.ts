import { createHash, randomBytes } from 'node:crypto';
import { BASE_URL, type TestApi } from './api.ts';
import type { PageAnswer, TestBrowser } from './browser.ts';

export const OAUTH = '/api/auth/oauth2';
export const CALLBACK = 'http://127.0.0.1:4711/callback';
export const TOOL_SERVER = `${BASE_URL}/mcp`;

/** Answer to a client: a program, without cookies. */
export interface ClientAnswer {
  status: number;
  headers: Record<string, unknown>;
  // Untyped: tests assert the fields.
  body: Record<string, unknown>;
}

/** An application that connects itself, as its user sees it. */
export interface TestClient {
  id: string;
  /** The query of an authorization request, with what differs; null leaves a parameter out. */
  query(changes?: Record<string, string | null>): string;
  /** Sends the browser to the authorization endpoint. @returns the address to which it is redirected. */
  authorize(browser: TestBrowser, changes?: Record<string, string | null>): Promise<URL>;
  /** Lets a person decide on the consent page; by default they allow what is asked for. */
  decide(
    browser: TestBrowser,
    decision: Record<string, unknown>,
    changes?: Record<string, string | null>,
  ): Promise<PageAnswer>;
  /** A code for reading in that team. */
  code(browser: TestBrowser, decision: Record<string, unknown>): Promise<string>;
  /** Exchanges a code. */
  exchange(code: string, changes?: Record<string, string | null>): Promise<ClientAnswer>;
  refresh(token: unknown): Promise<ClientAnswer>;
  revoke(token: unknown): Promise<ClientAnswer>;
}

/** Sends a request of a program. */
export async function send(
  api: Pick<TestApi, 'app'>,
  method: 'GET' | 'POST' | 'OPTIONS',
  url: string,
  options: { body?: object; form?: Record<string, string>; headers?: Record<string, string> } = {},
): Promise<ClientAnswer> {
  const { body, form, headers = {} } = options;
  const response = await api.app.inject({
    method,
    url,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(form !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
      ...headers,
    },
    ...(body !== undefined && { payload: JSON.stringify(body) }),
    ...(form !== undefined && { payload: new URLSearchParams(form).toString() }),
  });
  const isJson = String(response.headers['content-type'] ?? '').includes('json');
  return {
    status: response.statusCode,
    headers: response.headers,
    body: isJson ? (response.json() ?? {}) : {},
  };
}

/** Registers an application, as one on somebody's device does. */
export async function registerClient(
  api: Pick<TestApi, 'app'>,
  metadata: Record<string, unknown> = {},
): Promise<TestClient> {
  const registered = await send(api, 'POST', `${OAUTH}/register`, {
    body: {
      client_name: 'Assistant',
      redirect_uris: [CALLBACK],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      ...metadata,
    },
  });
  if (registered.status !== 201)
    throw new Error(`Not registered: ${JSON.stringify(registered.body)}`);
  const id = String(registered.body['client_id']);
  const verifier = randomBytes(32).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');

  const client: TestClient = {
    id,
    query: (changes = {}) =>
      queryOf({
        client_id: id,
        response_type: 'code',
        redirect_uri: CALLBACK,
        scope: 'read create',
        state: 's*1',
        code_challenge: challenge,
        code_challenge_method: 'S256',
        resource: TOOL_SERVER,
        ...changes,
      }),
    async authorize(browser, changes) {
      const { status, headers } = await browser.get(`${OAUTH}/authorize?${client.query(changes)}`);
      if (status !== 302) throw new Error(`Answered ${status} instead of a redirect.`);
      return new URL(String(headers['location']));
    },
    async decide(browser, decision, changes) {
      const page = await client.authorize(browser, changes);
      const oauth_query = page.search.slice(1);
      return browser.post(`${OAUTH}/consent`, { oauth_query, accept: true, ...decision });
    },
    async code(browser, decision) {
      const { status, body } = await client.decide(browser, { permissions: ['read'], ...decision });
      if (status !== 200) throw new Error(`Not connected: ${JSON.stringify(body)}`);
      return new URL(String(body['url'])).searchParams.get('code')!;
    },
    exchange: (code, changes = {}) =>
      post('token', {
        grant_type: 'authorization_code',
        code,
        client_id: id,
        redirect_uri: CALLBACK,
        code_verifier: verifier,
        resource: TOOL_SERVER,
        ...changes,
      }),
    refresh: (token) =>
      post('token', {
        grant_type: 'refresh_token',
        refresh_token: String(token),
        client_id: id,
        resource: TOOL_SERVER,
      }),
    revoke: (token) => post('revoke', { token: String(token), client_id: id }),
  };

  function post(endpoint: string, fields: Record<string, string | null>): Promise<ClientAnswer> {
    const form = Object.fromEntries(new URLSearchParams(queryOf(fields)));
    return send(api, 'POST', `${OAUTH}/${endpoint}`, { form });
  }
  return client;
}

function queryOf(fields: Record<string, string | null>): string {
  const given = Object.entries(fields).filter((pair): pair is [string, string] => pair[1] !== null);
  return new URLSearchParams(given).toString();
}

/** The caller that an access token stands for at the tool server; null for none. */
export function callerOf(api: Pick<TestApi, 'authenticator'>, token: unknown) {
  return api.authenticator.authenticate({
    authorization: `Bearer ${String(token)}`,
    resource: TOOL_SERVER,
  });
}

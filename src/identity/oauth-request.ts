import { createHmac } from 'node:crypto';
import {
  ACCESS_TOKEN_PREFIX,
  OFFLINE_ACCESS,
  REFRESH_TOKEN_PREFIX,
  issuerOf,
  AUTHORIZE_PATH,
  CONSENT_PAGE,
  SIGN_IN_PAGE,
} from './oauth-metadata.ts';
import { hashToken } from './token.ts';
import type { SignInAnswer } from './sign-in-request.ts';
import { isSame, type SignInSecret } from './session-cookie.ts';

/** Parameters of the authorization request; others are ignored (RFC 6749, section 3.1). */
const AUTHORIZE_FIELDS = [
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'resource',
];
const TOKEN_FIELDS = [
  'grant_type',
  'client_id',
  'code',
  'code_verifier',
  'redirect_uri',
  'refresh_token',
  'resource',
];

const TOKEN_PREFIXES = [
  ['access', ACCESS_TOKEN_PREFIX],
  ['refresh', REFRESH_TOKEN_PREFIX],
] as const;

/**
 * The authorization request as it is handed to better-auth: without a resource it is for the tool server, the only one, and
 * any scope includes reading and refreshing. Clients learn their scope with the token (RFC 6749, section 3.3).
 */
export function completeRequest(sent: URLSearchParams, toolServer: string): URLSearchParams {
  const query = kept(sent, AUTHORIZE_FIELDS);
  if (!query.has('resource')) query.set('resource', toolServer);
  // better-auth knows types that Tocsin does not offer, and answers their errors in the fragment.
  if (query.has('response_type') && query.get('response_type') !== 'code')
    query.set('response_type', 'unsupported');
  const scopes = (query.get('scope') ?? '').split(' ').filter((scope) => scope !== '');
  query.delete('scope');
  if (scopes.length > 0)
    query.set('scope', [...new Set([...scopes, 'read', OFFLINE_ACCESS])].join(' '));
  return query;
}

export function tokenFields(form: URLSearchParams): URLSearchParams {
  return kept(form, TOKEN_FIELDS);
}

/** What is wrong with the form of parameters; null for nothing. None is repeated (RFC 6749, section 3.1). */
export function parameterProblem(parameters: URLSearchParams): string | null {
  for (const [name, value] of parameters) {
    if (name !== 'resource' && parameters.getAll(name).length > 1)
      return `${name} must not be repeated.`;
    if (value.includes('\0')) return `${name} must not contain a null character.`;
  }
  return null;
}

/** Kind and hash of a token; null for what has no form of one. */
export function namedToken(token: string): { kind: 'access' | 'refresh'; hash: string } | null {
  for (const [kind, prefix] of TOKEN_PREFIXES)
    if (token.startsWith(prefix)) return { kind, hash: hashToken(token.slice(prefix.length)) };
  return null;
}

export function isSignInPage(location: string, baseUrl: string): boolean {
  return location.startsWith(`${baseUrl}${SIGN_IN_PAGE}?`);
}

/** The page for signing in, which leads back to the authorization request. */
export function signInLink(baseUrl: string, query: URLSearchParams): string {
  const base = new URL(baseUrl).pathname.replace(/\/$/, '');
  // better-auth accepts no asterisk in an address to return to.
  const next = `${base}${AUTHORIZE_PATH}?${query.toString().replaceAll('*', '%2A')}`;
  return `${baseUrl}${SIGN_IN_PAGE}?${new URLSearchParams({ next })}`;
}

/** True for an address on the web, not for one of an application on the person's device. */
export function isOnTheWeb(location: string): boolean {
  return URL.parse(location)?.protocol === 'https:';
}

/** The page of Tocsin that takes the place of an address of an application which the person has not connected. */
export function problemPage(location: string, baseUrl: string): string {
  const { host, searchParams, hash } = new URL(location);
  const parameters = searchParams.has('error') ? searchParams : new URLSearchParams(hash.slice(1));
  const error = parameters.get('error') ?? 'invalid_request';
  return `${baseUrl}${CONSENT_PAGE}?${new URLSearchParams({ error, host })}`;
}

function kept(parameters: URLSearchParams, names: readonly string[]): URLSearchParams {
  return new URLSearchParams([...parameters].filter(([name]) => names.includes(name)));
}

/** Errors of the token endpoint (RFC 6749, section 5.2; RFC 8707, section 2). */
const TOKEN_ERRORS = new Set([
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
  'invalid_target',
]);

export function oauthRefusal(status: number, error: string, description: string): SignInAnswer {
  return { status, headers: [], body: { error, error_description: description } };
}

/**
 * Answer of better-auth's endpoints for tokens. Its errors become those of the standard: a code or token that is not
 * valid is an `invalid_grant`, also when the verifier of a code is the wrong one (RFC 7636, section 4.6).
 */
export async function tokenAnswer(response: Response): Promise<SignInAnswer> {
  const text = await response.text();
  const body = text === '' ? {} : (JSON.parse(text) as Record<string, unknown> | null);
  if (response.status < 400) return { status: 200, headers: [], body: body ?? {} };
  const { error, error_description: description } = (body ?? {}) as Record<string, unknown>;
  const isKnown = typeof error === 'string' && TOKEN_ERRORS.has(error);
  const isOfClient = error === 'invalid_client';
  const code = isKnown && (response.status !== 401 || isOfClient) ? error : 'invalid_grant';
  return oauthRefusal(isOfClient ? 401 : 400, code, sentence(description));
}

function sentence(description: unknown): string {
  const text = typeof description === 'string' && description !== '' ? description : 'refused';
  const start = text[0]!.toUpperCase() + text.slice(1);
  return /[.!?]$/.test(start) ? start : `${start}.`;
}

/**
 * Address of the client that better-auth redirects to, with the issuer that the metadata names (RFC 9207): better-auth's
 * own is always https.
 */
export function withIssuer(address: string, baseUrl: string): string {
  const url = URL.parse(address);
  if (url === null || !url.searchParams.has('iss')) return address;
  url.searchParams.set('iss', issuerOf(baseUrl));
  return url.href;
}

/**
 * Verifies the query by which better-auth hands an authorization request to the consent page, so that nobody is asked for
 * anything that no client requested.
 *
 * @param secrets those of all keys: each of them may have signed it.
 * @param now epoch milliseconds.
 * @returns the query signed by the first secret, which is the one that better-auth accepts; null for one that is forged
 *   or expired.
 */
export function verifySignedQuery(text: string, secrets: readonly SignInSecret[], now: number) {
  const query = new URLSearchParams(text);
  const [signature, ...others] = query.getAll('sig');
  if (signature === undefined || others.length > 0) return null;
  query.delete('sig');
  const signed = canonical(query);
  const sign = ({ value }: SignInSecret) =>
    createHmac('sha256', value).update(signed).digest('base64');
  if (!secrets.some((secret) => isSame(signature, sign(secret)))) return null;
  if (!(Number(query.get('exp')) * 1_000 >= now)) return null;
  query.set('sig', sign(secrets[0]!));
  return query;
}

/** The parameters in the order in which better-auth signs them. */
function canonical(query: URLSearchParams): string {
  const pairs = [...query].toSorted(
    ([name, value], [otherName, otherValue]) =>
      compare(name, otherName) || compare(value, otherValue),
  );
  return new URLSearchParams(pairs).toString();
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

import { ACCESS_TOKEN_PREFIX, OFFLINE_ACCESS, REFRESH_TOKEN_PREFIX } from './oauth-metadata.ts';
import { hashToken } from './token.ts';

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

/** The page for signing in, as better-auth redirects to it. */
const SIGN_IN_PAGE = '/sign-in';
const CONNECT_PAGE = '/connect';
const AUTHORIZE_PATH = '/api/auth/oauth2/authorize';

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

/** The parameters that a request for tokens may have. */
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

/** True when better-auth redirects to the page for signing in. */
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
  return `${baseUrl}${CONNECT_PAGE}?${new URLSearchParams({ error, host })}`;
}

function kept(parameters: URLSearchParams, names: readonly string[]): URLSearchParams {
  return new URLSearchParams([...parameters].filter(([name]) => names.includes(name)));
}

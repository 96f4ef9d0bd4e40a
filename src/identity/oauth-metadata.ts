import { GRANT_PERMISSIONS } from './caller.ts';

/** Scope of a client that may get new tokens while nobody is signed in (OpenID Connect Core 1.0, section 11). */
export const OFFLINE_ACCESS = 'offline_access';
/** Scopes that clients may request: the permissions of a grant, and refreshing. */
export const SCOPES: readonly string[] = [OFFLINE_ACCESS, ...GRANT_PERMISSIONS];
export const GRANT_TYPES = ['authorization_code', 'refresh_token'] as const;

/** Prefixes of tokens, so that secret scanners recognize them. API tokens have no second underscore. */
export const ACCESS_TOKEN_PREFIX = 'tocsin_at_';
export const REFRESH_TOKEN_PREFIX = 'tocsin_rt_';

/** Paths below BASE_URL. */
export const SIGN_IN_PAGE = '/sign-in';
export const CONSENT_PAGE = '/connect';
export const AUTHORIZE_PATH = '/api/auth/oauth2/authorize';
export const TOOL_SERVER_PATH = '/mcp';

/** Documents by which clients find what they need, below the root of the host. */
export const RESOURCE_DOCUMENT = '/.well-known/oauth-protected-resource';
export const SERVER_DOCUMENT = '/.well-known/oauth-authorization-server';

/** Address of the tool server: the one resource that access tokens are issued for (RFC 8707). */
export function toolServerOf(baseUrl: string): string {
  return baseUrl + TOOL_SERVER_PATH;
}

/** Issuer of tokens, which identifies the authorization server. */
export function issuerOf(baseUrl: string): string {
  return `${baseUrl}/api/auth`;
}

/** Metadata of the authorization server (RFC 8414). It names only endpoints that exist. */
export function authorizationServerMetadata(baseUrl: string): Record<string, unknown> {
  const issuer = issuerOf(baseUrl);
  return {
    issuer,
    authorization_endpoint: baseUrl + AUTHORIZE_PATH,
    token_endpoint: `${issuer}/oauth2/token`,
    registration_endpoint: `${issuer}/oauth2/register`,
    revocation_endpoint: `${issuer}/oauth2/revoke`,
    scopes_supported: SCOPES,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: GRANT_TYPES,
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    service_documentation: `${baseUrl}/docs`,
  };
}

/** Metadata of the tool server as a protected resource (RFC 9728). */
export function resourceMetadata(baseUrl: string): Record<string, unknown> {
  return {
    resource: toolServerOf(baseUrl),
    resource_name: 'Tocsin',
    authorization_servers: [issuerOf(baseUrl)],
    scopes_supported: GRANT_PERMISSIONS,
    bearer_methods_supported: ['header'],
    resource_documentation: `${baseUrl}/docs`,
  };
}

/**
 * Value of `WWW-Authenticate` for a call of the tool server without a valid token: it leads clients to the authorization
 * server (RFC 9728, section 5.1).
 *
 * @param isTokenSent whether the call had a token, which is then not valid (RFC 6750, section 3.1).
 */
export function toolServerChallenge(baseUrl: string, isTokenSent: boolean): string {
  const { origin, pathname } = new URL(toolServerOf(baseUrl));
  const metadata = `resource_metadata="${origin}${RESOURCE_DOCUMENT}${pathname}"`;
  return isTokenSent ? `Bearer error="invalid_token", ${metadata}` : `Bearer ${metadata}`;
}

/**
 * The well-known document at a path; null for none. Its identifier's path follows the name of the document (RFC 8414,
 * section 3.1), also without the path of BASE_URL, which a proxy may remove. Clients that know no paths get it, too.
 */
export function wellKnownDocument(path: string, baseUrl: string): Record<string, unknown> | null {
  const documents = [
    { name: RESOURCE_DOCUMENT, url: toolServerOf(baseUrl), make: resourceMetadata },
    {
      name: SERVER_DOCUMENT,
      url: issuerOf(baseUrl),
      make: authorizationServerMetadata,
    },
  ];
  for (const { name, url, make } of documents) {
    const own = url.slice(baseUrl.length);
    const paths = ['', own, new URL(url).pathname].map((suffix) => name + suffix);
    if (paths.includes(path) || path === `${own}${name}`) return make(baseUrl);
  }
  return null;
}

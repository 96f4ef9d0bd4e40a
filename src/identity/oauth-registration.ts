import { GRANT_TYPES, SCOPES } from './oauth-metadata.ts';

/** An application that asks to be registered, as it is stored. */
interface ClientMetadata {
  name: string | null;
  /** Address of its home page. */
  uri: string | null;
  redirectUris: readonly string[];
  grantTypes: readonly string[];
  applicationType: 'web' | 'native';
}

/** A refused registration (RFC 7591, section 3.2.2). */
interface MetadataProblem {
  error: 'invalid_redirect_uri' | 'invalid_client_metadata';
  description: string;
}

const MAX_NAME_LENGTH = 100;
const MAX_URI_LENGTH = 2_048;
const MAX_REDIRECT_URIS = 10;
const PRINTABLE_ASCII = /^[\x21-\x7e]+$/;
const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);
/**
 * Control characters, characters that are not shown, separators of lines, and those that change the direction of a text: a
 * name must not disguise what follows it, nor look like another one.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;
/** Schemes that no application receives, or that run or read something in a browser. */
const REFUSED_SCHEMES = new Set(
  'about blob chrome data file filesystem ftp javascript mailto sms tel urn vbscript view-source ws wss'
    .split(' ')
    .map((scheme) => `${scheme}:`),
);

/**
 * Reads the metadata of a client (RFC 7591, section 2). Clients get no secret, whatever method of authentication they ask
 * for: those that run on somebody's device can't keep one. Grant types that do not exist here are left out, and what is
 * not used is ignored; an answer shows what was registered.
 */
export function readClientMetadata(
  body: Record<string, unknown>,
): ClientMetadata | MetadataProblem {
  const { redirect_uris: uris, client_name: name, client_uri: uri } = body;
  if (!isTexts(uris) || uris.length === 0 || uris.length > MAX_REDIRECT_URIS)
    return redirectProblem(`redirect_uris must be a list of 1 to ${MAX_REDIRECT_URIS} addresses.`);
  for (const [index, redirectUri] of uris.entries()) {
    const problem = redirectUriProblem(redirectUri);
    if (problem !== null) return redirectProblem(`redirect_uris.${index} ${problem}.`);
  }
  if (isGiven(name) && !isName(name))
    return refuse(
      `client_name must be a text of 1 to ${MAX_NAME_LENGTH} characters, all of them visible.`,
    );
  if (isGiven(uri) && !isHomePage(uri))
    return refuse(
      `client_uri must be an http or https address of at most ${MAX_URI_LENGTH} characters, without spaces, user name or password.`,
    );
  const grantTypes = body['grant_types'] ?? ['authorization_code'];
  if (!isTexts(grantTypes) || !grantTypes.includes('authorization_code'))
    return refuse('grant_types must be a list that includes authorization_code.');
  const responseTypes = body['response_types'] ?? ['code'];
  if (!isTexts(responseTypes) || !responseTypes.includes('code'))
    return refuse('response_types must be a list that includes code.');
  return {
    name: isName(name) ? name.trim() : null,
    uri: isHomePage(uri) ? uri : null,
    redirectUris: uris,
    grantTypes: GRANT_TYPES.filter((type) => grantTypes.includes(type)),
    applicationType: uris.every((each) => each.startsWith('https:')) ? 'web' : 'native',
  };
}

/** Answer to a registration (RFC 7591, section 3.2.1). */
export function registeredClient(
  client: ClientMetadata,
  { clientId, now }: { clientId: string; now: number },
): Record<string, unknown> {
  return {
    client_id: clientId,
    client_id_issued_at: Math.floor(now / 1_000),
    ...(client.name !== null && { client_name: client.name }),
    ...(client.uri !== null && { client_uri: client.uri }),
    redirect_uris: client.redirectUris,
    grant_types: client.grantTypes,
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    application_type: client.applicationType,
    scope: SCOPES.join(' '),
  };
}

/**
 * Why a code must not be sent to an address; null for an allowed one: https, http on this very device (RFC 8252, section
 * 7.3), or a scheme of an application's own (section 7.1).
 */
export function redirectUriProblem(text: string): string | null {
  if (text.length > MAX_URI_LENGTH) return `must have at most ${MAX_URI_LENGTH} characters`;
  const url = URL.parse(text);
  if (url === null || !PRINTABLE_ASCII.test(text)) return 'must be an absolute address';
  if (text.includes('#')) return 'must have no fragment';
  if (url.username !== '' || url.password !== '') return 'must contain no user name or password';
  if (url.protocol === 'https:') return null;
  if (url.protocol !== 'http:')
    return REFUSED_SCHEMES.has(url.protocol) ? 'must have a scheme of the application' : null;
  return LOOPBACK_HOSTS.has(url.hostname)
    ? null
    : 'must begin with https, unless its host is localhost, 127.0.0.1 or [::1]';
}

/** Where a code goes, as people are shown it: a host, or the scheme of an application. */
export function redirectTarget(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri);
  return /^https?:$/.test(protocol) ? host : protocol;
}

const isGiven = (value: unknown) => value !== undefined && value !== null;

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

function isName(value: unknown): value is string {
  if (typeof value !== 'string' || value.trim() === '' || value.length > MAX_NAME_LENGTH)
    return false;
  return value.isWellFormed() && VISIBLE.test(value) && !UNPRINTABLE.test(value);
}

function isHomePage(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > MAX_URI_LENGTH) return false;
  const url = URL.parse(value);
  if (url === null || !PRINTABLE_ASCII.test(value)) return false;
  return /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
}

function refuse(description: string): MetadataProblem {
  return { error: 'invalid_client_metadata', description };
}

function redirectProblem(description: string): MetadataProblem {
  return { error: 'invalid_redirect_uri', description };
}

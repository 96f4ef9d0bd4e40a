import { issuerOf } from './oauth-metadata.ts';
import type { SignInAnswer } from './sign-in-answers.ts';

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

/** Refusal in the form of OAuth (RFC 6749, section 5.2). */
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

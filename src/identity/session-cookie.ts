import { createHmac } from 'node:crypto';
import { derivedKey } from '../lib/derived-key.ts';
import { isSame } from './former-signatures.ts';

/**
 * Prefix of all cookie names. Under https they begin with `__Host-` (RFC 6265bis): browsers take such a cookie only from
 * this very host, so that no other host of the domain can plant one.
 */
export function cookiePrefix(isSecure: boolean): string {
  return isSecure ? '__Host-tocsin' : 'tocsin';
}

/** Secret of sign-in, derived from a key of SECRET_KEY; `version` identifies it. */
export interface SignInSecret {
  version: number;
  value: string;
}

/** Derives the secrets of sign-in. The first signs and encrypts. */
export function signInSecrets(keys: readonly string[]): SignInSecret[] {
  return keys.map((key) => {
    const bytes = derivedKey(key, 'tocsin sign-in v1', 36);
    // The version must not depend on the key's position, which changes with rotation.
    return { version: bytes.readUInt32BE(32), value: bytes.subarray(0, 32).toString('base64url') };
  });
}

/**
 * Keeps the well-formed cookies of a header (RFC 6265, section 4.1.1), the first of each name, so that this code and
 * better-auth read the same session from it.
 */
export function unambiguousCookies(header: string | undefined): string {
  const cookies = new Map<string, string>();
  for (const pair of (header ?? '').split(';').map((text) => text.trim())) {
    const name = /^([!#$%&'*+.^_`|~\w-]+)=[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/.exec(
      pair,
    )?.[1];
    if (name !== undefined && !cookies.has(name)) cookies.set(name, pair);
  }
  return [...cookies.values()].join('; ');
}

/**
 * Reads the session token of a Cookie header; null without one or with an invalid signature, which rejects forged
 * cookies without a query. The format is better-auth's: `token.base64(HMAC-SHA256)`, percent-encoded.
 *
 * @param options.secrets those of all keys: each of them may have signed the cookie.
 * @param options.isSecure whether BASE_URL is https.
 */
export function readSessionToken(
  header: string | undefined,
  options: { secrets: readonly SignInSecret[]; isSecure: boolean },
): string | null {
  const name = `${cookiePrefix(options.isSecure)}.session_token`;
  const value = cookieOf(header ?? '', name);
  const end = value.lastIndexOf('.');
  if (end < 1) return null;
  const token = value.slice(0, end);
  const signature = value.slice(end + 1);
  const fits = options.secrets.some((secret) =>
    isSame(signature, createHmac('sha256', secret.value).update(token).digest('base64')),
  );
  return fits ? token : null;
}

function cookieOf(header: string, name: string): string {
  const pair = header
    .split(';')
    .map((text) => text.trim())
    .find((text) => text.startsWith(`${name}=`));
  try {
    return decodeURIComponent(pair?.slice(name.length + 1) ?? '');
  } catch {
    return '';
  }
}

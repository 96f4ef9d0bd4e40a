import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** Prefix of all cookie names. */
export const COOKIE_PREFIX = 'tocsin';

/** Secret of sign-in, derived from a key of SECRET_KEY; `version` identifies it. */
export interface SignInSecret {
  version: number;
  value: string;
}

/** Derives the secrets of sign-in by HKDF (RFC 5869), so that no key serves two purposes. The first signs and encrypts. */
export function signInSecrets(keys: readonly string[]): SignInSecret[] {
  return keys.map((key) => {
    const bytes = Buffer.from(hkdfSync('sha256', key, '', 'tocsin sign-in v1', 36));
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
 * @param isSecure whether BASE_URL is https: the cookie's name then has the prefix `__Secure-` (RFC 6265bis).
 */
export function readSessionToken(
  header: string | undefined,
  options: { secret: string; isSecure: boolean },
): string | null {
  const name = `${options.isSecure ? '__Secure-' : ''}${COOKIE_PREFIX}.session_token`;
  const value = cookieOf(header ?? '', name);
  const end = value.lastIndexOf('.');
  if (end < 1) return null;
  const token = value.slice(0, end);
  // Compared as text, since base64 has several spellings of which better-auth accepts one.
  const signature = Buffer.from(value.slice(end + 1));
  const expected = Buffer.from(createHmac('sha256', options.secret).update(token).digest('base64'));
  const fits = signature.length === expected.length && timingSafeEqual(signature, expected);
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

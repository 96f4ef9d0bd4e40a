import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** Before the names of all our cookies, as better-auth puts them together. */
export const COOKIE_PREFIX = 'tocsin';

/** A key of SECRET_KEY as the signing and encryption of sign-in use it; `version` tells keys apart. */
export interface SignInSecret {
  version: number;
  value: string;
}

/** The first signs and encrypts, all decrypt. HKDF (RFC 5869), so that no key serves two purposes. */
export function signInSecrets(keys: readonly string[]): SignInSecret[] {
  return keys.map((key) => {
    const bytes = Buffer.from(hkdfSync('sha256', key, '', 'tocsin sign-in v1', 36));
    // What a key is called must not follow from its place in the list, which changes.
    return { version: bytes.readUInt32BE(32), value: bytes.subarray(0, 32).toString('base64url') };
  });
}

/**
 * The cookies of a header that can be read in one way only: the first of each name, as RFC 6265, section 4.1.1 has
 * them. Else somebody might be one person to us and another, or nobody, to better-auth.
 */
export function plainCookies(header: string | undefined): string {
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
 * The session token of a Cookie header; null when there is none or its signature does not fit, so that made-up cookies
 * are told apart without a look-up. The form is better-auth's: `token.base64(HMAC-SHA256)`, percent-encoded.
 *
 * @param isSecure whether BASE_URL is https: the cookie's name then says that it came over TLS (RFC 6265bis, `__Secure-`).
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
  // As text: base64 can be written in several ways, of which better-auth takes one.
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

import { createHmac, timingSafeEqual } from 'node:crypto';
import { derivedKey } from '../lib/derived-key.ts';
import type { Clock } from '../lib/clock.ts';
import type { Database } from '../store/database/contract.ts';
import { type SessionHolder, sessionStore } from '../store/people/sessions.ts';
import { hashToken } from './token.ts';

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

/**
 * Signs cookies anew that a former key of SECRET_KEY signed, since better-auth accepts signatures of the first one only.
 * Sessions, and sign-ins that had begun, survive a rotation this way.
 *
 * @param header a Cookie header as `unambiguousCookies` returns it.
 */
export function renewCookies(header: string, secrets: readonly SignInSecret[]): string {
  if (secrets.length < 2) return header;
  return header
    .split('; ')
    .map((pair) => renewCookie(pair, secrets))
    .join('; ');
}

function renewCookie(pair: string, secrets: readonly SignInSecret[]): string {
  const start = pair.indexOf('=') + 1;
  let value: string;
  try {
    value = decodeURIComponent(pair.slice(start));
  } catch {
    return pair;
  }
  const end = value.lastIndexOf('.');
  if (end < 1) return pair;
  const text = value.slice(0, end);
  const renewed = renew(text, value.slice(end + 1), 'base64', secrets);
  return renewed === null
    ? pair
    : `${pair.slice(0, start)}${encodeURIComponent(`${text}.${renewed}`)}`;
}

/** Signs the token of a mailed link anew that a former key signed: a JSON Web Token with HS256 (RFC 7515, section 3.1). */
export function renewLinkToken(token: string, secrets: readonly SignInSecret[]): string {
  const [head, payload, signature, ...rest] = token.split('.');
  if (signature === undefined || rest.length > 0) return token;
  const text = `${head}.${payload}`;
  const renewed = renew(text, signature, 'base64url', secrets);
  return renewed === null ? token : `${text}.${renewed}`;
}

/** The signature by the first secret; null unless a former one made the given signature. */
function renew(
  text: string,
  signature: string,
  encoding: 'base64' | 'base64url',
  [first, ...former]: readonly SignInSecret[],
): string | null {
  const sign = ({ value }: SignInSecret) =>
    createHmac('sha256', value).update(text).digest(encoding);
  const isOurs = former.some((secret) => isSame(signature, sign(secret)));
  return isOurs && first !== undefined ? sign(first) : null;
}

/** Compares signatures in constant time, as text: base64 has several spellings, of which better-auth accepts one. */
export function isSame(signature: string, expected: string): boolean {
  const [one, other] = [Buffer.from(signature), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** Creates a reader of whose session a Cookie header holds: null without one, or with an unknown or expired one. */
export function createHolderReader(deps: {
  database: Database;
  clock: Pick<Clock, 'now'>;
  secrets: readonly SignInSecret[];
  baseUrl: () => string;
}) {
  const { database, clock, secrets, baseUrl } = deps;
  return async (cookie: string | undefined): Promise<SessionHolder | null> => {
    const isSecure = baseUrl().startsWith('https:');
    const token = readSessionToken(cookie, { secrets, isSecure });
    if (token === null) return null;
    const holder = await sessionStore(database.read).findHolder(hashToken(token));
    return holder === undefined || holder.session.expires_at <= clock.now() ? null : holder;
  };
}

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { SignInSecret } from './session-cookie.ts';

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

import { createHmac } from 'node:crypto';
import { isSame } from './former-signatures.ts';
import type { SignInSecret } from './session-cookie.ts';

/**
 * Verifies the query by which better-auth hands an authorization request to the consent page, so that nobody is asked for
 * anything that no client requested.
 *
 * @param secrets those of all keys: each of them may have signed it.
 * @param now epoch milliseconds.
 * @returns the query signed by the first secret, which is the one that better-auth accepts; null for one that is forged
 *   or expired.
 */
export function verifySignedQuery(
  text: string,
  secrets: readonly SignInSecret[],
  now: number,
): URLSearchParams | null {
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

/** Order of UTF-16 code units. */
function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

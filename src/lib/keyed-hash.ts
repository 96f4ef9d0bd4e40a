import { createHmac } from 'node:crypto';
import { derivedKey } from './derived-key.ts';

const CHARACTERS = 22;

/**
 * Creates a hash (HMAC-SHA-256, truncated to 132 bits, RFC 2104) of texts that are only compared. Nobody without the secret
 * can tell which text has a hash, or find one that has the same.
 *
 * @param purpose derives a key of its own.
 */
export function keyedHash(secret: string, purpose: string): (text: string) => string {
  const key = derivedKey(secret, purpose);
  return (text) => createHmac('sha256', key).update(text).digest('base64url').slice(0, CHARACTERS);
}

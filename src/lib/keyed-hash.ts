import { createHmac, hkdfSync } from 'node:crypto';

const CHARACTERS = 22;

/**
 * Creates a hash (HMAC-SHA-256, truncated to 132 bits, RFC 2104) of texts that are only compared. Nobody without the secret
 * can tell which text has a hash, or find one that has the same.
 *
 * @param purpose derives a key of its own (HKDF, RFC 5869).
 */
export function keyedHash(secret: string, purpose: string): (text: string) => string {
  const key = Buffer.from(hkdfSync('sha256', secret, '', purpose, 32));
  return (text) => createHmac('sha256', key).update(text).digest('base64url').slice(0, CHARACTERS);
}

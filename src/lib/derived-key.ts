import { hkdfSync } from 'node:crypto';

/**
 * Derives a key from a secret (HKDF with SHA-256, RFC 5869), so that no key serves two purposes.
 *
 * @param purpose a text that no other key has, such as `tocsin alert link v1`.
 */
export function derivedKey(secret: string, purpose: string, bytes = 32): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', purpose, bytes));
}

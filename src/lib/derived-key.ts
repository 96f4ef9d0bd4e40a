import { hkdfSync, createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Derives a key from a secret (HKDF with SHA-256, RFC 5869), so that no key serves two purposes.
 *
 * @param purpose a text that no other key has, such as `tocsin alert link v1`.
 */
export function derivedKey(secret: string, purpose: string, bytes = 32): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', purpose, bytes));
}

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

const SIGNATURE_BYTES = 16;

/**
 * Creates a signer of tokens: HMAC-SHA-256, truncated to 128 bits (RFC 2104, section 5), by a key derived for this purpose
 * only.
 *
 * @param options.keys the list of SECRET_KEY: the first one signs, each of them is accepted.
 * @param options.contentBytes size of the content of every token.
 */
export function createTokenSigner(options: {
  keys: readonly string[];
  purpose: string;
  contentBytes: number;
}) {
  const { purpose, contentBytes } = options;
  const keys = options.keys
    .map((key) => key.trim())
    .filter((key) => key !== '')
    .map((key) => derivedKey(key, purpose));
  const [first] = keys;
  if (first === undefined)
    throw new Error('SECRET_KEY holds no key: set it to a long random text.');

  return {
    /** Token for an address: the content and its signature, as base64url. */
    sign: (content: Buffer) =>
      Buffer.concat([content, signatureOf(first, content)]).toString('base64url'),
    /** Content of a token; null if this signer did not sign it. */
    verify(token: string) {
      const bytes = Buffer.from(token, 'base64url');
      // Each token has exactly one spelling.
      if (bytes.length !== contentBytes + SIGNATURE_BYTES || bytes.toString('base64url') !== token)
        return null;
      const content = bytes.subarray(0, contentBytes);
      const signature = bytes.subarray(contentBytes);
      const isOurs = keys.some((key) => timingSafeEqual(signature, signatureOf(key, content)));
      return isOurs ? content : null;
    },
  };
}

function signatureOf(key: Buffer, content: Buffer): Buffer {
  return createHmac('sha256', key).update(content).digest().subarray(0, SIGNATURE_BYTES);
}

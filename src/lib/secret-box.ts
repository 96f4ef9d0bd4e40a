import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { derivedKey } from './derived-key.ts';

/** Encryption of stored values that must be read again: request headers, bodies, credentials. */
export interface SecretBox {
  /** Sealing the same text twice gives two different results. */
  seal(text: string): string;
  /** Throws SecretUnreadable if no key fits or the sealed text was changed. */
  open(sealed: string): string;
}

/** Shown in place of a secret. In an update it keeps the stored one; it is never stored itself. */
export const MASK = '•'.repeat(8);

/** No key in SECRET_KEY opens the sealed text. The message never contains the secret. */
export class SecretUnreadable extends Error {
  override name = 'SecretUnreadable';
}

const VERSION = 'v1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Id of a key of SECRET_KEY: 8 hexadecimal digits that identify it without revealing anything about it. */
export function keyIdOf(key: string): string {
  return derive(key.trim()).name;
}

/** Beginning of all texts that a key sealed. */
export const SEALED_PREFIX = {
  length: VERSION.length + 10,
  of: (id: string) => `${VERSION}.${id}.`,
};

/** Id of the key that sealed a text; null when the text, or its beginning, has another format. */
export function sealingKeyOf(sealed: string): string | null {
  const [version, name, rest] = sealed.split('.', 3);
  return version === VERSION && rest !== undefined && /^[0-9a-f]{8}$/.test(name ?? '')
    ? name!
    : null;
}

interface Key {
  /** Identifies the key that sealed a text, without revealing anything about it. */
  name: string;
  bytes: Buffer;
}

/**
 * AES-256-GCM with a random 96-bit nonce for each text (NIST SP 800-38D). The format is `v1.<key name>.<base64url of
 * nonce, ciphertext and tag>`, so that keys and format can change while old texts stay readable.
 * @param keys entries of SECRET_KEY: the first seals, all of them open. Any text with enough entropy.
 */
export function createSecretBox(
  keys: string[],
  nonce: () => Buffer = () => randomBytes(NONCE_BYTES),
): SecretBox {
  const [first, ...older] = keys
    .map((key) => key.trim())
    .filter((key) => key !== '')
    .map(derive);
  if (first === undefined)
    throw new Error('SECRET_KEY holds no key: set it to a long random text.');
  const byName = new Map([first, ...older].map((key) => [key.name, key]));

  return {
    seal(text) {
      const iv = nonce();
      const cipher = createCipheriv('aes-256-gcm', first.bytes, iv);
      const sealed = Buffer.concat([
        iv,
        cipher.update(text, 'utf8'),
        cipher.final(),
        cipher.getAuthTag(),
      ]);
      return `${VERSION}.${first.name}.${sealed.toString('base64url')}`;
    },

    open(sealed) {
      const [version, name, content, ...rest] = sealed.split('.');
      if (version !== VERSION || name === undefined || content === undefined || rest.length > 0) {
        throw new SecretUnreadable('A stored secret is not in a format that this version reads.');
      }
      const key = byName.get(name);
      if (key === undefined) {
        throw new SecretUnreadable(
          `A stored secret was sealed with another key (${name}): add the former key to SECRET_KEY, after a comma.`,
        );
      }
      return decrypt(key, Buffer.from(content, 'base64url'));
    },
  };
}

function decrypt(key: Key, content: Buffer): string {
  if (content.length < NONCE_BYTES + TAG_BYTES) throw damaged();
  const decipher = createDecipheriv('aes-256-gcm', key.bytes, content.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAuthTag(content.subarray(-TAG_BYTES));
  const text = decipher.update(content.subarray(NONCE_BYTES, -TAG_BYTES));
  try {
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch {
    throw damaged();
  }
}

function damaged(): SecretUnreadable {
  return new SecretUnreadable('A stored secret is damaged: it was changed after it was sealed.');
}

/** Derives a 256-bit key that is used only by this box. */
function derive(secret: string): Key {
  const bytes = derivedKey(secret, 'tocsin secret box v1');
  return { bytes, name: createHash('sha256').update(bytes).digest('hex').slice(0, 8) };
}

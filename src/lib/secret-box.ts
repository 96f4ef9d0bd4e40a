import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

/** Encrypts what must be read again later: request headers, bodies, credentials. */
export interface SecretBox {
  /** The same text sealed twice gives two different results. */
  seal(text: string): string;
  /** Throws SecretUnreadable when no key fits or the sealed text was changed. */
  open(sealed: string): string;
}

/** Shown in place of a secret. In an update it keeps the stored one; it is never stored itself. */
export const MASK = '•'.repeat(8);

/** A sealed text that none of the keys in SECRET_KEY opens. Its message never holds the secret. */
export class SecretUnreadable extends Error {
  override name = 'SecretUnreadable';
}

const VERSION = 'v1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

interface Key {
  /** Tells which key sealed a text, without telling anything of the key. */
  name: string;
  bytes: Buffer;
}

/**
 * AES-256-GCM with a fresh 96-bit nonce each time (NIST SP 800-38D). The format is `v1.<key name>.<base64url of
 * nonce, ciphertext and tag>`, so that keys and the format itself can change while old texts stay readable.
 *
 * @param keys the comma list of SECRET_KEY: the first one seals, all of them open. Any text with enough randomness.
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

/** HKDF (RFC 5869): a key of the right size, used for nothing but this box. */
function derive(secret: string): Key {
  const bytes = Buffer.from(hkdfSync('sha256', secret, '', 'tocsin secret box v1', 32));
  return { bytes, name: createHash('sha256').update(bytes).digest('hex').slice(0, 8) };
}

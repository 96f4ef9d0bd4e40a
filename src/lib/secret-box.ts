import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { derivedKey } from './derived-key.ts';

/** Kinds of rows with sealed values. The names are part of what seals them: they stay when a table is renamed. */
export type SealedKind =
  | 'monitor'
  | 'webhook_endpoint'
  | 'alert_channel'
  | 'subscriber'
  | 'idempotency_key'
  | 'delivery'
  | 'setting';

/** Encryption of stored values that must be read again: request headers, bodies, credentials. */
export interface SecretBox {
  /**
   * Encryption of the values of a row.
   *
   * @param owner what the row belongs to and never changes, as `SEALED_TABLES` has it: the id of a team, for example.
   */
  of(kind: SealedKind, owner: number | string): RowSecrets;
}

/** Encryption of the values of one row. A sealed text opens only for the same kind of row, owner and column. */
export interface RowSecrets {
  /** Sealing the same text twice gives two different results. */
  seal(text: string, column: string): string;
  /** Throws SecretUnreadable if no key fits, or the sealed text was changed or stems from another place. */
  open(sealed: string, column: string): string;
}

export interface SealedPlace {
  kind: SealedKind;
  owner: number | string;
  column: string;
}

/** Shown in place of a secret. In an update it keeps the stored one; it is never stored itself. */
export const MASK = '•'.repeat(8);

/** No key in SECRET_KEY opens the sealed text where it is stored. The message never contains the secret. */
export class SecretUnreadable extends Error {
  override name = 'SecretUnreadable';
}

/** Version of the format of sealed texts. */
const FORMAT = 'v1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Id of a key of SECRET_KEY: 8 hexadecimal digits that identify it without revealing anything about it. */
export function keyIdOf(key: string): string {
  return derive(key.trim()).name;
}

/** Beginning of all texts that a key sealed. */
export const SEALED_PREFIX = {
  length: FORMAT.length + 10,
  of: (id: string) => `${FORMAT}.${id}.`,
};

/** Id of the key that sealed a text; null when the text, or its beginning, has another format. */
export function sealingKeyOf(sealed: string): string | null {
  const [format, name = '', rest] = sealed.split('.', 3);
  return format === FORMAT && rest !== undefined && /^[0-9a-f]{8}$/.test(name) ? name : null;
}

interface Key {
  name: string;
  bytes: Buffer;
}

interface SecretBoxOptions {
  nonce?: () => Buffer;
  /** Called for each text that was changed, or does not belong where it is stored. */
  onRefused?: (place: SealedPlace) => void;
}

/**
 * AES-256-GCM with a random 96-bit nonce for each text (NIST SP 800-38D). The format is `v1.<key name>.<base64url of
 * nonce, ciphertext and tag>`, so that keys and format can change while old texts stay readable. The associated data are
 * the place (docs/adr/0049-secrets-are-bound-to-their-place.md).
 *
 * @param keys entries of SECRET_KEY: the first seals, all of them open. Any text with enough entropy.
 */
export function createSecretBox(keys: string[], options: SecretBoxOptions = {}): SecretBox {
  const { nonce = () => randomBytes(NONCE_BYTES), onRefused } = options;
  const [first, ...older] = keys
    .map((key) => key.trim())
    .filter((key) => key !== '')
    .map(derive);
  if (first === undefined)
    throw new Error('SECRET_KEY holds no key: set it to a long random text.');
  const byName = new Map([first, ...older].map((key) => [key.name, key]));

  function seal(text: string, place: SealedPlace): string {
    const iv = nonce();
    const cipher = createCipheriv('aes-256-gcm', first!.bytes, iv);
    cipher.setAAD(associatedData(place));
    const sealed = Buffer.concat([
      iv,
      cipher.update(text, 'utf8'),
      cipher.final(),
      cipher.getAuthTag(),
    ]);
    return SEALED_PREFIX.of(first!.name) + sealed.toString('base64url');
  }

  function open(sealed: string, place: SealedPlace): string {
    const [format, name, content, ...rest] = sealed.split('.');
    if (format !== FORMAT || name === undefined || content === undefined || rest.length > 0) {
      throw new SecretUnreadable('A stored secret is not in a format that this version reads.');
    }
    const key = byName.get(name);
    if (key === undefined) {
      throw new SecretUnreadable(
        `A stored secret was sealed with another key (${name}): add the former key to SECRET_KEY, after a comma.`,
      );
    }
    const text = decrypt(key, Buffer.from(content, 'base64url'), associatedData(place));
    if (text === null) {
      onRefused?.(place);
      throw new SecretUnreadable(
        'A stored secret is damaged: it was changed, or put in the place of another one, after it was sealed. Enter it again.',
      );
    }
    return text;
  }

  return {
    of: (kind, owner) => ({
      seal: (text, column) => seal(text, { kind, owner, column }),
      open: (sealed, column) => open(sealed, { kind, owner, column }),
    }),
  };
}

/** The place as bytes. Kinds and columns contain neither dots nor blanks, so that no two places have the same ones. */
function associatedData({ kind, owner, column }: SealedPlace): Buffer {
  return Buffer.from(`${kind}.${column} ${owner}`);
}

/** Null for a content that was changed, or has other associated data. */
function decrypt(key: Key, content: Buffer, data: Buffer): string | null {
  if (content.length < NONCE_BYTES + TAG_BYTES) return null;
  const decipher = createDecipheriv('aes-256-gcm', key.bytes, content.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(data);
  decipher.setAuthTag(content.subarray(-TAG_BYTES));
  const text = decipher.update(content.subarray(NONCE_BYTES, -TAG_BYTES));
  try {
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}

function derive(secret: string): Key {
  const bytes = derivedKey(secret, 'tocsin secret box v1');
  return { bytes, name: createHash('sha256').update(bytes).digest('hex').slice(0, 8) };
}

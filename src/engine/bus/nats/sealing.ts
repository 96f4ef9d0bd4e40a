import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  randomBytes,
  type KeyObject,
} from 'node:crypto';
import type { RegionKey } from '../../../lib/region-keys.ts';

/** Seals messages with the key of a region. */
export type Sealer = ReturnType<typeof createSealer>;

/*
 * A message is: format (1 byte), id of the key (8), salt (16), counter (8), ciphertext, tag (16). Each sealer derives a
 * key of its own from the region's key and its random salt (HKDF, RFC 5869), and counts its messages: a nonce of
 * AES-256-GCM (NIST SP 800-38D) is never used twice, however many processes share the region's key.
 */
const FORMAT = 1;
const KEY_ID_AT = 1;
const SALT_AT = 9;
const COUNTER_AT = 25;
const TEXT_AT = 33;
const SALT_BYTES = 16;
const TAG_BYTES = 16;
/** A sealer begins anew with another salt after this many messages, long before its counter ends. */
const MAX_MESSAGES = 2 ** 32;
/** Derived keys that an opener keeps: one for each process that writes to it. */
const MAX_DERIVED = 1_000;

export function createSealer(key: RegionKey) {
  let header = headerOf(key);
  let derived = derive(key, header.subarray(SALT_AT, COUNTER_AT));
  let sealed = 0;

  function renew(): void {
    header = headerOf(key);
    derived = derive(key, header.subarray(SALT_AT, COUNTER_AT));
    sealed = 0;
  }

  return {
    /**
     * @param place where the message belongs, such as its subject: sealed for one place, it opens at no other.
     */
    seal(text: string, place: string) {
      if (sealed === MAX_MESSAGES) renew();
      header.writeBigUInt64BE(BigInt(sealed++), COUNTER_AT);
      const cipher = createCipheriv('aes-256-gcm', derived, nonceOf(header));
      cipher.setAAD(associated(header, place));
      return Buffer.concat([
        header,
        cipher.update(text, 'utf8'),
        cipher.final(),
        cipher.getAuthTag(),
      ]);
    },
  };
}

/** Opens messages that were sealed with one of several keys. */
export function createOpener(keys: readonly RegionKey[]) {
  const byId = new Map(keys.map((key) => [key.id, key]));
  /** By key id and salt; the one that was not used for longest comes first. */
  const derivedKeys = new Map<string, KeyObject>();

  function derivedKey(key: RegionKey, salt: Buffer): KeyObject {
    const name = `${key.id} ${salt.toString('latin1')}`;
    const derived = derivedKeys.get(name) ?? derive(key, salt);
    derivedKeys.delete(name);
    return derived;
  }

  /** Keeps a derived key that opened a message: salts that anybody can make up must not replace those in use. */
  function keep(key: RegionKey, salt: Buffer, derived: KeyObject): void {
    derivedKeys.set(`${key.id} ${salt.toString('latin1')}`, derived);
    if (derivedKeys.size > MAX_DERIVED) derivedKeys.delete(derivedKeys.keys().next().value!);
  }

  return {
    /** Null if no key fits, the message was changed, or it was sealed for another place. Never throws. */
    open(message: Uint8Array, place: string) {
      if (message.length < TEXT_AT + TAG_BYTES || message[0] !== FORMAT) return null;
      const bytes = Buffer.from(message.buffer, message.byteOffset, message.length);
      const key = byId.get(bytes.toString('hex', KEY_ID_AT, SALT_AT));
      if (key === undefined) return null;
      const header = bytes.subarray(0, TEXT_AT);
      const salt = bytes.subarray(SALT_AT, COUNTER_AT);
      const derived = derivedKey(key, salt);
      const decipher = createDecipheriv('aes-256-gcm', derived, nonceOf(header));
      decipher.setAAD(associated(header, place));
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      try {
        const text = decipher.update(bytes.subarray(TEXT_AT, -TAG_BYTES), undefined, 'utf8');
        const end = decipher.final('utf8');
        keep(key, salt, derived);
        return { keyId: key.id, text: text + end };
      } catch {
        return null;
      }
    },
  };
}

function headerOf(key: RegionKey): Buffer {
  const id = Buffer.from(key.id, 'hex');
  return Buffer.concat([Buffer.of(FORMAT), id, randomBytes(SALT_BYTES), Buffer.alloc(8)]);
}

/** An object: Node makes one of bytes for each message, which takes three times as long as to seal a short one. */
function derive(key: RegionKey, salt: Uint8Array): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', key.bytes, salt, 'tocsin message', 32)));
}

/** 96 bits: four bytes of the salt, then the counter. The salt is in the key, too: the counter alone makes it unique. */
function nonceOf(header: Buffer): Buffer {
  return header.subarray(COUNTER_AT - 4, TEXT_AT);
}

function associated(header: Buffer, place: string): Buffer {
  return Buffer.concat([header, Buffer.from(place)]);
}

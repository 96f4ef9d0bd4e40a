import { SEALED_PREFIX, createSecretBox, keyIdOf, sealingKeyOf } from '../lib/secret-box.ts';
import type { Cipher, SealedRow, SealedTable } from '../store/database/sealed-columns.ts';
import { signInSecrets } from './session-cookie.ts';

/** The keys of SECRET_KEY, as stored values name them. */
export interface KeyRing {
  /** Ids of the keys; the first encrypts. */
  ids: readonly string[];
  /** Version of the sign-in secret that is derived from each key, in the same order. */
  signInVersions: readonly number[];
  /** The keys themselves. */
  keys: readonly string[];
}

export function createKeyRing(keys: readonly string[]): KeyRing {
  return {
    ids: keys.map(keyIdOf),
    signInVersions: signInSecrets(keys).map(({ version }) => version),
    keys,
  };
}

/** better-auth's format: `$ba$VERSION$…` (its crypto module, `formatEnvelope`). */
const SIGN_IN_ENVELOPE = /^\$ba\$(\d{1,10})\$/;

/** Number of characters of an encrypted value that name its key. */
export const PREFIX_LENGTH = { 'secret box': SEALED_PREFIX.length, 'sign-in': 15 } as const;

/** Reads which key encrypted a value. The beginning of the value is enough. */
export function keyNameOf(cipher: Cipher, text: string): string | null {
  return cipher === 'secret box' ? sealingKeyOf(text) : (SIGN_IN_ENVELOPE.exec(text)?.[1] ?? null);
}

/** Beginning of the values that the first key encrypts. */
export function firstKeyPrefix(ring: KeyRing, cipher: Cipher): string {
  return cipher === 'secret box'
    ? SEALED_PREFIX.of(ring.ids[0]!)
    : `$ba$${ring.signInVersions[0]!}$`;
}

/** Position of a stored key in the ring; -1 when it is not there. */
export function positionOf(ring: KeyRing, cipher: Cipher, name: string): number {
  return cipher === 'secret box'
    ? ring.ids.indexOf(name)
    : ring.signInVersions.findIndex((version) => String(version) === name);
}

/**
 * Decrypts a value of a row with the key it names, and encrypts it with the first key. Throws when that key is missing or
 * the value is damaged.
 */
export type Reencrypt = (
  of: SealedTable,
  row: Pick<SealedRow, 'owner'>,
  column: string,
  text: string,
) => Promise<string>;

export async function createReencryption(ring: KeyRing): Promise<Reencrypt> {
  const box = createSecretBox([...ring.keys]);
  // Loaded here, since only rotation needs it: it takes a tenth of a second.
  const { symmetricDecrypt, symmetricEncrypt } = await import('better-auth/crypto');
  const secrets = signInSecrets(ring.keys);
  const key = {
    keys: new Map(secrets.map(({ version, value }) => [version, value])),
    currentVersion: secrets[0]!.version,
  };
  return async (of, { owner }, column, text) => {
    if (of.cipher === 'sign-in')
      return symmetricEncrypt({ key, data: await symmetricDecrypt({ key, data: text }) });
    const row = box.of(of.table, owner!);
    return row.seal(row.open(text, column), column);
  };
}

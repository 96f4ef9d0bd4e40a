import { SEALED_PREFIX, createSecretBox, keyIdOf, sealingKeyOf } from '../lib/secret-box.ts';
import type { Database, Db } from '../store/database/contract.ts';
import {
  SEALED_TABLES,
  countPrefixes,
  type Cipher,
  type SealedRow,
  type SealedTable,
} from '../store/database/sealed-columns.ts';
import { claimSetting, deleteSettings, listSettings } from '../store/database/settings.ts';
import { signInSecrets } from './session-cookie.ts';

export type KeyRing = ReturnType<typeof createKeyRing>;

/** The keys of SECRET_KEY, the first of which encrypts, with their ids and the versions of their sign-in secrets. */
export function createKeyRing(keys: readonly string[]) {
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

/** Stored values that need one key. */
export interface KeyUse {
  /** Id of the key; `sign-in NUMBER` for a key that only sign-in used and that is not known, and `unknown format`. */
  id: string;
  /** Position in SECRET_KEY; -1 when it is not there. */
  position: number;
  /** Number of values by what they are. */
  values: { what: string; count: number }[];
  total: number;
}

/** Settings that list each key which may have encrypted a stored value, so that a start need not search for them. */
const KEY_SETTING = 'secret_key.';

interface ListedKey {
  id: string;
  /** Epoch ms of its first use. */
  since: number;
  /** Version of its sign-in secret. */
  signIn: number;
}

/** Counts all encrypted values by the key that they need, the first key of SECRET_KEY first. */
export async function countKeyUse(db: Db, ring: KeyRing): Promise<KeyUse[]> {
  const known = await listKeys(db);
  const uses = new Map<string, KeyUse>();
  for (const table of SEALED_TABLES) {
    const { cipher } = table;
    for (const { prefix, what, count } of await countPrefixes(db, table, PREFIX_LENGTH[cipher])) {
      const name = keyNameOf(cipher, prefix);
      const position = name === null ? -1 : positionOf(ring, cipher, name);
      const id = ring.ids[position] ?? idOf(cipher, name, known);
      const use = uses.get(id) ?? { id, position, values: [], total: 0 };
      const value = use.values.find((one) => one.what === what);
      if (value === undefined) use.values.push({ what, count });
      else value.count += count;
      use.total += count;
      uses.set(id, use);
    }
  }
  const rank = ({ position }: KeyUse) => (position === -1 ? ring.ids.length : position);
  return [...uses.values()].toSorted(
    (one, other) => rank(one) - rank(other) || one.id.localeCompare(other.id),
  );
}

function idOf(cipher: Cipher, name: string | null, known: readonly ListedKey[]): string {
  if (name === null) return 'unknown format';
  if (cipher === 'secret box') return name;
  return known.find(({ signIn }) => String(signIn) === name)?.id ?? `sign-in ${name}`;
}

/**
 * Notes the first key as used, and finds keys that stored values need and SECRET_KEY does not hold. Call it before
 * anything is encrypted. It reads the encrypted columns only when a listed key is missing.
 */
export async function findMissingKeys(database: Database, ring: KeyRing, now: number) {
  const listed = await listKeys(database.read);
  if (!listed.some(({ id }) => id === ring.ids[0])) {
    const first = JSON.stringify({ since: now, signIn: ring.signInVersions[0] });
    await database.transaction((tx) => claimSetting(tx, KEY_SETTING + ring.ids[0]!, first));
  }
  if (listed.every(({ id }) => ring.ids.includes(id))) return [];
  const uses = await countKeyUse(database.scan, ring);
  await forgetUnusedKeys(database, ring, uses);
  return uses.filter(({ position }) => position === -1);
}

/**
 * Removes keys from the list that no stored value needs. Only a process that has the database to itself may do so:
 * another one could still encrypt with such a key.
 */
export async function forgetUnusedKeys(database: Database, ring: KeyRing, uses: readonly KeyUse[]) {
  if (database.isShared) return;
  const used = new Set([ring.ids[0], ...uses.map(({ id }) => id)]);
  const unused = (await listKeys(database.read)).filter(({ id }) => !used.has(id));
  await database.transaction((tx) =>
    deleteSettings(
      tx,
      unused.map(({ id }) => KEY_SETTING + id),
    ),
  );
}

/** Epoch ms since which the first key encrypts and signs. Call it after `findMissingKeys`. */
export async function firstKeySince(db: Db, ring: KeyRing): Promise<number> {
  const listed = await listKeys(db);
  return listed.find(({ id }) => id === ring.ids[0])!.since;
}

async function listKeys(db: Db): Promise<ListedKey[]> {
  const rows = await listSettings(db, KEY_SETTING);
  return rows.map(({ name, value }) => {
    const { since, signIn } = JSON.parse(value) as Omit<ListedKey, 'id'>;
    return { id: name.slice(KEY_SETTING.length), since, signIn };
  });
}

/** Formats what needs a key, such as `3 passwords of monitors, 1 queued mails`. */
export function usesText({ values }: Pick<KeyUse, 'values'>): string {
  return values
    .map(({ what, count }) => `${count} ${count === 1 ? singular(what) : what}`)
    .join(', ');
}

/** Of words of `SEALED_TABLES`: `request bodies of monitors` becomes `request body of monitors`. */
function singular(what: string): string {
  return what.replace(/(ies|(?<=ss)es|s)(?= of | kept |$)/, (ending) =>
    ending === 'ies' ? 'y' : '',
  );
}

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../config/config.ts';
import { findMissingKeys, usesText, type KeyUse, createKeyRing } from '../identity/key-ring.ts';
import { clock } from './clock.ts';
import type { Log } from '../lib/log.ts';
import { keyIdOf } from '../lib/secret-box.ts';
import { KEY_FILE } from '../operator/files.ts';
import type { Database } from '../store/database/contract.ts';

/** Stored secrets need a key that SECRET_KEY does not hold. The message says which, and what to do. */
export class MissingKeyError extends Error {
  override readonly name = 'MissingKeyError';
}

/**
 * Checks that SECRET_KEY holds all keys that stored secrets need.
 *
 * @throws MissingKeyError, unless ALLOW_MISSING_KEYS is set: then the missing keys are logged.
 */
export async function requireStoredKeys(
  settings: Pick<Config, 'dataDir' | 'secretKeys' | 'allowMissingKeys'>,
  deps: { database: Database; keys: readonly string[]; log: Log },
): Promise<void> {
  const { database, keys, log } = deps;
  const missing = await findMissingKeys(database, createKeyRing(keys), clock.now());
  if (missing.length === 0) return;
  if (!settings.allowMissingKeys) {
    throw new MissingKeyError(missingKeysText(missing, await generatedKeyId(settings), settings));
  }
  for (const use of missing) {
    log.warn(
      { key: use.id, values: use.total },
      'Stored secrets need a key that SECRET_KEY does not hold.',
    );
  }
}

/** Id of the key generated in DATA_DIR, which an operator may have replaced by SECRET_KEY; null without one. */
async function generatedKeyId({
  dataDir,
  secretKeys,
}: Pick<Config, 'dataDir' | 'secretKeys'>): Promise<string | null> {
  if (secretKeys.length === 0) return null;
  const text = await readFile(path.join(dataDir, KEY_FILE), 'utf8').catch(() => '');
  return text.trim() === '' ? null : keyIdOf(text);
}

/** Says which keys are missing and what needs them, and how to go on. */
export function missingKeysText(
  missing: readonly KeyUse[],
  generatedId: string | null,
  { dataDir, secretKeys }: Pick<Config, 'dataDir' | 'secretKeys'>,
): string {
  const needs = missing.map((use) => `key ${use.id} (${usesText(use)})`).join('; ');
  const file = path.join(dataDir, KEY_FILE);
  const advice =
    generatedId !== null && missing.some(({ id }) => id === generatedId)
      ? `Key ${generatedId} is the generated one in ${file}: add its content to SECRET_KEY, after a comma.`
      : secretKeys.length === 0
        ? `Set SECRET_KEY to the missing key, or put the key file of that time into ${file}.`
        : 'Add the missing key to SECRET_KEY, after a comma.';
  return (
    `stored secrets need a key that is not there: ${needs}. ${advice} ` +
    'If the key is lost, set ALLOW_MISSING_KEYS=true: Tocsin then starts, and these secrets must be entered again.'
  );
}

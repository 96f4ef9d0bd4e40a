import type { ClientKeys } from '../identity/rate-limits.ts';
import { openPlans, warnOfMissingPlans, builtInPlans } from '../identity/plans.ts';
import { findMissingKeys, usesText, type KeyUse, createKeyRing } from '../identity/key-ring.ts';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Registry } from 'prom-client';
import type { Config } from '../config/config.ts';
import { openSecretKey } from '../identity/secret-key.ts';
import { sleep, systemClock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { createSecretBox, keyIdOf, type SealedPlace } from '../lib/secret-box.ts';
import { KEY_FILE } from '../operator/files.ts';
import { finishRestore } from '../operator/restore.ts';
import type { Database } from '../store/database/contract.ts';
import { openDatabase } from '../store/database/database.ts';
import { DatabaseUnavailable } from '../store/database/errors.ts';
import { lockDirectory } from '../store/database/process-lock.ts';
import { clock } from './clock.ts';
import { createObservation, type Observation } from './observation.ts';
import type { Outside } from './outside.ts';
import { openProbes, type Probes } from './probes.ts';

/** What stages are built from: the settings and all resources, which are opened before any stage is built. */
export interface Parts extends Awaited<ReturnType<typeof openResources>> {
  settings: Config;
  version: string;
  /** Public URL of this installation, without a trailing slash. */
  baseUrl: () => string;
  clientKeys: ClientKeys;
  /** Metrics. Those of a stage that this process does not start are left out. */
  registry: Registry;
  log: Log;
}

/** Opens all resources; waits for an unavailable database. Rejects with errors an operator has to fix. */
export async function openResources(
  settings: Config,
  log: Log,
  outside: Pick<Outside, 'startProbes' | 'followDatabaseClock'>,
) {
  const { plansFile } = settings;
  const plans = plansFile === null ? builtInPlans(settings) : await openPlans(plansFile);
  // With DATABASE_URL several processes may share the folder.
  const lock = settings.databaseUrl === null ? lockDirectory(settings.dataDir) : null;
  if (lock !== null) await finishRestore(settings.dataDir);
  const engine = settings.databaseUrl === null ? 'sqlite' : 'postgres';
  const observation = createObservation({ slowQueryMs: settings.slowQueryMs, engine }, log);
  const keys = await readKeys(settings);
  // In parallel, since both take a while.
  const [database, probes] = await Promise.all([
    waitForDatabase(settings, observation, log),
    openProbes(settings, keys, log, outside),
  ]);
  // Comes first: whatever is stored from here on has times of the corrected clock.
  const followedClock = await outside.followDatabaseClock({
    database,
    machine: systemClock,
    clock,
    log,
  });
  if (database.newer.length > 0) {
    // Log: The process is of an older release than others, or than one before it. `migrations` are
    // those that it does not know. Upgrade it, or finish the way back.
    log.warn(
      { migrations: database.newer },
      'A newer release has migrated the database; this one works with it.',
    );
  }
  warnOfLowLimit(probes, log);
  await warnOfMissingPlans({ database, plans, log });
  await requireStoredKeys(settings, { database, keys, log });
  const secretBox = createSecretBox(keys, { onRefused: logOnce(log) });
  return { plans, lock, database, followedClock, observation, probes, keys, secretBox };
}

/** Maximum number of places with a refused secret that are logged. */
const MAX_LOGGED = 1_000;

/** Logs each place once: some are read with every check. */
function logOnce(log: Log): (place: SealedPlace) => void {
  const logged = new Set<string>();
  return ({ kind, column, owner }) => {
    const place = `${kind}.${column}`;
    if (logged.has(`${place} ${owner}`) || logged.size === MAX_LOGGED) return;
    logged.add(`${place} ${owner}`);
    // Log: Logged once for each place since the start. The secret is not used: enter it again, and
    // find out who writes to the database.
    log.error({ place, owner }, 'A stored secret was changed, or put in the place of another one.');
  };
}

/** Opens the database; retries for a minute while a remote one is unavailable. */
async function waitForDatabase(settings: Config, observation: Observation, log: Log) {
  const { databaseUrl, dataDir, databasePreparedStatements: preparesStatements } = settings;
  if (databaseUrl === null)
    return openDatabase({ engine: 'sqlite', directory: dataDir }, observation);
  for (let attempt = 1; ; attempt++) {
    try {
      const options = { engine: 'postgres', url: databaseUrl, preparesStatements } as const;
      return await openDatabase(options, observation);
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable) || attempt === 60) throw error;
      // Log: Tocsin tries again each second, for a minute.
      log.warn({ attempt, reason: error.message }, 'Waiting for the database.');
      await sleep(clock, 1_000);
    }
  }
}

/** Checks at once that 500 monitors need in four regions when all their targets hang. */
const MIN_CHECKS_AT_ONCE = 2_000;

/** Warns about a low limit of open files. Node raises the soft limit to the hard limit at start. */
function warnOfLowLimit(probes: Pick<Probes, 'processes'>, log: Log): void {
  const load = probes.processes()[0]?.load;
  if (load?.openFiles == null || load.capacity >= MIN_CHECKS_AT_ONCE) return;
  const { openFiles, capacity } = load;
  // Log: Checks of targets that hang may make others wait. Raise the hard limit, with `ulimit -Hn`
  // or `LimitNOFILE=` of systemd.
  log.warn({ open_files: openFiles, checks_at_once: capacity }, 'The limit of open files is low.');
}

async function readKeys(settings: Config): Promise<string[]> {
  if (settings.secretKeys.length > 0) return [...settings.secretKeys];
  return [await openSecretKey(settings.dataDir, randomBytes)];
}

/** Stored secrets need a key that SECRET_KEY does not hold. The message says which, and what to do. */
class MissingKeyError extends Error {
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
    // Log: They stay unreadable until they are entered again, or the key is added to SECRET_KEY
    // after a comma.
    log.warn(
      { key: use.id, values: use.total },
      'Stored secrets need a key that SECRET_KEY does not hold.',
    );
  }
}

/** Id of the key generated in DATA_DIR, which an operator may have replaced by SECRET_KEY; null without one. */
async function generatedKeyId({ dataDir, secretKeys }: Pick<Config, 'dataDir' | 'secretKeys'>) {
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

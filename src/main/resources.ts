import { randomBytes } from 'node:crypto';
import type { Config } from '../config/config.ts';
import { warnOfMissingPlans, openPlans, builtInPlans } from '../identity/plans.ts';
import type { Plans } from '../identity/plans.ts';
import { openSecretKey } from '../identity/secret-key.ts';
import { requireStoredKeys } from './stored-keys.ts';
import { sleep, systemClock } from '../lib/clock.ts';
import { clock } from './clock.ts';
import type { Log } from '../lib/log.ts';
import { createSecretBox } from '../lib/secret-box.ts';
import type { SealedPlace, SecretBox } from '../lib/secret-box.ts';
import { finishRestore } from '../operator/restore.ts';
import { sealedFormOf } from '../store/database/bound-secrets.ts';
import { openDatabase } from '../store/database/database.ts';
import type { OpenDatabase } from '../store/database/database.ts';
import { DatabaseUnavailable } from '../store/database/errors.ts';
import type { FollowedClock } from '../store/database/follow-clock.ts';
import { fillInHosts } from '../store/resources/monitor-hosts.ts';
import { lockDirectory } from '../store/database/process-lock.ts';
import type { ProcessLock } from '../store/database/process-lock.ts';
import { createObservation, type Observation } from './observation.ts';
import type { Outside } from './outside.ts';
import { openProbes, type Probes } from './probes.ts';

/** Resources shared by all stages, opened before any stage is built. */
export interface Resources {
  plans: Plans;
  /** Lock of the data folder; null with DATABASE_URL, which several processes may share. */
  lock: ProcessLock | null;
  database: OpenDatabase;
  /** Clock of this process, which follows the one of a shared database. */
  followedClock: FollowedClock;
  /** What the database reported: changes of incidents, and slow statements. */
  observation: Observation;
  probes: Probes;
  /** Keys of SECRET_KEY, newest first. */
  keys: readonly string[];
  secretBox: SecretBox;
}

/** Opens all resources; waits for an unavailable database. Rejects with errors an operator has to fix. */
export async function openResources(
  settings: Config,
  log: Log,
  outside: Pick<Outside, 'startProbes' | 'followDatabaseClock'>,
): Promise<Resources> {
  const { plansFile } = settings;
  const plans = plansFile === null ? builtInPlans(settings) : await openPlans(plansFile);
  const lock = settings.databaseUrl === null ? lockDirectory(settings.dataDir) : null;
  if (lock !== null) await finishRestore(settings.dataDir);
  const engine = settings.databaseUrl === null ? 'sqlite' : 'postgres';
  const observation = createObservation({ slowQueryMs: settings.slowQueryMs, engine }, log);
  const keys = await secretKeys(settings);
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
    log.warn(
      { migrations: database.newer },
      'A newer release has migrated the database; this one works with it.',
    );
  }
  warnOfLowLimit(probes, log);
  await fillInHosts(database);
  await warnOfMissingPlans({ database, plans, log });
  await requireStoredKeys(settings, { database, keys, log });
  const secretBox = createSecretBox(keys, {
    form: await sealedFormOf(database.read),
    onRefused: logOnce(log),
  });
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
    log.error({ place, owner }, 'A stored secret was changed, or put in the place of another one.');
  };
}

/** Opens the database; retries for a minute while a remote one is unavailable. */
async function waitForDatabase(
  settings: Config,
  observation: Observation,
  log: Log,
): Promise<OpenDatabase> {
  const { databaseUrl, dataDir, databasePreparedStatements: preparesStatements } = settings;
  if (databaseUrl === null)
    return openDatabase({ engine: 'sqlite', directory: dataDir }, observation);
  for (let attempt = 1; ; attempt++) {
    try {
      const options = { engine: 'postgres', url: databaseUrl, preparesStatements } as const;
      return await openDatabase(options, observation);
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable) || attempt === 60) throw error;
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
  log.warn({ open_files: openFiles, checks_at_once: capacity }, 'The limit of open files is low.');
}

async function secretKeys(settings: Config): Promise<string[]> {
  if (settings.secretKeys.length > 0) return [...settings.secretKeys];
  return [await openSecretKey(settings.dataDir, randomBytes)];
}

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { readConfig, type Config } from './config/config.ts';
import { keyVersionOf } from './config/regions.ts';
import { FULL_PLANS } from './identity/plans.ts';
import { openPlans } from './identity/plans-file.ts';
import { openSecretKey } from './identity/secret-key.ts';
import { systemClock as clock } from './lib/clock.ts';
import { FIRST_KEY_VERSION } from './lib/region-keys.ts';
import { readVersion } from './lib/version.ts';
import { CommandError, type OperatorContext } from './operator/command.ts';
import { runCommandLine } from './operator/run.ts';
import { openDatabase } from './store/database/database.ts';

// The reader of the output may close it early (`… | head`).
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

// Files created from here on (database, backup, export) are readable by their owner only.
process.umask(0o077);

const version = readVersion();
process.exitCode = await runCommandLine(process.argv.slice(2), {
  version,
  settings() {
    const settings = readSettings();
    const { dataDir, databaseUrl, secretKeys, allowMissingKeys, regionKeyVersions } = settings;
    return {
      dataDir,
      databaseUrl,
      secretKeys,
      allowMissingKeys,
      regions: [...settings.regions, ...settings.privateRegions].map(({ code }) => ({
        code,
        keyVersion: keyVersionOf(code, regionKeyVersions) ?? FIRST_KEY_VERSION,
      })),
      clock,
      randomBytes,
    };
  },
  openDatabase: () => openFor(readSettings()),
  write: (words) => writeTo(process.stdout, words),
  writeError: (line) => writeTo(process.stderr, `${line}\n`),
  readInput: () => text(process.stdin),
});

function readSettings(): Config {
  const { config, errors } = readConfig(process.env);
  if (errors) throw new CommandError(errors.join('\n'));
  return config;
}

/** Opens the database for a command. Unlike a server, this process caches no callers to forget. */
async function openFor(
  settings: Config,
): Promise<{ context: OperatorContext; close(): Promise<void> }> {
  const { databaseUrl, dataDir, plansFile, baseUrl, port, secretKeys } = settings;
  const preparesStatements = settings.databasePreparedStatements;
  const plans = plansFile === null ? FULL_PLANS : await openPlans(plansFile);
  const database = await openDatabase(
    databaseUrl === null
      ? { engine: 'sqlite', directory: dataDir }
      : { engine: 'postgres', url: databaseUrl, poolSize: 2, preparesStatements },
  );
  const context = {
    database,
    migrated: database.migrated,
    newer: database.newer,
    clock,
    forget() {},
    plans,
    keys: async () =>
      secretKeys.length > 0 ? secretKeys : [await openSecretKey(dataDir, randomBytes)],
    baseUrl: () => baseUrl ?? `http://localhost:${port}`,
    version,
  };
  return { context, close: database.close };
}

async function writeTo(stream: NodeJS.WriteStream, words: string): Promise<void> {
  if (!stream.write(words)) await once(stream, 'drain');
}

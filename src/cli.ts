import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import type { Config } from './config/config.ts';
import { systemClock as clock } from './lib/clock.ts';
import { FIRST_KEY_VERSION } from './lib/region-keys.ts';
import { readVersion } from './lib/version.ts';
import { CommandError, type OperatorContext } from './operator/command.ts';
import { runCommandLine } from './operator/run.ts';

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
  async settings() {
    const settings = await readSettings();
    const { keyVersionOf } = await import('./config/conflicts.ts');
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
  openDatabase: async () => openFor(await readSettings()),
  write: (words) => writeTo(process.stdout, words),
  writeError: (line) => writeTo(process.stderr, `${line}\n`),
  readInput: () => text(process.stdin),
  environment: process.env,
  now: clock.now,
  isInteractive: process.stdin.isTTY === true && process.stdout.isTTY === true,
  hasColors: process.stdout.isTTY === true && (process.env['NO_COLOR'] ?? '') === '',
  async ask(question) {
    const lines = createInterface({ input: process.stdin, output: process.stdout });
    try {
      return await lines.question(question);
    } finally {
      lines.close();
    }
  },
  sources: readSettings,
  clock,
  interrupted: async () => {
    await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  },
});

// What only some commands need is loaded by them: help and a command that a server runs are there at once.

async function readSettings(): Promise<Config> {
  const { readConfig } = await import('./config/config.ts');
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
  const { FULL_PLANS } = await import('./identity/plans.ts');
  const { openPlans } = await import('./identity/plans.ts');
  const { openSecretKey } = await import('./identity/secret-key.ts');
  const { openDatabase } = await import('./store/database/database.ts');
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
    configuration: null,
  };
  return { context, close: database.close };
}

async function writeTo(stream: NodeJS.WriteStream, words: string): Promise<void> {
  if (!stream.write(words)) await once(stream, 'drain');
}

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { readConfig, type Config } from './config/config.ts';
import { FULL_PLANS } from './identity/plans.ts';
import { openPlans } from './identity/plans-file.ts';
import { systemClock as clock } from './lib/clock.ts';
import { Refusal, type OperatorContext } from './operator/command.ts';
import { runCommandLine } from './operator/run.ts';
import { openDatabase } from './store/database/database.ts';

// Whoever reads our output may have had enough of it (`… | head`).
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

// What is created from here on (a database, a backup, an export) is nobody else's to read.
process.umask(0o077);

const version = readVersion();
process.exitCode = await runCommandLine(process.argv.slice(2), {
  version,
  settings() {
    const { dataDir, databaseUrl, secretKeys } = readSettings();
    return { dataDir, databaseUrl, secretKeys, clock, randomBytes };
  },
  openDatabase: () => openFor(readSettings()),
  write: (words) => writeTo(process.stdout, words),
  complain: (line) => writeTo(process.stderr, `${line}\n`),
  readInput: () => text(process.stdin),
});

function readSettings(): Config {
  const { config, errors } = readConfig(process.env);
  if (errors) throw new Refusal(errors.join('\n'));
  return config;
}

/** Nobody here remembers callers, as a server does for moments: there is nothing to forget. */
async function openFor(
  settings: Config,
): Promise<{ context: OperatorContext; close(): Promise<void> }> {
  const { databaseUrl, dataDir, plansFile, baseUrl, port } = settings;
  const plans = plansFile === null ? FULL_PLANS : await openPlans(plansFile);
  const database = await openDatabase(
    databaseUrl === null
      ? { engine: 'sqlite', directory: dataDir }
      : { engine: 'postgres', url: databaseUrl, poolSize: 2 },
  );
  const context = {
    database,
    migrated: database.migrated,
    clock,
    forget() {},
    plans,
    baseUrl: () => baseUrl ?? `http://localhost:${port}`,
    version,
  };
  return { context, close: database.close };
}

async function writeTo(stream: NodeJS.WriteStream, words: string): Promise<void> {
  if (!stream.write(words)) await once(stream, 'drain');
}

function readVersion(): string {
  const file = new URL('../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

import { countKeyUse, usesText, createKeyRing } from '../identity/key-ring.ts';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Kysely } from 'kysely';
import type { Clock } from '../lib/clock.ts';
import { isUnavailable } from '../store/database/errors.ts';
import { postgresUrl } from '../lib/setting-types.ts';
import type { Schema } from '../store/database/contract.ts';
import {
  LocalSqliteDriver,
  SqliteConnection,
  sqliteDialect,
} from '../store/database/sqlite-driver.ts';
import { UnstorableValue } from '../store/move/copy-format.ts';
import type { Comparison } from '../store/move/copy.ts';
import {
  compareDatabases,
  moveDatabase,
  requireSource,
  type MoveObserver,
  type Phase,
} from '../store/move/move.ts';
import { MoveSource, UnmovableError } from '../store/move/source.ts';
import { MoveTarget, migrateTarget } from '../store/move/target.ts';
import {
  CommandError,
  textOption,
  type CommandInput,
  type LocalCommand,
  type LocalContext,
  type Output,
} from './command.ts';
import { DATABASE_FILE, KEY_FILE, exists, lockFolder } from './files.ts';
import { finishRestore } from './restore.ts';

export const move: LocalCommand['run'] = async (context, given, output) => {
  const { dataDir, databaseUrl } = context;
  if (databaseUrl !== null) throw new CommandError(ALREADY_THERE);
  const url = await readTarget(given);
  if (!(await exists(path.join(dataDir, DATABASE_FILE)))) {
    throw new CommandError(
      `There is no database in ${dataDir}: set DATA_DIR to the server's folder.`,
    );
  }
  const lock = lockFolder(
    dataDir,
    `A server runs on ${dataDir}: stop it first, also one started with --paused. What it writes during the move would be lost.`,
  );
  try {
    await finishRestore(dataDir);
    await moveFrom(context, url, given, output);
  } catch (error) {
    throw commandErrorOf(error);
  } finally {
    lock.release();
  }
};

const ALREADY_THERE =
  'DATABASE_URL is set, so this installation is on Postgres already. To move the database in DATA_DIR, unset it.';

/** Reads the address of the target. @throws CommandError for an invalid one. */
async function readTarget(given: CommandInput): Promise<string> {
  const file = textOption(given, 'to-file');
  const name = file === null ? '--to' : `The content of ${file}`;
  const text = file === null ? textOption(given, 'to')! : await readTargetFile(file);
  const type = postgresUrl();
  try {
    return type.parse(text);
  } catch {
    throw new CommandError(`${name} must be ${type.allowed}.`);
  }
}

async function readTargetFile(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    throw new CommandError(`${file} can't be read (${(error as Error).message}).`);
  }
}

async function moveFrom(context: LocalContext, url: string, given: CommandInput, output: Output) {
  const { dataDir, clock } = context;
  const file = path.join(dataDir, DATABASE_FILE);
  const source = new MoveSource(file);
  const observer = observerOf(new MoveProgress(clock), output);
  const startedAt = clock.monotonic();
  const isComparing = given.options['verify-only'] === true;
  let target: MoveTarget | null = null;
  try {
    requireSource(source);
    await requireKeys(context, file);
    target = await MoveTarget.connect(url, clock);
    const both = { source, target, observer };
    const { tables, rows, unlike } = isComparing
      ? await compareDatabases(both)
      : await moveDatabase(both, () => migrateTarget(url));
    if (unlike.length > 0)
      throw new CommandError(unlikeText(unlike.flatMap(unlikeLines), isComparing));
    const verb = isComparing ? 'Compared' : 'Moved and compared';
    const duration = durationText(clock.monotonic() - startedAt);
    await output.out(
      `${verb} ${count(rows)} rows of ${tables} tables in ${duration}: all are the same.\n`,
    );
    if (!isComparing) await output.out(await nextSteps(context, given));
  } finally {
    await target?.close();
    source.close();
  }
}

function observerOf(progress: MoveProgress, output: Output): MoveObserver {
  return {
    onPhase: (phase, rows) => output.note(progress.begin(phase, rows)),
    async onStep(table, done) {
      const line = progress.step(table, done);
      if (line !== null) await output.note(line);
    },
    onReplaced: (table, texts) =>
      output.note(
        `${count(texts)} texts of ${table} held NUL characters, which Postgres does not store: they are U+FFFD in the target.`,
      ),
  };
}

/** Checks that the keys can read the stored secrets, as each start of the server does. */
async function requireKeys(context: LocalContext, file: string): Promise<void> {
  const keys = await keysOf(context);
  const connection = new SqliteConnection({
    path: file,
    readOnly: true,
    busyTimeoutMs: 0,
    cacheKib: 2_000,
  });
  const dialect = sqliteDialect(() => new LocalSqliteDriver(connection, 'begin'));
  try {
    const uses = await countKeyUse(new Kysely<Schema>({ dialect }), createKeyRing(keys));
    const missing = uses.filter(({ position }) => position === -1);
    if (missing.length === 0 || context.allowMissingKeys) return;
    const needs = missing.map((use) => `key ${use.id} (${usesText(use)})`).join('; ');
    throw new CommandError(
      `Stored secrets need a key that is not there: ${needs}. Set SECRET_KEY as for the server, ` +
        'or ALLOW_MISSING_KEYS=true if the key is lost.',
    );
  } finally {
    connection.close();
  }
}

/** Keys of SECRET_KEY, or the generated one; none if there is neither. */
async function keysOf({ secretKeys, dataDir }: LocalContext): Promise<readonly string[]> {
  const file = path.join(dataDir, KEY_FILE);
  if (secretKeys.length > 0 || !(await exists(file))) return secretKeys;
  return [(await readFile(file, 'utf8')).trim()];
}

/** Says how to start the server on the target. */
async function nextSteps(context: LocalContext, given: CommandInput): Promise<string> {
  const { dataDir, secretKeys } = context;
  const toFile = textOption(given, 'to-file');
  const file = path.resolve(dataDir, KEY_FILE);
  const database =
    toFile === null
      ? 'DATABASE_URL      the address that you gave by --to'
      : `DATABASE_URL_FILE ${path.resolve(toFile)}`;
  const key =
    secretKeys.length > 0
      ? 'SECRET_KEY        the same value as before'
      : (await exists(file))
        ? `SECRET_KEY_FILE   ${file} (or its content as SECRET_KEY: without it the stored secrets can't be read)`
        : 'SECRET_KEY        a new key, such as from: openssl rand -base64 32';
  return (
    `\nStart the server with these settings, and the others as before:\n\n  ${database}\n  ${key}\n\n` +
    `${path.resolve(dataDir)} is as it was. Keep it until you are content; without DATABASE_URL a server would start on it.\n`
  );
}

function unlikeText(lines: readonly string[], isComparing: boolean): string {
  return (
    `The target is not the same as the source:\n${lines.join('\n')}\n` +
    (isComparing
      ? 'No server must run on either of them. To copy anew, use a new, empty database.'
      : 'Nothing was kept: the target is empty.')
  );
}

function commandErrorOf(error: unknown): unknown {
  if (error instanceof UnmovableError) return new CommandError(error.message);
  const after = 'Nothing was kept: the target is empty. Run the command again.';
  if (isUnavailable(error)) return new CommandError(`${error.message}. ${after}`);
  if (error instanceof UnstorableValue)
    return new CommandError(`The move failed: ${error.message}.`);
  return error;
}

/** Differences that are shown of a table. */
const SHOWN = 20;

/** Lines about a table that is not the same in both databases. */
function unlikeLines({ table, sourceRows, targetRows, differences }: Comparison): string[] {
  const lines = differences.slice(0, SHOWN).map(({ kind, key, columns }) => {
    const row = `${table} ${key.map((value) => JSON.stringify(value)).join(', ')}`;
    switch (kind) {
      case 'missing':
        return `  ${row}: not in the target`;
      case 'extra':
        return `  ${row}: only in the target`;
      case 'changed':
        return `  ${row}: differs in ${columns.join(', ')}`;
    }
  });
  if (differences.length > SHOWN)
    lines.push(`  and ${count(differences.length - SHOWN)} more of ${table}`);
  if (sourceRows !== targetRows) {
    lines.push(
      `  ${table}: ${count(sourceRows)} rows in the source, ${count(targetRows)} in the target`,
    );
  }
  return lines;
}

const REPORT_EVERY_MS = 5_000;
const WORDS: Readonly<Record<Phase, string>> = { copy: 'Copied', compare: 'Compared' };

/** Lines that say how far a move is, at most one in five seconds. */
export class MoveProgress {
  readonly #clock: Pick<Clock, 'monotonic'>;
  #phase: Phase = 'copy';
  #total = 0;
  /** Rows of tables that are done. */
  #doneBefore = 0;
  #startedAt = 0;
  #reportedAt = 0;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** @param tables rows of each. */
  begin(phase: Phase, tables: readonly number[]): string {
    const rows = tables.reduce((sum, one) => sum + one, 0);
    this.#phase = phase;
    this.#total = rows;
    this.#doneBefore = 0;
    this.#startedAt = this.#clock.monotonic();
    this.#reportedAt = this.#startedAt;
    const verb = phase === 'copy' ? 'Copying' : 'Comparing';
    return `${verb} ${count(rows)} rows of ${tables.length} tables.`;
  }

  /** Takes note of a step; returns a line to show, or null. */
  step(table: string, { rows, isDone }: { rows: number; isDone: boolean }): string | null {
    const done = this.#doneBefore + rows;
    if (isDone) this.#doneBefore = done;
    const now = this.#clock.monotonic();
    if (now - this.#reportedAt < REPORT_EVERY_MS) return null;
    this.#reportedAt = now;
    const rate = (done * 1_000) / (now - this.#startedAt);
    return progressLine({ word: WORDS[this.#phase], done, total: this.#total, rate, table });
  }
}

/** Formats a line such as `Copied 1,200,000 of 4,800,000 rows (25 %), now ping: 240,000 rows/s, 15 s left.` */
export function progressLine(at: {
  word: string;
  done: number;
  total: number;
  /** Rows per second. */
  rate: number;
  table: string;
}): string {
  const { word, done, total, rate, table } = at;
  const percent = total === 0 ? 100 : Math.floor((done * 100) / total);
  const left = rate > 0 ? `, ${durationText(((total - done) * 1_000) / rate)} left` : '';
  return `${word} ${count(done)} of ${count(total)} rows (${percent} %), now ${table}: ${count(Math.round(rate))} rows/s${left}.`;
}

/** Formats a duration in milliseconds, such as `45 s`, `12 min` or `1 h 5 min`. */
export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000));
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 120) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

function count(number: number): string {
  return number.toLocaleString('en-US');
}

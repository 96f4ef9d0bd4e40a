import { sql, type Kysely } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import type { Engine } from '../dialect.ts';
import { DatabaseUnavailable, translateError } from '../errors.ts';
import { MIGRATIONS, type NamedMigration } from './index.ts';

/** The program is too old for the database. The message is a sentence for the operator. */
class NewerDatabaseError extends Error {
  override readonly name = 'NewerDatabaseError';
}

/** The database is the target of a move that runs. The message is a sentence for the operator. */
class MoveRunningError extends Error {
  override readonly name = 'MoveRunningError';
}

/** Names of migrations. */
export interface Migrated {
  /** Those that ran now. */
  ran: string[];
  /** Those of newer releases that this program works with. */
  newer: string[];
}

/**
 * Migrates the tables to this version, completely or not at all. Processes that start at once run it one after another:
 * on Postgres by an advisory lock, on SQLite because the transaction locks the file. Tables of a newer version stay as they
 * are. Throws when this version can't work with them.
 */
export async function migrate(
  db: Kysely<unknown>,
  engine: Engine,
  migrations: readonly NamedMigration[] = MIGRATIONS,
): Promise<Migrated> {
  const done = await appliedMigrations(db);
  const known = migrations.map(({ name }) => name);
  const oldest = done.length > known.length ? await readOldest(db) : null;
  const { newer, isUsable } = judgeCompatibility(known, done, oldest);
  if (!isUsable) {
    throw new NewerDatabaseError(
      `This database was written by a newer version of Tocsin (it has ${newer.join(', ')}). ` +
        'Run that version, or restore the backup made before the upgrade.',
    );
  }
  if (done.length >= known.length) return { ran: [], newer };

  const last = migrations.at(-1);
  const runnable: Record<string, Migration> = Object.fromEntries(
    migrations.map((migration) => {
      const more = migration === last ? writeOldest(migrations) : [];
      return [
        migration.name,
        { up: runAll([...LOCKS[engine], ...migration.statements(engine), ...more]) },
      ];
    }),
  );
  const migrator = new Migrator({ db, provider: { getMigrations: async () => runnable } });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error !== undefined) throw translateError(error);
  return { ran: results.map((result) => result.migrationName), newer: [] };
}

/**
 * A statement that waits for a table which somebody reads, such as `pg_dump`, makes all later statements on that table wait
 * behind it, and with them the processes that go on. So it gives up soon; a server that starts tries again.
 */
const LOCKS = { sqlite: [], postgres: [`set local lock_timeout = '2s'`] } as const;

async function readOldest(db: Kysely<unknown>): Promise<string | null> {
  const { rows } = await orTranslated(sql.raw<{ value: string }>(READ_OLDEST).execute(db));
  return rows[0]?.value ?? null;
}

/** Advisory lock of a move to the database: `tocsin` in ASCII. */
export const MOVE_LOCK = 0x746f6373696e;

/** Throws while a move to the database runs: until it ends, there are no rows. */
export async function requireNoMove(db: Kysely<unknown>): Promise<void> {
  const { rows } = await orTranslated(
    sql<{
      is_free: boolean;
    }>`select pg_try_advisory_xact_lock_shared(${MOVE_LOCK}::bigint) as is_free`.execute(db),
  );
  if (rows[0]!.is_free) return;
  throw new MoveRunningError(
    'A move from SQLite to this database is running. Start the server once it has ended.',
  );
}

async function orTranslated<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    throw translateError(error);
  }
}

async function appliedMigrations(db: Kysely<unknown>): Promise<string[]> {
  try {
    const found = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
    return found.rows.map((row) => row.name);
  } catch (error) {
    const translated = translateError(error);
    if (translated instanceof DatabaseUnavailable || !isNoSuchTable(error)) throw translated;
    return [];
  }
}

function isNoSuchTable(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  return code === '42P01' || message?.startsWith('no such table') === true;
}

function runAll(statements: string[]): Migration['up'] {
  return async (db) => {
    for (const statement of statements) await sql.raw(statement).execute(db);
  };
}

/*
 * A database names the oldest migration that a program must know to work on it. So a program of the release before goes on
 * beside newer ones, and can be started again, where the migrations since then only add to the tables (ADR 44).
 */

/** Setting that holds the name of that migration. Absent while there is none. */
export const OLDEST_SETTING = 'oldest_usable_migration';

/** Reads the setting on both engines. */
const READ_OLDEST = `select value from setting where name = '${OLDEST_SETTING}'`;

/** Statements that write the setting after these migrations, unless it names a later one; for both engines. */
function writeOldest(migrations: readonly { name: string; isBreaking?: true }[]): string[] {
  const oldest = migrations.findLast(({ isBreaking }) => isBreaking);
  if (oldest === undefined) return [];
  return [
    `insert into setting (name, value) values ('${OLDEST_SETTING}', '${oldest.name}')
      on conflict (name) do update set value = excluded.value where setting.value < excluded.value`,
  ];
}

/**
 * Decides whether a program can work on a database.
 *
 * @param known names of the migrations that the program knows.
 * @param done names of those that have run on the database.
 * @param oldest value of the database's setting; null if it has none.
 * @returns also the names of those that the program does not know.
 */
export function judgeCompatibility(
  known: readonly string[],
  done: readonly string[],
  oldest: string | null,
): { newer: string[]; isUsable: boolean } {
  const newer = done.filter((name) => !known.includes(name));
  const hasAll = known.every((name) => done.includes(name));
  const isUsable = newer.length === 0 || (hasAll && (oldest === null || known.includes(oldest)));
  return { newer, isUsable };
}

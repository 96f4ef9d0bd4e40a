import { sql, type Kysely } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import type { Engine } from '../dialect.ts';
import { DatabaseUnavailable, translateError } from '../errors.ts';
import { MOVE_TABLE } from '../../move/move-state.ts';
import { judgeCompatibility, READ_OLDEST, writeOldest } from './compatibility.ts';
import { MIGRATIONS, type NamedMigration } from './index.ts';

/** The program is too old for the database. The message is a sentence for the operator. */
class NewerDatabaseError extends Error {
  override readonly name = 'NewerDatabaseError';
}

/** The database is the target of a move that has not ended. The message is a sentence for the operator. */
class UnfinishedMoveError extends Error {
  override readonly name = 'UnfinishedMoveError';
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
 * are. Throws when this version can't work with them, or a move to the database has not ended.
 */
export async function migrate(
  db: Kysely<unknown>,
  engine: Engine,
  migrations: readonly NamedMigration[] = MIGRATIONS,
): Promise<Migrated> {
  if (engine === 'postgres') await requireNoMove(db);
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

/** Half of the rows, without foreign keys and triggers, are nothing to work on. */
async function requireNoMove(db: Kysely<unknown>): Promise<void> {
  const { rows } = await orTranslated(
    sql<{ found: boolean }>`select to_regclass(${MOVE_TABLE}) is not null as found`.execute(db),
  );
  if (!rows[0]!.found) return;
  throw new UnfinishedMoveError(
    'A move from SQLite to this database has not ended. Run "npm run tocsin -- move" again as before: it goes on where it was.',
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

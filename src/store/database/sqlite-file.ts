import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { DatabaseSync, backup } from 'node:sqlite';
import { MIGRATIONS } from './migrations/index.ts';
import { SEALED_TABLES } from './sealed-columns.ts';

export type FileSummary = ReturnType<typeof inspectDatabase>;

/** A file is not a database that this version can use. The message is part of a sentence for people. */
export class DatabaseFileError extends Error {
  override readonly name = 'DatabaseFileError';
}

/**
 * Copies a consistent state of a database that is in use. The copy is one file without a log; it must not exist before.
 * The copy is made in one step on its own thread: between steps, a write would restart it.
 */
export async function copyDatabase(source: string, target: string): Promise<void> {
  const from = openFile(source, { readOnly: true });
  try {
    // Waits for a process that switches the journal mode or writes a checkpoint.
    from.exec('pragma busy_timeout = 10000');
    await backup(from, target, { rate: 0x7fffffff });
  } finally {
    from.close();
  }
  foldLog(target);
}

/**
 * Moves the content of the log into the file itself and deletes the log. No other process may have the file open.
 *
 * @throws DatabaseFileError when it is no database.
 */
export function foldLog(path: string): void {
  const file = openFile(path, { readOnly: false });
  try {
    file.exec('pragma journal_mode = delete');
  } catch (error) {
    throw new DatabaseFileError(`it could not be read (${(error as Error).message})`, {
      cause: error,
    });
  } finally {
    file.close();
  }
}

/**
 * Whether the header of the file names a database with a log beside it. Opening a file without this mark would delete a
 * log that exists (SQLite's file format, section 1.3).
 */
export function saysItHasLog(path: string): boolean {
  const head = Buffer.alloc(20);
  const file = openSync(path, 'r');
  try {
    readSync(file, head, 0, head.length, 0);
  } finally {
    closeSync(file);
  }
  return head.toString('latin1', 0, 16) === 'SQLite format 3\0' && head[18] === 2 && head[19] === 2;
}

/**
 * Reads a whole database that no process has open.
 *
 * @throws DatabaseFileError when it is damaged, not of Tocsin, or of a newer version.
 */
export function inspectDatabase(path: string) {
  const file = openFile(path, { readOnly: true });
  try {
    const damage = file.prepare('pragma integrity_check(1)').get() as { integrity_check: string };
    if (damage.integrity_check !== 'ok') {
      throw new DatabaseFileError(`it is damaged (${damage.integrity_check})`);
    }
    const newestMigration = newestMigrationOf(file);
    const count = (table: string, condition = 'true') =>
      (file.prepare(`select count(*) as n from ${table} where ${condition}`).get() as { n: number })
        .n;
    const later = (table: string, condition: string) =>
      hasColumn(file, table, 'deleted_at') ? condition : 'true';
    return {
      /** Newest migration that ran on it, such as `0001-baseline`. */
      newestMigration,
      people: count('person'),
      teams: count('team', later('team', 'deleted_at is null')),
      monitors: count('monitor', later('monitor', 'deleted_at is null')),
      incidents: count('incident'),
    };
  } catch (error) {
    if (error instanceof DatabaseFileError) throw error;
    throw new DatabaseFileError(`it could not be read (${(error as Error).message})`, {
      cause: error,
    });
  } finally {
    file.close();
  }
}

/** Columns of tables that hold nothing but values of the secret box. */
const SEALED = SEALED_TABLES.filter(
  ({ cipher, where }) => cipher === 'secret box' && where === undefined,
).flatMap(({ table, columns }) => Object.keys(columns).map((column) => [table, column] as const));

/** Reads a sealed secret to try a key on; null without one. */
export function anySealedText(path: string): string | null {
  const file = openFile(path, { readOnly: true });
  try {
    for (const [table, column] of SEALED) {
      // A backup may be older than this column.
      if (!hasColumn(file, table, column)) continue;
      const isThere = hasColumn(file, table, 'deleted_at') ? 'and deleted_at is null' : '';
      const row = file
        .prepare(
          `select ${column} as sealed from ${table} where ${column} is not null ${isThere} order by id desc limit 1`,
        )
        .get() as { sealed: string } | undefined;
      if (row !== undefined) return row.sealed;
    }
    return null;
  } finally {
    file.close();
  }
}

function openFile(path: string, options: { readOnly: boolean }): DatabaseSync {
  // Opening would create the file.
  if (!existsSync(path)) throw new DatabaseFileError('there is no such file');
  try {
    return new DatabaseSync(path, options);
  } catch (error) {
    throw new DatabaseFileError(`it could not be opened (${(error as Error).message})`, {
      cause: error,
    });
  }
}

function newestMigrationOf(file: DatabaseSync): string {
  const isOurs =
    file.prepare("select 1 from sqlite_schema where name = 'kysely_migration'").get() !== undefined;
  const done = isOurs
    ? (file.prepare('select name from kysely_migration order by name').all() as { name: string }[])
    : [];
  const newest = done.at(-1)?.name;
  if (newest === undefined) throw new DatabaseFileError('it is no database of Tocsin');
  const known = new Set(MIGRATIONS.map(({ name }) => name));
  const strange = done.filter(({ name }) => !known.has(name)).map(({ name }) => name);
  if (strange.length > 0) {
    throw new DatabaseFileError(
      `it was written by a newer version of Tocsin (it has ${strange.join(', ')})`,
    );
  }
  return newest;
}

function hasColumn(file: DatabaseSync, table: string, column: string): boolean {
  const columns = file.prepare(`pragma table_info(${table})`).all() as { name: string }[];
  return columns.some(({ name }) => name === column);
}

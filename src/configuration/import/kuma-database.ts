import { existsSync, openSync, readSync, closeSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { ImportError, type ImportSource } from './importer.ts';
import { DATABASE_KEY, KUMA_TABLES, type Row } from './kuma-tables.ts';

const EXPECTED = 'Give the kuma.db of the data folder of Uptime Kuma.';
/** What SQLite files begin with. */
const MAGIC = 'SQLite format 3\0';
/** Most rows of a table, and of days of uptime: far more than one server watches. */
const MAX_ROWS = 100_000;
const MAX_DAY_ROWS = 1_000_000;

/** Whether a file is an SQLite database, by its first bytes. Throws as `open` does. */
export function isDatabase(file: string): boolean {
  const descriptor = openSync(file, 'r');
  try {
    const head = Buffer.alloc(MAGIC.length);
    readSync(descriptor, head, 0, head.length, 0);
    return head.toString('latin1') === MAGIC;
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Reads a database of Uptime Kuma, and the write-ahead log beside it, as the text that its importer takes. Changes
 * nothing. It blocks for as long as it reads, seconds for millions of heartbeats: it is for commands.
 *
 * @throws ImportError
 */
export function readKumaDatabase(file: string, now: number): ImportSource {
  const name = path.basename(file);
  if (!isDatabase(file)) throw new ImportError(`${name} is no SQLite database. ${EXPECTED}`);
  const isShared = existsSync(`${file}-shm`);
  try {
    const database = open(file);
    try {
      const tables = readTables(database, name);
      return { file: name, text: JSON.stringify({ [DATABASE_KEY]: tables }), now };
    } finally {
      database.close();
    }
  } catch (error) {
    if (error instanceof ImportError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new ImportError(
      `${name} can't be read: ${reason}. Stop Uptime Kuma, copy kuma.db anew, with kuma.db-wal if there is one, and give that.`,
    );
  } finally {
    // SQLite makes an index of a log that nobody has open.
    if (!isShared) rmSync(`${file}-shm`, { force: true });
  }
}

function open(file: string): DatabaseSync {
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false });
  const url = pathToFileURL(file);
  // Without a log nobody writes: SQLite then needs no files beside it, so that its folder may be read-only.
  if (log === undefined || log.size === 0) url.searchParams.set('immutable', '1');
  return new DatabaseSync(url, { readOnly: true, timeout: 5_000 });
}

function readTables(database: DatabaseSync, name: string): Record<string, Row[]> {
  // Views and virtual tables could ask for anything.
  const known = namesIn(
    database,
    `select name from sqlite_master where type = 'table' and sql like 'create table%'`,
  );
  if (!known.has('monitor'))
    throw new ImportError(
      `${name} has no table of monitors, so it is no database of Uptime Kuma. ${EXPECTED}`,
    );
  const tables = KUMA_TABLES.filter((table) => known.has(table)).map((table) => {
    const most = table === 'stat_daily' ? MAX_DAY_ROWS : MAX_ROWS;
    return [table, rowsOf(database, `select * from "${table}" limit ${most}`)] as const;
  });
  const content = Object.fromEntries(tables);
  if (known.has('heartbeat') && (content['stat_daily'] ?? []).length === 0)
    content['heartbeat_day'] = heartbeatDays(database);
  return content;
}

const namesIn = (database: DatabaseSync, query: string) =>
  new Set(rowsOf(database, query).map(({ name }) => name));

/** Of old versions some columns are missing. */
function heartbeatDays(database: DatabaseSync): Row[] {
  const columns = namesIn(database, `select name from pragma_table_info('heartbeat')`);
  if (!['monitor_id', 'time', 'status'].every((column) => columns.has(column))) return [];
  const seconds = columns.has('duration') ? 'sum(min(max(duration, 0), 86400))' : '0';
  return rowsOf(
    database,
    `select monitor_id, substr(time, 1, 10) as date, status, ${seconds} as seconds, count(*) as beats
     from heartbeat group by monitor_id, date, status limit ${MAX_DAY_ROWS}`,
  );
}

/** Values that JSON has: large integers as numbers, and no binary ones. */
function rowsOf(database: DatabaseSync, query: string): Row[] {
  const statement = database.prepare(query);
  statement.setReadBigInts(true);
  return statement
    .all()
    .map((row) =>
      Object.fromEntries(
        Object.entries(row).flatMap(([column, value]) =>
          value instanceof Uint8Array
            ? []
            : [[column, typeof value === 'bigint' ? Number(value) : value]],
        ),
      ),
    );
}

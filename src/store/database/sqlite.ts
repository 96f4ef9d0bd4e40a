import { join } from 'node:path';
import { systemClock, type Clock } from '../../lib/clock.ts';
import { createFolder } from '../../lib/create-folder.js';
import { DatabaseUnavailable, translateError } from './errors.ts';
import { ScanThreadDriver } from './scan-thread-driver.ts';
import {
  SqliteConnection,
  LocalSqliteDriver,
  sqliteDialect,
  WriterSqliteDriver,
} from './sqlite-driver.ts';
import { WriteAheadLog, type WriteAheadLogOptions } from './write-ahead-log.ts';

export interface SqliteOptions {
  engine: 'sqlite';
  /** The folder of `tocsin.db`, made when missing; or `:memory:` for tests and the simulation. */
  directory: string;
  /** The database's clock: that of the process, the only one that uses the database. */
  clock?: Clock;
}

export type SqliteEngine = ReturnType<typeof openSqlite>;

/** Opens the connections of a SQLite database. In memory there is one, so there are no dialects for reading. */
export function openSqlite({ directory, clock = systemClock }: SqliteOptions) {
  const memory = directory === ':memory:';
  const path = memory ? directory : join(directory, 'tocsin.db');
  try {
    if (!memory) createFolder(directory);
    const writer = openWriter(path);
    const reader = memory ? null : openReader(path);
    let log: WriteAheadLog | null = null;
    return {
      writer: sqliteDialect(() =>
        memory
          ? new LocalSqliteDriver(writer, 'begin immediate')
          : new WriterSqliteDriver(writer, () => log?.committed()),
      ),
      reading: reader && {
        reader: sqliteDialect(() => new LocalSqliteDriver(reader, 'begin')),
        scanner: sqliteDialect(() => new ScanThreadDriver(path)),
      },
      clock,
      /**
       * Call it after the migration. Shortens the wait for other processes: while they may be migrating it is long,
       * afterwards it must not block the thread. Returns the log of a file; null in memory.
       */
      afterMigration(
        use: Omit<WriteAheadLogOptions, 'path' | 'writer'>,
      ): Pick<WriteAheadLog, 'durable' | 'close'> | null {
        writer.raw.exec(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`);
        if (!memory) log = new WriteAheadLog({ path, writer, ...use });
        return log;
      },
      close: () => {
        reader?.close();
        writer.close();
      },
    };
  } catch (error) {
    const translated = translateError(error);
    if (translated instanceof DatabaseUnavailable) throw translated;
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`The database ${path} could not be opened: ${reason}`, { cause: error });
  }
}

/** Short, as it blocks the thread: other processes use the file only when a person inspects it. */
const BUSY_TIMEOUT_MS = 500;
const MIGRATION_BUSY_TIMEOUT_MS = 20_000;

function openWriter(path: string): SqliteConnection {
  const writer = new SqliteConnection({
    path,
    readOnly: false,
    busyTimeoutMs: MIGRATION_BUSY_TIMEOUT_MS,
    cacheKib: 16_384,
  });
  switchToWal(writer);
  // FULL: a migration survives a loss of power. The log may grow during a long scan and is cut afterwards.
  writer.raw.exec('pragma synchronous = full; pragma journal_size_limit = 67108864');
  return writer;
}

/** Switches to the write-ahead log. Retries, as SQLite does not wait here when two processes switch a new file at once. */
function switchToWal(writer: SqliteConnection): void {
  for (let attempt = 1; ; attempt += 1) {
    try {
      writer.raw.exec('pragma journal_mode = wal');
      return;
    } catch (error) {
      if (attempt === 100 || !(translateError(error) instanceof DatabaseUnavailable)) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    }
  }
}

function openReader(path: string): SqliteConnection {
  return new SqliteConnection({
    path,
    readOnly: true,
    busyTimeoutMs: BUSY_TIMEOUT_MS,
    cacheKib: 16_384,
  });
}

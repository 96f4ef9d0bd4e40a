import { AsyncLocalStorage } from 'node:async_hooks';
import { Kysely, sql, type Dialect, type Transaction } from 'kysely';
import type { Database } from './contract.ts';
import { DatabaseUnavailable, translateError } from './errors.ts';
import { guardDialect, type Gate } from './guarded-driver.ts';
import { MemoryReaderDriver } from './memory-reader.ts';
import { migrate } from './migrations/migrate.ts';
import { openPostgres, type PostgresEngine, type PostgresOptions } from './postgres.ts';
import { sqliteDialect } from './sqlite-driver.ts';
import { openSqlite, type SqliteEngine, type SqliteOptions } from './sqlite.ts';
import type { Schema } from './schema.ts';

export type DatabaseOptions = SqliteOptions | PostgresOptions;

export interface OpenDatabase extends Database {
  /** The migrations that ran when it was opened. */
  readonly migrated: readonly string[];
}

/**
 * Opens the database and brings its tables to this version. Throws DatabaseUnavailable when the engine is away,
 * another error with a sentence when it must be mended by a person (a wrong password, a newer version's tables).
 */
export async function openDatabase(options: DatabaseOptions): Promise<OpenDatabase> {
  return options.engine === 'sqlite'
    ? await openOnSqlite(openSqlite(options))
    : await openOnPostgres(openPostgres(options));
}

/** Opens the database on a SQLite engine; tests bring their own. */
export async function openOnSqlite(engine: SqliteEngine): Promise<OpenDatabase> {
  const rules = new Rules();
  const writer = rules.kysely(engine.writer, 'write');
  const borrowed = () => new MemoryReaderDriver(writer);
  const { reader, scanner } = engine.reading ?? {
    reader: sqliteDialect(borrowed, true),
    scanner: null,
  };
  const read = rules.kysely(reader, 'read');
  const scan = scanner ? rules.kysely(scanner, 'read') : read;
  const end = async () => {
    for (const part of [scan, read, writer]) await part.destroy();
    engine.close();
  };
  const migrated = await orEnd(end, () => migrate(writer as Kysely<unknown>, 'sqlite'));
  engine.afterMigration();
  return {
    engine: 'sqlite',
    isShared: false,
    migrated,
    get read() {
      return rules.outside(read);
    },
    get scan() {
      return rules.outside(scan);
    },
    transaction: (work) => rules.transaction(writer, work),
    now: async (tx) => {
      if (!tx) rules.assertOutside();
      return engine.clock.now();
    },
    close: rules.closeOnce(end),
  };
}

/** Opens the database on a Postgres engine; tests bring their own. */
export async function openOnPostgres(engine: PostgresEngine): Promise<OpenDatabase> {
  const rules = new Rules();
  const writer = rules.kysely(engine.main, 'write');
  const read = rules.kysely(engine.main, 'read');
  const scan = rules.kysely(engine.scanner, 'read');
  const migrator = new Kysely<unknown>({ dialect: engine.migrator });
  const migrated = await orEnd(engine.close, () => migrate(migrator, 'postgres'));
  return {
    engine: 'postgres',
    isShared: true,
    migrated,
    get read() {
      return rules.outside(read);
    },
    get scan() {
      return rules.outside(scan);
    },
    transaction: (work) => rules.transaction(writer, work),
    now: async (tx) => {
      const now = sql<{
        now: number;
      }>`select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now`;
      const { rows } = await now.execute(tx ?? read);
      return rows[0]!.now;
    },
    close: rules.closeOnce(engine.close),
  };
}

async function orEnd<Value>(end: () => Promise<void>, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    await end();
    throw error;
  }
}

const SQLITE_READONLY = 8;

function translateReadError(error: unknown): unknown {
  const cause = error instanceof DatabaseUnavailable ? error.cause : error;
  if ((cause as { errcode?: number }).errcode !== SQLITE_READONLY) return translateError(error);
  return new Error('The database was written to through a reader: use its `transaction`.', {
    cause: error,
  });
}

/** Who may use the connections of one database, and when. */
class Rules {
  readonly #own = new AsyncLocalStorage<{ running: boolean }>();
  #inUse = 0;
  #closing: Promise<void> | null = null;
  #unused: (() => void) | null = null;

  kysely(dialect: Dialect, use: 'read' | 'write'): Kysely<Schema> {
    const gate: Gate = {
      enter: () => {
        if (use === 'read') this.assertOutside();
        this.#assertOpen();
        this.#inUse += 1;
      },
      leave: () => {
        this.#inUse -= 1;
        if (this.#inUse === 0) this.#unused?.();
      },
      translate: use === 'read' ? translateReadError : translateError,
    };
    return new Kysely<Schema>({ dialect: guardDialect(dialect, gate) });
  }

  async transaction<Value>(
    writer: Kysely<Schema>,
    work: (tx: Transaction<Schema>) => Promise<Value>,
  ): Promise<Value> {
    this.assertOutside();
    this.#assertOpen();
    const mark = { running: true };
    try {
      return await writer
        .transaction()
        .execute((tx) => this.#own.run(mark, async () => await work(tx)));
    } finally {
      // What the work started and left behind (a timer, a listener) may use the database from now on.
      mark.running = false;
    }
  }

  outside(kysely: Kysely<Schema>): Kysely<Schema> {
    this.assertOutside();
    return kysely;
  }

  /** On SQLite it would wait for itself for ever; on Postgres it wouldn't see its own writes. */
  assertOutside(): void {
    if (!this.#own.getStore()?.running) return;
    throw new Error(
      'The database was used inside its own transaction: use the `tx` that the transaction was given.',
    );
  }

  #assertOpen(): void {
    if (this.#closing) throw new DatabaseUnavailable('it has been closed');
  }

  /** Waits for the work that is under way, and refuses new work. */
  closeOnce(end: () => Promise<void>): () => Promise<void> {
    const close = async () => {
      if (this.#inUse > 0) await new Promise<void>((resolve) => (this.#unused = resolve));
      await end();
    };
    return () => (this.#closing ??= close());
  }
}

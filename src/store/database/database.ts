import { AsyncLocalStorage } from 'node:async_hooks';
import { CompiledQuery, Kysely, sql, type Dialect } from 'kysely';
import type { Database, Db, Schema, Tx } from './contract.ts';
import { DatabaseUnavailable, translateError } from './errors.ts';
import { guardDialect, type Gate } from './guarded-driver.ts';
import { MemoryReaderDriver, sqliteDialect } from './sqlite-driver.ts';
import { migrate, requireNoMove } from './migrations/migrate.ts';
import {
  NO_OBSERVER,
  notedIncidents,
  type DatabaseObserver,
  type IncidentFact,
  type SlowQuery,
} from './observer.ts';
import { openPostgres, type PostgresEngine, type PostgresOptions } from './postgres.ts';
import { openSqlite, type SqliteEngine, type SqliteOptions } from './sqlite.ts';

export type DatabaseOptions = SqliteOptions | PostgresOptions;

export interface OpenDatabase extends Database {
  /** Names of the migrations that ran when it was opened. */
  readonly migrated: readonly string[];
  /** Names of migrations of newer releases that had run on it before. This program does not know them, and works with them. */
  readonly newer: readonly string[];
}

/**
 * Opens the database and migrates it to this version. Throws DatabaseUnavailable when the engine can't be reached, and
 * another error with a sentence for what a person must fix (a wrong password, tables of a newer version, a move that runs).
 */
export async function openDatabase(
  options: DatabaseOptions,
  observer: DatabaseObserver = NO_OBSERVER,
): Promise<OpenDatabase> {
  return options.engine === 'sqlite'
    ? await openOnSqlite(openSqlite(options), observer)
    : await openOnPostgres(openPostgres(options, observer), observer);
}

/** Opens the database on a SQLite engine; tests pass their own. */
export async function openOnSqlite(
  engine: SqliteEngine,
  observer: DatabaseObserver = NO_OBSERVER,
): Promise<OpenDatabase> {
  const rules = new AccessRules(observer);
  const writer = rules.kysely(engine.writer, 'write');
  const borrowed = () => new MemoryReaderDriver(writer);
  const { reader, scanner } = engine.reading ?? {
    reader: sqliteDialect(borrowed, true),
    scanner: null,
  };
  const read = rules.kysely(reader, 'read');
  const scan = scanner ? rules.kysely(scanner, 'scan') : read;
  let log: ReturnType<SqliteEngine['afterMigration']> = null;
  const close = async () => {
    await log?.close();
    for (const part of [scan, read, writer]) await part.destroy();
    engine.close();
  };
  const { ran: migrated, newer } = await orClose(close, () =>
    migrate(writer as Kysely<unknown>, 'sqlite'),
  );
  log = engine.afterMigration({
    inThread: (work) => scan.connection().execute((thread) => work(statementsOf(thread))),
    exclusively: (work) => writer.connection().execute(work),
    onCheckpointFailed(error) {
      if (!rules.isClosing) observer.onCheckpointFailed(error);
    },
  });
  if (log !== null) rules.durable = () => log!.durable();
  const now = async (tx?: Tx) => {
    if (!tx) rules.assertOutside();
    return engine.clock.now();
  };
  return guarded(rules, { engine: 'sqlite', migrated, newer, writer, read, scan, now, close });
}

/** Opens the database on a Postgres engine; tests pass their own. */
export async function openOnPostgres(
  engine: PostgresEngine,
  observer: DatabaseObserver = NO_OBSERVER,
): Promise<OpenDatabase> {
  const rules = new AccessRules(observer);
  const writer = rules.kysely(engine.main, 'write');
  const read = rules.kysely(engine.main, 'read');
  const scan = rules.kysely(engine.scanner, 'scan');
  const migrator = new Kysely<unknown>({ dialect: engine.migrator });
  const { ran: migrated, newer } = await orClose(engine.close, async () => {
    await requireNoMove(migrator);
    return migrate(migrator, 'postgres');
  });
  const now = async (tx?: Tx) => {
    const { rows } = await POSTGRES_NOW.execute(tx ?? read);
    return rows[0]!.now;
  };
  const { close } = engine;
  return guarded(rules, { engine: 'postgres', migrated, newer, writer, read, scan, now, close });
}

/** Runs statements on one connection. */
function statementsOf(connection: Db) {
  return async (text: string) =>
    (await connection.executeQuery(CompiledQuery.raw(text))).rows as readonly unknown[];
}

const POSTGRES_NOW = sql<{
  now: number;
}>`select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now`;

type Parts = Pick<OpenDatabase, 'engine' | 'migrated' | 'newer' | 'now' | 'close'> &
  Record<'writer' | 'read' | 'scan', Db>;

function guarded(rules: AccessRules, parts: Parts): OpenDatabase {
  const { engine, migrated, newer, writer, read, scan, now, close } = parts;
  return {
    engine,
    isShared: engine === 'postgres',
    migrated,
    newer,
    get read() {
      return rules.outside(read);
    },
    get scan() {
      return rules.outside(scan);
    },
    transaction: (work) => rules.transaction(writer, work),
    now,
    close: rules.closeOnce(close),
  };
}

async function orClose<Value>(close: () => Promise<void>, work: () => Promise<Value>) {
  try {
    return await work();
  } catch (error) {
    await close();
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

/** Guards the connections of one database against use after closing and inside the caller's own transaction. */
class AccessRules {
  readonly #own = new AsyncLocalStorage<{ running: boolean }>();
  #inUse = 0;
  #closing: Promise<void> | null = null;
  #unused: (() => void) | null = null;
  readonly #observer: DatabaseObserver;
  /** Settles once what is committed is on disk; null while a commit waits for the disk itself. */
  durable: (() => Promise<void>) | null = null;

  constructor(observer: DatabaseObserver) {
    this.#observer = observer;
  }

  get isClosing(): boolean {
    return this.#closing !== null;
  }

  kysely(dialect: Dialect, use: SlowQuery['use']): Db {
    const { slowMs, onSlow } = this.#observer;
    const gate: Gate = {
      enter: () => {
        if (use !== 'write') this.assertOutside();
        this.#assertOpen();
        this.#inUse += 1;
      },
      leave: () => {
        this.#inUse -= 1;
        if (this.#inUse === 0) this.#unused?.();
      },
      translate: use === 'write' ? translateError : translateReadError,
      slowMs,
      onSlow: (statement, durationMs) => onSlow({ statement, durationMs, use }),
    };
    return new Kysely<Schema>({ dialect: guardDialect(dialect, gate) });
  }

  /** Settles when the transaction is durable, which the next transaction does not wait for. */
  async transaction<Value>(writer: Db, work: (tx: Tx) => Promise<Value>): Promise<Value> {
    this.assertOutside();
    this.#assertOpen();
    const { result, facts } = await this.#commit(writer, work);
    await this.#waitUntilDurable();
    if (facts.length > 0) this.#observer.onIncidents(facts);
    return result;
  }

  async #commit<Value>(
    writer: Db,
    work: (tx: Tx) => Promise<Value>,
  ): Promise<{ result: Value; facts: readonly IncidentFact[] }> {
    const mark = { running: true };
    try {
      return await writer.transaction().execute((tx) =>
        this.#own.run(mark, async () => {
          const result = await work(tx);
          return { result, facts: notedIncidents(tx) };
        }),
      );
    } finally {
      // Timers and listeners that the work started may use the database from now on.
      mark.running = false;
    }
  }

  async #waitUntilDurable(): Promise<void> {
    if (this.durable === null) return;
    const { slowMs, onSlow } = this.#observer;
    const startedAt = performance.now();
    try {
      await this.durable();
    } finally {
      const durationMs = performance.now() - startedAt;
      if (durationMs >= slowMs) onSlow({ statement: 'write to disk', durationMs, use: 'write' });
    }
  }

  outside(kysely: Db): Db {
    this.assertOutside();
    return kysely;
  }

  /** Throws inside an own transaction: SQLite would wait for itself forever, and Postgres wouldn't see its own writes. */
  assertOutside(): void {
    if (!this.#own.getStore()?.running) return;
    throw new Error(
      'The database was used inside its own transaction: use the `tx` that the transaction was given.',
    );
  }

  #assertOpen(): void {
    if (this.#closing) throw new DatabaseUnavailable('it has been closed');
  }

  /** Refuses new work, and waits for the work in progress. */
  closeOnce(end: () => Promise<void>): () => Promise<void> {
    const close = async () => {
      if (this.#inUse > 0) await new Promise<void>((resolve) => (this.#unused = resolve));
      await end();
    };
    return () => (this.#closing ??= close());
  }
}

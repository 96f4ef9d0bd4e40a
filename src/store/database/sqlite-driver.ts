import {
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
} from 'kysely';
import type { SqliteConnection } from './sqlite-connection.ts';

/**
 * Kysely's dialect of SQLite over a driver of ours. By default Kysely lets the users of its one connection pass one
 * by one; with `ownLock` the driver sees to that.
 */
export function sqliteDialect(createDriver: () => Driver, ownLock = false): Dialect {
  return {
    createDriver,
    createAdapter: () => new TransactionalAdapter(ownLock),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}

/** SQLite's tables are made in transactions as well as rows are: a migration that fails leaves nothing. */
class TransactionalAdapter extends SqliteAdapter {
  readonly #ownLock: boolean;

  constructor(ownLock: boolean) {
    super();
    this.#ownLock = ownLock;
  }

  override get supportsMultipleConnections(): boolean {
    return this.#ownLock;
  }

  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** One connection in this thread. */
export class LocalSqliteDriver implements Driver {
  readonly #connection: SqliteConnection;
  readonly #begin: string;

  /** `begin`: a writer takes the file's lock at once, as it can't get it later without giving up its reads. */
  constructor(connection: SqliteConnection, begin: 'begin immediate' | 'begin') {
    this.#connection = connection;
    this.#begin = begin;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }

  async beginTransaction(): Promise<void> {
    if (this.#connection.raw.isTransaction) this.#connection.run('rollback');
    this.#connection.run(this.#begin);
  }

  async commitTransaction(): Promise<void> {
    this.#connection.run('commit');
  }

  /** A full disk, an I/O error or lack of memory can have rolled back already. */
  async rollbackTransaction(): Promise<void> {
    if (this.#connection.raw.isTransaction) this.#connection.run('rollback');
  }

  async releaseConnection(): Promise<void> {}

  /** The connection was opened before Kysely knew of it, and is closed after (see sqlite.ts). */
  async destroy(): Promise<void> {}
}

/** After this time in a transaction the event loop runs once before the next statement. */
const LONGEST_HOLD_MS = 4;

/**
 * The driver of the connection that writes. Between two statements of a long transaction it lets the event loop run, so
 * that requests are answered meanwhile. The transaction keeps its lock of the file.
 */
export class WriterSqliteDriver extends LocalSqliteDriver {
  readonly #connection: SharingConnection;

  constructor(connection: SqliteConnection) {
    super(connection, 'begin immediate');
    this.#connection = new SharingConnection(connection);
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    this.#connection.heldSince = performance.now();
    return this.#connection;
  }
}

/** A connection that lets the event loop run when its transaction has taken long. */
class SharingConnection implements DatabaseConnection {
  readonly #inner: SqliteConnection;
  /** Since when the event loop has not run for certain, in milliseconds of `performance.now()`. */
  heldSince = 0;

  constructor(inner: SqliteConnection) {
    this.#inner = inner;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (performance.now() - this.heldSince > LONGEST_HOLD_MS) {
      await new Promise<void>((resolve) => void setImmediate(resolve));
      this.heldSince = performance.now();
    }
    return this.#inner.executeQuery<Row>(query);
  }

  streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    return this.#inner.streamQuery<Row>();
  }
}

import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import {
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
} from 'kysely';
import { lowerCase } from './dialect.ts';
import type { PacedConnection } from './guarded-driver.ts';
import { isEachRowQuery } from './prepared-statements.ts';
import type { Db } from './contract.ts';

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

export class LocalSqliteDriver implements Driver {
  readonly #connection: SqliteConnection;
  readonly #begin: string;
  readonly #onCommitted: () => void;

  /**
   * @param begin a writer locks the file at once, as it can't get the lock later without giving up its reads.
   * @param onCommitted called after the commit of a transaction that may have written, before the next one begins.
   */
  constructor(
    connection: SqliteConnection,
    begin: 'begin immediate' | 'begin',
    onCommitted: () => void = () => {},
  ) {
    this.#connection = connection;
    this.#begin = begin;
    this.#onCommitted = onCommitted;
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
    const hasWritten = this.#connection.takeHasWritten();
    this.#connection.run('commit');
    if (hasWritten) this.#onCommitted();
  }

  /** Does nothing when a full disk, an I/O error or lack of memory has already rolled back. */
  async rollbackTransaction(): Promise<void> {
    if (this.#connection.raw.isTransaction) this.#connection.run('rollback');
  }

  async releaseConnection(): Promise<void> {}

  /** Does nothing: sqlite.ts opens and closes the connection. */
  async destroy(): Promise<void> {}
}

/** Maximum time that a transaction blocks the event loop; then it runs before the next statement. */
const MAX_BLOCK_MS = 4;

/**
 * Driver of the writing connection. It lets the event loop run between statements of a long transaction, so that requests
 * are answered meanwhile. The transaction keeps its lock of the file.
 */
export class WriterSqliteDriver extends LocalSqliteDriver {
  readonly #connection: SharingConnection;

  constructor(connection: SqliteConnection, onCommitted: () => void) {
    super(connection, 'begin immediate', onCommitted);
    this.#connection = new SharingConnection(connection);
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    this.#connection.heldSince = performance.now();
    return this.#connection;
  }
}

/** A connection that lets the event loop run during a long transaction. */
class SharingConnection implements PacedConnection {
  readonly #inner: SqliteConnection;
  /** When the event loop last ran for certain, in milliseconds of `performance.now()`. */
  heldSince = 0;

  constructor(inner: SqliteConnection) {
    this.#inner = inner;
  }

  pause(): Promise<void> | null {
    return performance.now() - this.heldSince > MAX_BLOCK_MS ? this.#letOthersRun() : null;
  }

  async #letOthersRun(): Promise<void> {
    await new Promise<void>((resolve) => void setImmediate(resolve));
    this.heldSince = performance.now();
  }

  executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.#inner.executeQuery<Row>(query);
  }

  streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    return this.#inner.streamQuery<Row>();
  }
}

const MAX_STATEMENTS = 500;

interface SqliteFile {
  path: string;
  readOnly: boolean;
  /** Maximum wait for a process that has locked the file. It blocks the thread: keep it short. */
  busyTimeoutMs: number;
  cacheKib: number;
}

/** One connection to a SQLite file in this thread, with its prepared statements. */
export class SqliteConnection implements DatabaseConnection {
  readonly raw: DatabaseSync;
  readonly #statements = new Map<string, PreparedStatement>();
  #hasWritten = false;

  constructor({ path, readOnly, busyTimeoutMs, cacheKib }: SqliteFile) {
    this.raw = new DatabaseSync(path, { readOnly, timeout: busyTimeoutMs });
    this.raw.exec(`pragma cache_size = -${cacheKib}; pragma temp_store = memory`);
    // SQLite's own function knows the case of ASCII only.
    this.raw.function('lower', { deterministic: true }, (text) =>
      text === null ? null : lowerCase(String(text)),
    );
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (!isEachRowQuery(query)) return this.run(query.sql, query.parameters as SQLInputValue[]);
    for (const row of query.rows) this.run(query.sql, row as SQLInputValue[]);
    return { rows: [] };
  }

  run<Row>(text: string, parameters: readonly SQLInputValue[] = []): QueryResult<Row> {
    const { statement, shape, isRead } = this.#prepare(text);
    if (!isRead) this.#hasWritten = true;
    if (shape !== null) {
      const found = statement.all(...parameters) as unknown as unknown[][];
      return { rows: found.map((values) => rowOf(shape, values)) as Row[] };
    }
    const { changes, lastInsertRowid } = statement.run(...parameters);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  /** Whether a statement that may write ran since the last call. */
  takeHasWritten(): boolean {
    const hasWritten = this.#hasWritten;
    this.#hasWritten = false;
    return hasWritten;
  }

  /** Not supported: Postgres would need another package for it. */
  streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('The store does not stream: read in pages by id instead.');
  }

  close(): void {
    this.#statements.clear();
    if (this.raw.isOpen) this.raw.close();
  }

  /** Caches statements, as preparing a small one costs more than running it. */
  #prepare(text: string) {
    const cached = this.#statements.get(text);
    if (cached) return cached;
    const statement = this.raw.prepare(text);
    const prepared = { statement, shape: shapeOf(statement), isRead: READS.test(text) };
    if (prepared.shape !== null) statement.setReturnArrays(true);
    if (this.#statements.size >= MAX_STATEMENTS) {
      const [oldest] = this.#statements.keys();
      this.#statements.delete(oldest!);
    }
    this.#statements.set(text, prepared);
    return prepared;
  }
}

interface PreparedStatement {
  statement: StatementSync;
  /** Null for a statement that returns no rows. */
  shape: RowShape | null;
  isRead: boolean;
}

/** Statements that never write. Others may. */
const READS = /^\s*(select|begin|commit|rollback|savepoint|release)\b/i;

interface RowShape {
  names: string[];
  /** A row without values. Copies of one object share a layout, which makes creating and reading rows twice as fast. */
  empty: Record<string, unknown>;
}

function shapeOf(statement: StatementSync): RowShape | null {
  const names = statement.columns().map(({ name }) => name);
  if (names.length === 0) return null;
  // From JSON: an object built key by key would become a dictionary.
  const empty = JSON.parse(JSON.stringify(Object.fromEntries(names.map((name) => [name, null]))));
  return { names, empty };
}

function rowOf({ names, empty }: RowShape, values: unknown[]): Record<string, unknown> {
  const row = { ...empty };
  for (let index = 0; index < names.length; index += 1) row[names[index]!] = values[index];
  return row;
}

/** Transactions of a driver that only reads. */
export class ReaderTransactions {
  async init(): Promise<void> {}

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin'));
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'));
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('rollback'));
  }
}

/**
 * Reads a database in memory, which has one connection. It is borrowed from the writer, so that a reader waits for other
 * transactions and sees all of them or nothing. While borrowed it refuses to write, as a reader of a file does.
 */
export class MemoryReaderDriver extends ReaderTransactions implements Driver {
  readonly #writer: Db;

  constructor(writer: Db) {
    super();
    this.#writer = writer;
  }

  acquireConnection(): Promise<DatabaseConnection> {
    return new Promise((resolve, reject) => {
      const lend = async (writer: Db) => {
        await writer.executeQuery(CompiledQuery.raw('pragma query_only = on'));
        const returned = Promise.withResolvers<void>();
        resolve(new BorrowedConnection(writer, returned.resolve));
        await returned.promise;
        await writer.executeQuery(CompiledQuery.raw('pragma query_only = off'));
      };
      this.#writer.connection().execute(lend).catch(reject);
    });
  }

  async releaseConnection(connection: BorrowedConnection): Promise<void> {
    connection.giveBack();
  }

  async destroy(): Promise<void> {}
}

class BorrowedConnection implements DatabaseConnection {
  readonly #writer: Db;
  readonly giveBack: () => void;

  constructor(writer: Db, giveBack: () => void) {
    this.#writer = writer;
    this.giveBack = giveBack;
  }

  executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.#writer.executeQuery(query as CompiledQuery<Row>);
  }

  streamQuery(): never {
    throw new Error('The store does not stream: read in pages by id instead.');
  }
}

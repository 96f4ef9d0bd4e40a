import type {
  CompiledQuery,
  DatabaseConnection,
  Dialect,
  Driver,
  QueryResult,
  TransactionSettings,
} from 'kysely';
import { isEachRowQuery } from './prepared-statements.ts';

/** Hooks around each use of a connection. */
export interface Gate {
  /** Throws when a connection must not be taken now. */
  enter(): void;
  leave(): void;
  /** Translates an error of the engine for callers. */
  translate(error: unknown): unknown;
  /** Statements that take this long are reported, milliseconds. */
  slowMs: number;
  onSlow(statement: string, durationMs: number): void;
}

/**
 * Wraps the driver of either engine so that both follow the same rules: errors are translated; a failed statement ends its
 * transaction (as in Postgres), which rejects with that error; parameters have one of the few types that mean the same on
 * both; a query after the end of its transaction is refused.
 */
export function guardDialect(dialect: Dialect, gate: Gate): Dialect {
  return {
    createDriver: () => new GuardedDriver(dialect.createDriver(), gate),
    createAdapter: () => dialect.createAdapter(),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createIntrospector: (db) => dialect.createIntrospector(db),
  };
}

class GuardedDriver implements Driver {
  readonly #inner: Driver;
  readonly #gate: Gate;

  constructor(inner: Driver, gate: Gate) {
    this.#inner = inner;
    this.#gate = gate;
  }

  init(): Promise<void> {
    return this.#inner.init();
  }

  /** Never throws, as Kysely would keep its lock forever: a refused connection throws when it is used. */
  async acquireConnection(): Promise<DatabaseConnection> {
    try {
      this.#gate.enter();
    } catch (error) {
      return new GuardedConnection(this.#gate, NO_CONNECTION, { error });
    }
    try {
      const connection = await translated(this.#gate, this.#inner.acquireConnection());
      return new GuardedConnection(this.#gate, connection, null);
    } catch (error) {
      this.#gate.leave();
      return new GuardedConnection(this.#gate, NO_CONNECTION, { error });
    }
  }

  async releaseConnection(connection: GuardedConnection): Promise<void> {
    connection.released = true;
    if (connection.inner === NO_CONNECTION) return;
    this.#gate.leave();
    await this.#inner.releaseConnection(connection.inner);
  }

  async beginTransaction(connection: GuardedConnection, settings: TransactionSettings) {
    connection.assertUsable();
    await translated(this.#gate, this.#inner.beginTransaction(connection.inner, settings));
    connection.inTransaction = true;
  }

  async commitTransaction(connection: GuardedConnection): Promise<void> {
    connection.assertUsable();
    const startedAt = performance.now();
    const work = this.#inner.commitTransaction(connection.inner);
    const time = timeOf(startedAt);
    await translated(this.#gate, work);
    connection.inTransaction = false;
    reportIfSlow(this.#gate, 'commit', time);
  }

  /** Never throws: the first error is the one to report, and both drivers repair or discard the connection. */
  async rollbackTransaction(connection: GuardedConnection): Promise<void> {
    await this.#inner.rollbackTransaction(connection.inner).catch(() => {});
    connection.inTransaction = false;
    connection.failure = null;
  }

  destroy(): Promise<void> {
    return this.#inner.destroy();
  }
}

/** Stands in for a refused connection, whose failure is thrown before it is used. */
const NO_CONNECTION: DatabaseConnection = {
  executeQuery: () => Promise.reject(new Error('There is no connection.')),
  streamQuery: () => {
    throw new Error('There is no connection.');
  },
};

/** A connection that may have to let others run before the next statement. */
export interface PacedConnection extends DatabaseConnection {
  pause?(): Promise<void> | null;
}

/** A connection from one acquisition to its release. */
class GuardedConnection implements DatabaseConnection {
  readonly #gate: Gate;
  readonly inner: PacedConnection;
  inTransaction = false;
  released = false;
  failure: { error: unknown } | null;

  constructor(gate: Gate, inner: PacedConnection, failure: { error: unknown } | null) {
    this.#gate = gate;
    this.inner = inner;
    this.failure = failure;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    this.assertUsable();
    if (isEachRowQuery(query)) for (const row of query.rows) assertParameters(query.sql, row);
    else assertParameters(query.sql, query.parameters);
    const pause = this.inner.pause?.();
    if (pause) await pause;
    const startedAt = performance.now();
    const work = this.inner.executeQuery<Row>(query);
    const time = timeOf(startedAt);
    try {
      return await this.watch(work);
    } finally {
      reportIfSlow(this.#gate, query.sql, time);
    }
  }

  streamQuery<Row>(query: CompiledQuery, chunk: number): AsyncIterableIterator<QueryResult<Row>> {
    return this.inner.streamQuery<Row>(query, chunk);
  }

  assertUsable(): void {
    if (this.released) {
      throw new Error('This query came after the end of its transaction: await it inside.');
    }
    if (this.failure) throw this.failure.error;
  }

  async watch<Value>(work: Promise<Value>): Promise<Value> {
    try {
      return await translated(this.#gate, work);
    } catch (error) {
      if (this.inTransaction) this.failure ??= { error };
      throw error;
    }
  }
}

/** What a statement took so far, milliseconds. */
interface StatementTime {
  startedAt: number;
  /** Duration of the call itself, in which SQLite does all its work. */
  calledMs: number;
  /** Time that this thread had been idle by then, since its start. */
  idleMs: number;
}

function timeOf(startedAt: number): StatementTime {
  return { startedAt, calledMs: performance.now() - startedAt, idleMs: idleMs() };
}

const idleMs = (): number => performance.eventLoopUtilization().idle;

/**
 * Reports a statement that took long, also one that failed: it may have run into its time limit. Only its call and time in
 * which this thread had nothing else to do count: an answer that waits while a busy process gets to it is no slow query.
 */
function reportIfSlow({ slowMs, onSlow }: Gate, statement: string, time: StatementTime): void {
  if (performance.now() - time.startedAt < slowMs) return;
  const durationMs = time.calledMs + idleMs() - time.idleMs;
  if (durationMs >= slowMs) onSlow(statement, durationMs);
}

async function translated<Value>(gate: Gate, work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    throw gate.translate(error);
  }
}

function assertParameters(sql: string, parameters: readonly unknown[]): void {
  parameters.forEach((value, index) => {
    if (value === null || typeof value === 'string' || typeof value === 'bigint') return;
    if (typeof value === 'number' && Number.isFinite(value)) return;
    if (value instanceof Uint8Array) return;
    const seen =
      value instanceof Date ? 'a Date' : Array.isArray(value) ? 'an array' : typeof value;
    throw new TypeError(
      `Parameter ${index + 1} is ${typeof value === 'number' ? String(value) : seen}; the database takes finite numbers, ` +
        `text, bytes and null (times as milliseconds, booleans as 0 or 1). In: ${sql}`,
    );
  });
}

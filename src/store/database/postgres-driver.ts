import {
  AbortedTransactionError,
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import pg from 'pg';
import {
  isConnectionLost,
  isStatementLost,
  isStatementOutdated,
  COMPLETION_UNKNOWN,
  READ_ONLY,
} from './errors.ts';
import { KeptStatements, type KeepingPolicy } from './kept-statements.ts';
import { Statement, type StatementParts } from './postgres-statement.ts';
import { nameOfQuery } from './prepared-statements.ts';

export interface PoolContext {
  policy: KeepingPolicy;
  kept: WeakMap<pg.PoolClient, KeptStatements>;
  parserOf: StatementParts['parserOf'];
}

/**
 * Lends connections of a pool, which several drivers may share. A transaction begins with its first statement, in the same
 * round trip.
 */
export class PostgresDriver implements Driver {
  readonly #pool: pg.Pool;
  readonly #context: PoolContext;

  constructor(pool: pg.Pool, context: PoolContext) {
    this.#pool = pool;
    this.#context = context;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const client = await this.#pool.connect();
    return new PostgresConnection(client, this.#context);
  }

  async beginTransaction(connection: PostgresConnection, settings: TransactionSettings) {
    if (settings.isolationLevel !== undefined || settings.accessMode !== undefined)
      throw new Error('Transactions have the default isolation level and may write.');
    connection.begin();
  }

  async commitTransaction(connection: PostgresConnection): Promise<void> {
    await connection.commit();
  }

  async rollbackTransaction(connection: PostgresConnection): Promise<void> {
    await connection.rollback();
  }

  async releaseConnection(connection: PostgresConnection): Promise<void> {
    connection.release();
  }

  /** Does nothing: closing the engine ends the pool. */
  async destroy(): Promise<void> {}
}

/** A connection for one use. When it is lost, it fails at once and does not return to the pool. */
class PostgresConnection implements DatabaseConnection {
  readonly #client: pg.PoolClient;
  readonly #context: PoolContext;
  readonly #kept: KeptStatements;
  #lost: { error: unknown } | null = null;
  #isDiscarded = false;
  #transaction: 'none' | 'begins' | 'open' = 'none';

  constructor(client: pg.PoolClient, context: PoolContext) {
    this.#client = client;
    this.#context = context;
    let kept = context.kept.get(client);
    if (kept === undefined) context.kept.set(client, (kept = new KeptStatements()));
    this.#kept = kept;
  }

  begin(): void {
    this.#transaction = 'begins';
  }

  async commit(): Promise<void> {
    const isOpen = this.#endTransaction();
    if (!isOpen) return;
    const { command } = await this.#watch(() => this.#client.query('commit'));
    // The server rolls back what an error has aborted.
    if (command === 'ROLLBACK') throw new AbortedTransactionError();
    if (this.#client instanceof PostgresClient) this.#client.assertReplicated();
  }

  async rollback(): Promise<void> {
    const isOpen = this.#endTransaction();
    if (!isOpen) return;
    try {
      await this.#watch(() => this.#client.query('rollback'));
    } catch (error) {
      this.#isDiscarded = true;
      throw error;
    }
  }

  #endTransaction(): boolean {
    const isOpen = this.#transaction === 'open';
    this.#transaction = 'none';
    return isOpen;
  }

  executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.#watch(async () => {
      const name = this.#context.policy.isOn ? nameOfQuery(query) : null;
      const result =
        name === null
          ? await this.#sendUnnamed(query, this.#takeBegin())
          : await this.#sendNamed(query, name);
      return result as QueryResult<Row>;
    });
  }

  /** Whether the next statement begins the transaction. */
  #takeBegin(): boolean {
    const begins = this.#transaction === 'begins';
    if (begins) this.#transaction = 'open';
    return begins;
  }

  async #sendUnnamed(query: CompiledQuery, begins: boolean): Promise<QueryResult<unknown>> {
    const { sql: text, parameters: values } = query;
    if (values.length > 0) return resultOf(await this.#send({ text, values, begins }));
    // Without parameters it may be several statements, for which there is another kind of message.
    if (begins) await this.#client.query('begin');
    const { command, rowCount, rows } = await this.#client.query(text);
    return { ...affected(command, rowCount), rows: rows ?? [] };
  }

  async #sendNamed(query: CompiledQuery, name: string): Promise<QueryResult<unknown>> {
    const { policy } = this.#context;
    const begins = this.#takeBegin();
    const isAlone = begins || this.#transaction === 'none';
    if (!isAlone && !policy.isTrusted) return this.#sendUnnamed(query, begins);
    policy.noteUse();
    try {
      return await this.#prepareAndSend(query, name, begins);
    } catch (error) {
      if (!isStatementLost(error)) throw error;
      this.#kept.forgetAll();
      if (isStatementOutdated(error)) policy.noteChange(performance.now());
      else policy.noteLoss();
      if (!isAlone) throw error;
      // Nothing of it was done: once more.
      if (begins) await this.#client.query('rollback');
      if (!policy.isOn) return this.#sendUnnamed(query, begins);
      return this.#prepareAndSend(query, name, begins);
    }
  }

  async #prepareAndSend(query: CompiledQuery, name: string, begins: boolean) {
    const now = performance.now();
    const known = this.#kept.use(name, now, this.#context.policy.changedAt);
    const discarded = known === null ? this.#kept.makeRoomFor(name) : [];
    const { sql: text, parameters: values } = query;
    const sent = await this.#send({ text, values, name, known, begins, discarded });
    if (known === null) this.#kept.keep(name, sent.fields, now);
    else this.#context.policy.noteHeld();
    return resultOf(sent);
  }

  #send(parts: Pick<StatementParts, 'text' | 'values' | 'begins'> & Partial<StatementParts>) {
    const unnamed = { name: '', known: null, discarded: [], parserOf: this.#context.parserOf };
    return this.#client.query(new Statement({ ...unnamed, ...parts })).result;
  }

  async #watch<Value>(work: () => Promise<Value>): Promise<Value> {
    if (this.#isDiscarded) throw new Error('The connection was discarded.');
    if (this.#lost !== null) throw this.#lost.error;
    try {
      return await work();
    } catch (error) {
      if (isConnectionLost(error)) this.#lost = { error };
      // Leads to the caller instead of to the socket.
      if (error instanceof Error) Error.captureStackTrace(error);
      throw error;
    }
  }

  release(): void {
    // A frozen server would never acknowledge a regular close.
    if (this.#lost !== null) this.#client.connection.stream.destroy();
    this.#client.release(this.#isDiscarded || this.#lost !== null);
  }

  streamQuery(): AsyncIterableIterator<never> {
    throw new Error('Results are not streamed.');
  }
}

const COMMAND = /^([A-Z]+).*?(\d+)?$/;

function resultOf({ tag, rows }: { tag: string; rows: unknown[] }): QueryResult<unknown> {
  const [, command, count] = COMMAND.exec(tag) ?? [];
  return { ...affected(command, Number(count ?? 0)), rows };
}

const WRITES = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

function affected(command: string | undefined, count: number | null) {
  return command !== undefined && WRITES.has(command)
    ? { numAffectedRows: BigInt(count ?? 0) }
    : {};
}

/**
 * A connection that handles notices and parameters of a replicated Postgres. The pool creates it, and calls
 * `assertPrimary` when it is connected.
 */
export class PostgresClient extends pg.Client {
  #isStandby = false;
  #isUnreplicated = false;

  constructor(config?: string | pg.ClientConfig) {
    super(config);
    this.connection.on(
      'parameterStatus',
      (status: { parameterName: string; parameterValue: string }) => {
        if (status.parameterName === 'in_hot_standby')
          this.#isStandby = status.parameterValue === 'on';
      },
    );
    this.on('notice', ({ routine }) => {
      if (routine === SYNCHRONOUS_WAIT) this.#isUnreplicated = true;
    });
  }

  /** @throws if the server is a standby: it takes no writes, and what it answers may be outdated. */
  assertPrimary(): void {
    if (this.#isStandby) throw failure(READ_ONLY, 'the server is a standby');
  }

  /**
   * Called after a commit. With synchronous replication, the server acknowledges one whose wait for the standby was ended by
   * the time limit of statements, with a warning: it would be lost in a failover.
   *
   * @throws if that has happened since the last call.
   */
  assertReplicated(): void {
    if (!this.#isUnreplicated) return;
    this.#isUnreplicated = false;
    throw failure(COMPLETION_UNKNOWN, 'no synchronous standby acknowledged the commit in time');
  }
}

/** The function of the server that warns (`src/backend/replication/syncrep.c`). The text of the warning is translated. */
const SYNCHRONOUS_WAIT = 'SyncRepWaitForLSN';

const failure = (code: string, reason: string) => Object.assign(new Error(reason), { code });

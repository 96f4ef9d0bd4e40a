import { DefaultQueryExecutor, Kysely, SqliteAdapter, SqliteQueryCompiler } from 'kysely';
import type {
  CompiledQuery,
  KyselyPlugin,
  OperationNode,
  QueryId,
  QueryResult,
  RootOperationNode,
  Transaction,
} from 'kysely';
import type { Database, Schema } from '../../src/store/database/contract.ts';
import { DatabaseUnavailable } from '../../src/store/database/errors.ts';
import { Killed, never } from './process-instance.ts';
import type { ProcessInstance } from './process-instance.ts';
import { readerDialect } from '../support/reader-dialect.ts';
import type { WorldDatabase } from './world-database.ts';

/** Faults of the database that are active now. */
export interface DatabaseFaults {
  isRefusing(): boolean;
  /** Waits as long as a slow database takes before it begins. */
  delay(): Promise<void>;
  /** Whether the connection breaks after this commit, so that its outcome is unknown to the caller. */
  losesAnswer(): boolean;
}

export interface CrashableDatabaseOptions {
  real: Database;
  /** Reads outside of transactions. */
  read: WorldDatabase['read'];
  instance: ProcessInstance;
  faults: DatabaseFaults;
  /** Number of transaction starts and ends so far, of all instances. */
  writes(): number;
  now(): number;
  /** Reads what a transaction is about to commit; the result goes to `committed` once it did. */
  observe(tx: Transaction<Schema>, statements: readonly Statement[]): Promise<Snapshot>;
  committed(snapshot: Snapshot): void;
  /** Whether every writing transaction is observed and its statements are kept. */
  isRecorded?: boolean;
}

export interface Statement {
  sql: string;
  parameters: readonly unknown[];
}

export type Snapshot = object;

/**
 * The database as one process instance uses it. After the instance was killed, nothing settles and open transactions
 * roll back. While the database refuses, every call throws DatabaseUnavailable, also within a transaction.
 */
export function crashableDatabase(options: CrashableDatabaseOptions): Database {
  const { real, instance, faults, now, observe, committed } = options;
  const reads = crashableReader(options);

  async function transaction<T>(work: (tx: Transaction<Schema>) => Promise<T>): Promise<T> {
    await faults.delay();
    instance.crashPoint();
    if (instance.frozen()) await instance.frozen();
    if (!instance.isAlive()) return never();
    refuseMaybe(faults);
    let value: T;
    let snapshot: Snapshot | null = null;
    try {
      value = await real.transaction(async (tx) => {
        const steps = stepsOf(instance, faults, options.isRecorded ? tx : null);
        const done = await work(withSteps(tx, steps, instance, faults));
        stepInside(instance, faults);
        if (steps.changesState) snapshot = await observe(tx, steps.statements);
        return done;
      });
    } catch (error) {
      if (instance.frozen()) await instance.frozen();
      if (!instance.isAlive()) return never();
      throw error;
    }
    if (snapshot) committed(snapshot);
    instance.crashPoint();
    if (instance.frozen()) await instance.frozen();
    if (!instance.isAlive()) return never();
    if (faults.losesAnswer())
      throw new DatabaseUnavailable('the connection was lost while it committed');
    return value;
  }

  return {
    engine: real.engine,
    isShared: real.isShared,
    get read() {
      void real.read; // Throws inside the caller's own transaction.
      return reads;
    },
    get scan() {
      void real.read;
      return reads;
    },
    transaction,
    async now() {
      instance.crashPoint();
      if (!instance.isAlive()) return never();
      refuseMaybe(faults);
      return now();
    },
    close: async () => undefined,
  };
}

function refuseMaybe(faults: DatabaseFaults): void {
  if (faults.isRefusing()) throw new DatabaseUnavailable('the simulation refuses');
}

/** A step within a transaction. It throws after a kill: a promise that never settles would keep the one connection. */
function stepInside(instance: ProcessInstance, faults: DatabaseFaults): void {
  instance.crashPoint();
  if (!instance.isAlive()) throw new Killed();
  refuseMaybe(faults);
}

/** Adds a crash point before each statement. Precompiled statements bypass plugins. */
function withSteps(
  tx: Transaction<Schema>,
  steps: ReturnType<typeof stepsOf>,
  instance: ProcessInstance,
  faults: DatabaseFaults,
): Transaction<Schema> {
  const stepping = tx.withPlugin(steps);
  const executeQuery = stepping.executeQuery.bind(stepping);
  stepping.executeQuery = <Row>(query: CompiledQuery<Row>) => {
    stepInside(instance, faults);
    steps.statements.push({ sql: query.sql, parameters: query.parameters });
    steps.changesState ||= STATE.test(query.sql);
    return executeQuery(query);
  };
  return stepping;
}

/**
 * Creates a Kysely plugin with a crash point before and after each statement. It keeps the statements of a `recorded`
 * transaction.
 */
function stepsOf(
  instance: ProcessInstance,
  faults: DatabaseFaults,
  recorded: Transaction<Schema> | null,
): KyselyPlugin & { changesState: boolean; statements: Statement[] } {
  const steps = {
    changesState: false,
    statements: [] as Statement[],
    transformQuery({ node, queryId }: { node: RootOperationNode; queryId: QueryId }) {
      stepInside(instance, faults);
      if (recorded) {
        const { sql, parameters } = recorded.getExecutor().compileQuery(node, queryId);
        steps.statements.push({ sql, parameters });
        steps.changesState ||= !/^\s*select/.test(sql);
      } else steps.changesState ||= isOfState(node);
      return node;
    },
    async transformResult<Result>({ result }: { result: Result }) {
      stepInside(instance, faults);
      return result;
    },
  };
  return steps;
}

/** Whether the statement may change rows that the rules check. */
function isOfState(node: RootOperationNode): boolean {
  if (node.kind === 'SelectQueryNode') return false;
  return STATE.test(
    node.kind === 'RawNode' ? node.sqlFragments.join(' ') : JSON.stringify(targetOf(node)),
  );
}

/** The part of a statement that names its table; the whole statement if it contains others. */
function targetOf(node: RootOperationNode): OperationNode | undefined {
  if ('with' in node && node.with) return node;
  if (node.kind === 'InsertQueryNode') return node.into;
  if (node.kind === 'UpdateQueryNode') return node.table;
  if (node.kind === 'DeleteQueryNode') return node.from;
  return node;
}

const STATE = /monitor_state|incident|status_span/;

/**
 * Reads of one process instance. Results are cached until the next write, since most reads are polls that find nothing
 * new.
 */
function crashableReader(options: CrashableDatabaseOptions): Kysely<Schema> {
  const { instance, faults, writes } = options;
  const answers = new Map<string, QueryResult<unknown>>();
  let answeredAt = -1;
  const ask = async <Row>(query: CompiledQuery): Promise<QueryResult<Row>> => {
    if (answeredAt !== writes()) answers.clear();
    answeredAt = writes();
    const question =
      query.parameters.length > 0 ? `${query.sql} ${JSON.stringify(query.parameters)}` : query.sql;
    let answer = answers.get(question) as QueryResult<Row> | undefined;
    if (!answer) {
      const asked = answeredAt;
      answer = await options.read<Row>(query as CompiledQuery<Row>);
      answer.rows.forEach((row) => Object.freeze(row));
      if (asked === writes()) answers.set(question, answer);
    }
    return { ...answer, rows: [...answer.rows] };
  };
  const read = async <Row>(query: CompiledQuery): Promise<QueryResult<Row>> => {
    instance.crashPoint();
    if (!instance.isAlive()) return never();
    refuseMaybe(faults);
    const result = await ask<Row>(query);
    instance.crashPoint();
    if (instance.frozen()) await instance.frozen();
    return instance.isAlive() ? result : never();
  };
  const dialect = readerDialect({
    executeQuery: read,
    streamQuery: () => {
      throw new Error('The store does not stream.');
    },
  });
  return new Kysely<Schema>({
    config: { dialect },
    dialect,
    driver: dialect.createDriver(),
    executor: new DirectExecutor(read),
  });
}

/** Skips the connection handling of Kysely, which is a third of the cost of each read. */
class DirectExecutor extends DefaultQueryExecutor {
  readonly #read: <Row>(query: CompiledQuery) => Promise<QueryResult<Row>>;

  constructor(read: <Row>(query: CompiledQuery) => Promise<QueryResult<Row>>) {
    super(new SqliteQueryCompiler(), new SqliteAdapter(), {
      provideConnection: () => {
        throw new Error('Reads use no connection.');
      },
    });
    this.#read = read;
  }

  override executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.#read<Row>(query);
  }
}

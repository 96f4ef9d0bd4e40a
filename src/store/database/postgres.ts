import { PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, type Dialect } from 'kysely';
import pg from 'pg';
import { KeepingPolicy } from './kept-statements.ts';
import { NO_OBSERVER, type DatabaseObserver } from './observer.ts';
import { PostgresClient, PostgresDriver, type PoolContext } from './postgres-driver.ts';

export interface PostgresOptions {
  engine: 'postgres';
  /** Address as in libpq: `postgres://user:password@host:port/database?sslmode=require`. */
  url: string;
  /** Connections for reads and transactions; scans have two more. */
  poolSize?: number;
  /** Whether connections keep frequent statements parsed and planned: a pooler must know prepared statements. By default they do. */
  preparesStatements?: boolean;
  timeouts?: Partial<PostgresTimeouts>;
}

/** Maximum times, milliseconds. */
export interface PostgresTimeouts {
  /** For a new connection, or for a free one of the pool. */
  connect: number;
  /** Scans may take twelve times as long. */
  statement: number;
  /** For a statement to wait for a locked row. */
  lock: number;
  /** For a transaction to be idle, so that a frozen process does not keep rows locked. */
  idleTransaction: number;
}

export type PostgresEngine = ReturnType<typeof openPostgres>;

const DEFAULT_TIMEOUTS: PostgresTimeouts = {
  connect: 3_000,
  statement: 5_000,
  lock: 2_000,
  // Shorter than a lease of shards, so that those that a frozen process was renewing can be taken when it ends.
  idleTransaction: 5_000,
};

export function openPostgres(
  options: PostgresOptions,
  observer: Pick<DatabaseObserver, 'onStatementsLost'> = NO_OBSERVER,
) {
  const { url, poolSize = 10, preparesStatements = true, timeouts } = options;
  const limits = { ...DEFAULT_TIMEOUTS, ...timeouts };
  const scanLimits = { ...limits, statement: limits.statement * 12 };
  const main = openPool(url, poolSize, limits);
  const scan = openPool(url, 2, scanLimits);
  const migration = openPool(url, 1, { connect: limits.connect });
  return {
    main: dialect(main, preparesStatements, observer),
    scanner: dialect(scan, preparesStatements, observer),
    /** Has no timeout for statements, as building an index over a big table takes long. */
    migrator: dialect(migration, false, observer),
    close: async () => void (await Promise.all([main.end(), scan.end(), migration.end()])),
  };
}

/** Time that the client waits beyond the server's own timeout: then the server or the network is frozen. */
const FROZEN_MARGIN_MS = 1_000;

/** Without other timeouts than `connect`, statements may take any time. */
function openPool(
  url: string,
  max: number,
  limits: PostgresTimeouts | Pick<PostgresTimeouts, 'connect'>,
): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: limits.connect,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    application_name: 'tocsin',
    types: { getTypeParser: typeParser },
    Client: PostgresClient,
    onConnect: (client) => (client as PostgresClient).assertPrimary(),
    ...('statement' in limits && {
      statement_timeout: limits.statement,
      lock_timeout: limits.lock,
      query_timeout: limits.statement + FROZEN_MARGIN_MS,
      idle_in_transaction_session_timeout: limits.idleTransaction,
    }),
  });
  // Without listeners, a lost connection would end the process. The pool discards it by itself.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

const INT8 = 20;
const NUMERIC = 1700;

/** Parses integers and sums (numeric) as numbers, as SQLite does: they stay below 2^53. */
const typeParser: typeof pg.types.getTypeParser = (id: number, format?: 'text' | 'binary') =>
  id === INT8 || id === NUMERIC
    ? Number
    : (pg.types.getTypeParser as (id: number, format?: string) => unknown)(id, format);

/** Several Kysely instances may share a dialect, and with it the pool. */
function dialect(
  pool: pg.Pool,
  preparesStatements: boolean,
  observer: Pick<DatabaseObserver, 'onStatementsLost'>,
): Dialect {
  const context: PoolContext = {
    policy: new KeepingPolicy(preparesStatements, () => observer.onStatementsLost()),
    kept: new WeakMap(),
    parserOf: (type) => typeParser(type, 'text'),
  };
  return {
    createDriver: () => new PostgresDriver(pool, context),
    createAdapter: () => new PostgresAdapter(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: (db) => new PostgresIntrospector(db),
  };
}

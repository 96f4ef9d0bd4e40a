import { PostgresDialect, type Dialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { isConnectionLost } from './errors.ts';

export interface PostgresOptions {
  engine: 'postgres';
  /** As in libpq: `postgres://user:password@host:port/database?sslmode=require`. */
  url: string;
  /** Connections for reads and transactions; scans have two more. */
  poolSize?: number;
  timeouts?: Partial<PostgresTimeouts>;
}

export interface PostgresTimeouts {
  /** Milliseconds until a new connection, or the wait for a free one, is given up. */
  connect: number;
  /** Milliseconds for one statement; scans may take twelve times as long. */
  statement: number;
  /** Milliseconds that a statement waits for a row that another session holds. */
  lock: number;
}

export interface PostgresEngine {
  /** Reads and writes. */
  main: Dialect;
  scanner: Dialect;
  /** Without a limit on statements: an index over a big table takes its time. */
  migrator: Dialect;
  close(): Promise<void>;
}

const DEFAULT_TIMEOUTS: PostgresTimeouts = { connect: 3_000, statement: 5_000, lock: 2_000 };

export function openPostgres({ url, poolSize = 10, timeouts }: PostgresOptions): PostgresEngine {
  const { connect, statement, lock } = { ...DEFAULT_TIMEOUTS, ...timeouts };
  const open = (max: number, statementMs: number) =>
    openPool({ url, max, connect, statementMs, lockMs: lock });
  const main = open(poolSize, statement);
  const scan = open(2, statement * 12);
  const migration = open(1, 0);
  return {
    main: dialect(main),
    scanner: dialect(scan),
    migrator: dialect(migration),
    close: async () => void (await Promise.all([main.end(), scan.end(), migration.end()])),
  };
}

/** How long the client waits beyond the server's own limit: then the server, or the way to it, is frozen. */
const FROZEN_MARGIN_MS = 1_000;

/** A process that was frozen inside a transaction must not hold its rows against the others. */
const IDLE_IN_TRANSACTION_MS = 15_000;

interface PoolOptions {
  url: string;
  max: number;
  connect: number;
  /** 0 for no limit. */
  statementMs: number;
  lockMs: number;
}

function openPool({ url, max, connect, statementMs, lockMs }: PoolOptions): pg.Pool {
  const limits =
    statementMs === 0
      ? {}
      : {
          statement_timeout: statementMs,
          lock_timeout: lockMs,
          query_timeout: statementMs + FROZEN_MARGIN_MS,
          idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
        };
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: connect,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    application_name: 'tocsin',
    types: { getTypeParser: typeParser },
    ...limits,
  });
  // Without listeners, the loss of a connection would end the process. The pool discards it by itself.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

const INT8 = 20;
const NUMERIC = 1700;

/** Our integers stay below 2^53, and sums of them come as numeric: all are numbers, as in SQLite. */
const typeParser: typeof pg.types.getTypeParser = (id: number, format?: 'text' | 'binary') =>
  id === INT8 || id === NUMERIC
    ? Number
    : (pg.types.getTypeParser as (id: number, format?: string) => unknown)(id, format);

function dialect(pool: pg.Pool): Dialect {
  const lending: PostgresPool = {
    options: pool.options,
    connect: async () => lend(await pool.connect()),
    // Several Kyselys share a pool; the engine's close ends it.
    end: async () => {},
  };
  return new PostgresDialect({ pool: lending });
}

/** A client for one use; when its connection turns out to be lost, it answers at once and doesn't return to the pool. */
function lend(client: pg.PoolClient): PostgresPoolClient {
  let lost: unknown = null;
  const query = async (text: string, parameters: readonly unknown[]): Promise<unknown> => {
    if (lost !== null) throw lost;
    try {
      return await client.query(text, parameters as unknown[]);
    } catch (error) {
      if (isConnectionLost(error)) lost = error;
      throw error;
    }
  };
  return {
    query: query as never, // Kysely's type also wants cursors, which we do not use.
    release: (discard = false) => {
      // A frozen server would never answer a polite goodbye.
      if (lost !== null) client.connection.stream.destroy();
      client.release(discard || lost !== null);
    },
  };
}

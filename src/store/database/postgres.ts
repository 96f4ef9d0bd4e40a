import { PostgresDialect, type Dialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { isConnectionLost } from './errors.ts';

export interface PostgresOptions {
  engine: 'postgres';
  /** Address as in libpq: `postgres://user:password@host:port/database?sslmode=require`. */
  url: string;
  /** Connections for reads and transactions; scans have two more. */
  poolSize?: number;
  timeouts?: Partial<PostgresTimeouts>;
}

export interface PostgresTimeouts {
  /** Maximum time for a new connection, or for a free one of the pool, milliseconds. */
  connect: number;
  /** Maximum time of a statement, milliseconds; scans may take twelve times as long. */
  statement: number;
  /** Maximum time that a statement waits for a locked row, milliseconds. */
  lock: number;
  /** Maximum time that a transaction is idle, milliseconds, so that a frozen process does not keep rows locked. */
  idleTransaction: number;
}

export interface PostgresEngine {
  /** Reads and writes. */
  main: Dialect;
  scanner: Dialect;
  /** Has no timeout for statements, as building an index over a big table takes long. */
  migrator: Dialect;
  close(): Promise<void>;
}

const DEFAULT_TIMEOUTS: PostgresTimeouts = {
  connect: 3_000,
  statement: 5_000,
  lock: 2_000,
  idleTransaction: 15_000,
};

export function openPostgres({ url, poolSize = 10, timeouts }: PostgresOptions): PostgresEngine {
  const limits = { ...DEFAULT_TIMEOUTS, ...timeouts };
  const scanLimits = { ...limits, statement: limits.statement * 12 };
  const main = openPool(url, poolSize, limits);
  const scan = openPool(url, 2, scanLimits);
  const migration = openPool(url, 1, { connect: limits.connect });
  return {
    main: dialect(main),
    scanner: dialect(scan),
    migrator: dialect(migration),
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

function dialect(pool: pg.Pool): Dialect {
  const lending: PostgresPool = {
    options: pool.options,
    connect: async () => lend(await pool.connect()),
    // Several Kysely instances share a pool; closing the engine ends it.
    end: async () => {},
  };
  return new PostgresDialect({ pool: lending });
}

/** Lends a client for one use. When its connection is lost, it fails at once and does not return to the pool. */
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
      // A frozen server would never acknowledge a regular close.
      if (lost !== null) client.connection.stream.destroy();
      client.release(discard || lost !== null);
    },
  };
}

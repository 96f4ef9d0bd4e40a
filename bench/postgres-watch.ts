import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { systemClock } from '../src/lib/clock.ts';
import { createPoller } from '../src/lib/poller.ts';
import { family, processStat } from './process.ts';
import { RunningTotals } from './running-totals.ts';
import { watchSocketBytes } from './socket-bytes.ts';

/** Looks into a Postgres server that a benchmark has started, while processes use it. */
export interface PostgresWatch {
  /** Whether statements are counted: `pg_stat_statements` is there. */
  countsStatements: boolean;
  /** Counters since the start of the server by name, `postgres.…`; CPU in seconds. What its release does not count is left out. */
  counters(): Promise<Record<string, number>>;
  /** Connections by the user that opened them. */
  connections(): Promise<Record<string, number>>;
  /** Forgets what statements have cost. */
  resetStatements(): Promise<void>;
  /** Statements since then, the most expensive first; none without the extension. */
  statements(): Promise<StatementCost[]>;
  /** Runs a statement on the database. */
  execute(statement: string): Promise<void>;
  rows<Row extends pg.QueryResultRow>(query: string): Promise<Row[]>;
  stop(): Promise<void>;
}

/** What one statement cost all connections of a user. */
export interface StatementCost {
  user: string;
  text: string;
  calls: number;
  rows: number;
  /** Milliseconds of planning and execution; waiting for rows, the disk and processors included. */
  ms: number;
  walBytes: number;
}

/** User of the watch itself: what it costs does not count. */
const OBSERVER = 'tocsin';
const EVERY_MS = 1_000;
/** Titles of the server's own processes. */
const PARTS =
  /^postgres: (checkpointer|walwriter|background writer|autovacuum|logical replication)/;
const CONNECTION = /^postgres: (\S+) \S+ \S+/;

/** Columns that are not in every release are read from the row as JSON: null where there is none. */
const COUNTERS = `select
  xact_commit::float8 as commits, blks_read::float8 as blocks_read, blks_hit::float8 as blocks_hit,
  tup_inserted::float8 as rows_inserted, tup_updated::float8 as rows_updated, tup_deleted::float8 as rows_deleted,
  pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as wal_bytes,
  (select wal_records from pg_stat_wal)::float8 as wal_records,
  (select wal_fpi from pg_stat_wal)::float8 as wal_full_pages,
  (select to_jsonb(pg_stat_wal) ->> 'wal_sync' from pg_stat_wal)::float8 as wal_syncs,
  pg_database_size(current_database())::float8 as bytes,
  (select coalesce(sum(pg_total_relation_size(oid)), 0) from pg_class
    where relkind = 'r' and relname ~ '^(round|failure)_[0-9]{8}$')::float8 as result_bytes
  from pg_stat_database where datname = current_database()`;

const STATEMENTS = `select usename as user, query as text, calls::float8 as calls, rows::float8 as rows,
    total_plan_time + total_exec_time as ms, wal_bytes::float8 as "walBytes"
  from pg_stat_statements join pg_user on usesysid = userid
  where dbid = (select oid from pg_database where datname = current_database()) and usename <> '${OBSERVER}'
  order by ms desc`;

/** @param url of the database as its owner, @param pid of the server's main process. */
export async function watchPostgres(url: string, pid: number): Promise<PostgresWatch> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  const hasStatements = await client
    .query('create extension if not exists pg_stat_statements')
    .then(() => client.query('select pg_stat_statements_reset()'))
    .then(
      () => true,
      () => false,
    );
  const cpu = watchCpu(pid);
  const sockets = watchSocketBytes(Number(new URL(url).port));
  const watching = createPoller({
    run: async () => void (await Promise.all([cpu.read(), sockets.read()])),
    clock: systemClock,
    intervalMs: EVERY_MS,
    isUnavailable: () => true,
    onFailure: () => {},
  });
  watching.start();
  const rows = async <Row extends pg.QueryResultRow>(query: string) =>
    (await client.query<Row>(query)).rows;
  return {
    countsStatements: hasStatements,
    async counters() {
      const counters: Record<string, number> = {};
      const put = (name: string, value: number) => {
        counters[`postgres.${name}`] = value;
      };
      const [found] = await rows<Record<string, number | null>>(COUNTERS);
      for (const [name, value] of Object.entries(found!)) if (value !== null) put(name, value);
      for (const [part, seconds] of await cpu.read()) put(`cpu.${part}`, seconds);
      const { received, sent } = await sockets.read();
      put('bytes_received', received);
      put('bytes_sent', sent);
      if (hasStatements) {
        const used = await rows<{ user: string; calls: number }>(
          `select "user", sum(calls) as calls from (${STATEMENTS}) as each group by 1`,
        );
        for (const { user, calls } of used) put(`statements.${user}`, Number(calls));
      }
      return counters;
    },
    async connections() {
      const found = await rows<{ user: string; count: string }>(
        `select usename as user, count(*) from pg_stat_activity
          where datname = current_database() and usename <> '${OBSERVER}' group by 1`,
      );
      return Object.fromEntries(found.map(({ user, count }) => [user, Number(count)]));
    },
    async resetStatements() {
      if (hasStatements) await client.query('select pg_stat_statements_reset()');
    },
    statements: async () =>
      hasStatements ? rows<StatementCost & pg.QueryResultRow>(STATEMENTS) : [],
    execute: async (statement) => void (await client.query(statement)),
    rows,
    async stop() {
      await watching.stop();
      await client.end().catch(() => {});
    },
  };
}

/** CPU seconds of the server by the user of a connection, or by the server's own process. */
function watchCpu(pid: number): { read(): Promise<Map<string, number>> } {
  const totals = new RunningTotals();
  return {
    async read() {
      for (const one of await family(pid)) {
        const stat = await processStat(one).catch(() => null);
        const title = await readFile(`/proc/${one}/cmdline`, 'utf8').catch(() => '');
        if (stat === null) continue;
        const part = one === pid ? 'main process' : partOf(title);
        totals.set(`${one} ${stat.startedAt}`, part, stat.cpuSeconds);
      }
      const sums = totals.sums();
      sums.delete(OBSERVER);
      return sums;
    },
  };
}

/** Null while a process starts or ends, when it has no title of its own. */
function partOf(title: string): string | null {
  return PARTS.exec(title)?.[1] ?? CONNECTION.exec(title)?.[1] ?? null;
}

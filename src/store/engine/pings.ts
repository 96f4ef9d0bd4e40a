import { CompiledQuery, sql } from 'kysely';
import type { RecordedPing, PingKind } from '../../model/heartbeat.ts';
import { engineOf, idList, rowTable } from '../database/dialect.ts';
import type { Database, Schema, Tx } from '../database/contract.ts';
import { prepareInsert, inBatch } from '../database/rows.ts';

const COLUMNS = {
  monitor_id: 'integer',
  number: 'integer',
  at: 'integer',
  kind: 'text',
  run_id: 'text',
  exit_code: 'integer',
  duration_ms: 'integer',
  source_address: 'text',
  user_agent: 'text',
  body: 'text',
  is_body_cut: 'integer',
} as const;

/** What is stored of pings. */
export function pingChanges(tx: Tx) {
  return {
    /** Inserts any number of pings. Their numbers come from the states that the transaction has locked. */
    async insert(pings: readonly RecordedPing[]) {
      if (engineOf(tx) === 'sqlite') return await insertInParts(tx, pings);
      // One statement: a round trip for each part would cost more than parsing JSON.
      await insertAll(tx, pings.map(columnsOf));
    },

    /** Deletes single pings by key, so that no engine scans the whole table. */
    async delete(pings: readonly { monitorId: number; number: number }[]) {
      if (pings.length === 0) return;
      const keys = pings.map(({ monitorId, number }) => [monitorId, number]);
      const gone = rowTable(tx, keys, { monitor_id: 'integer', number: 'integer' });
      await sql`delete from ping
    where (monitor_id, number) in (select monitor_id, number from ${gone} as gone)`.execute(tx);
    },

    /** Deletes a batch of one monitor's pings, the oldest first. @returns how many. */
    async deleteOf(monitorId: number, count: number) {
      const slice = tx
        .selectFrom('ping')
        .select('number')
        .where('monitor_id', '=', monitorId)
        .orderBy('number')
        .limit(count);
      const { numDeletedRows } = await tx
        .deleteFrom('ping')
        .where('monitor_id', '=', monitorId)
        .where(inBatch('number', slice))
        .executeTakeFirstOrThrow();
      return numDeletedRows;
    },
  };
}

const insertAll = prepareInsert('ping', COLUMNS);

const PART = 16;
/** Statements by the number of rows: few texts, so that they stay prepared. */
const PART_INSERTS = Array.from({ length: PART + 1 }, (_, rows) => {
  const row = `(${Object.keys(COLUMNS)
    .map(() => '?')
    .join(', ')})`;
  return `insert into ping (${Object.keys(COLUMNS).join(', ')}) values ${Array.from({ length: rows }, () => row).join(', ')}`;
});

/** Inserts values, which costs SQLite half the time of JSON. */
async function insertInParts(tx: Tx, pings: readonly RecordedPing[]) {
  for (let from = 0; from < pings.length; from += PART) {
    const part = pings.slice(from, from + PART);
    const query = CompiledQuery.raw(PART_INSERTS[part.length]!, part.flatMap(columnsOf));
    await tx.executeQuery(query);
  }
}

function columnsOf(ping: RecordedPing): unknown[] {
  return [
    ping.monitorId,
    ping.number,
    ping.at,
    ping.kind,
    ping.runId,
    ping.exitCode,
    ping.durationMs,
    ping.sourceAddress,
    ping.userAgent,
    ping.body,
    ping.isBodyCut ? 1 : 0,
  ];
}

/** Number of a monitor's newest pings that are kept and shown. */
export const PINGS_KEPT = 1_000;

export interface PingsQuery {
  kind?: PingKind | undefined;
  /** Received in `[from, to)`, epoch milliseconds; open at an end that is not given. */
  from?: number | undefined;
  to?: number | undefined;
  offset: number;
  limit: number;
}

/** Lists a page of a monitor's pings, newest first, and counts all that match. The caller has authorized the monitor. */
export async function listPings(database: Database, monitorId: number, question: PingsQuery) {
  const { kind, from, to, offset, limit } = question;
  const shown = await readNumbers(database, monitorId);
  if (shown === null) return { total: 0, pings: [] };
  const isAll = kind === undefined && from === undefined && to === undefined;
  const { total, page } = isAll
    ? pageOfAll(shown, question)
    : pageOf(await matchNumbers(database, monitorId, shown, question), offset, limit);
  return { total, pings: await readPings(database, monitorId, page) };
}

/** First and last number of a monitor's pings, which have no gaps. */
interface Numbers {
  oldest: number;
  newest: number;
}

/** Reads the numbers of the pings that are shown; null when there are none. */
async function readNumbers(database: Database, monitorId: number): Promise<Numbers | null> {
  const newest = await edgeOf(database, monitorId, 'desc');
  const oldest = await edgeOf(database, monitorId, 'asc');
  if (newest === null || oldest === null) return null;
  return { newest, oldest: Math.max(oldest, newest - PINGS_KEPT + 1) };
}

async function edgeOf({ read }: Database, monitorId: number, direction: 'asc' | 'desc') {
  const row = await read
    .selectFrom('ping')
    .select('number')
    .where('monitor_id', '=', monitorId)
    .orderBy('number', direction)
    .limit(1)
    .executeTakeFirst();
  return row?.number ?? null;
}

interface NumberedPage {
  total: number;
  page: number[];
}

function pageOfAll({ oldest, newest }: Numbers, { offset, limit }: PingsQuery): NumberedPage {
  const total = newest - oldest + 1;
  const length = Math.max(0, Math.min(limit, total - offset));
  return { total, page: Array.from({ length }, (_, index) => newest - offset - index) };
}

function pageOf(numbers: readonly number[], offset: number, limit: number): NumberedPage {
  return { total: numbers.length, page: numbers.slice(offset, offset + limit) };
}

/** Finds matching pings, newest first. It reads up to a thousand pings with their texts, hence the scanning connection. */
async function matchNumbers(
  { scan }: Database,
  monitorId: number,
  shown: Numbers,
  { kind, from, to }: PingsQuery,
): Promise<number[]> {
  let query = scan
    .selectFrom('ping')
    .select('number')
    .where('monitor_id', '=', monitorId)
    .where('number', '>=', shown.oldest)
    .orderBy('number', 'desc');
  if (kind !== undefined) query = query.where('kind', '=', kind);
  if (from !== undefined) query = query.where('at', '>=', from);
  if (to !== undefined) query = query.where('at', '<', to);
  return (await query.execute()).map(({ number }) => number);
}

/** Reads pings, newest first; those deleted meanwhile are missing. */
async function readPings({ read }: Database, monitorId: number, numbers: readonly number[]) {
  if (numbers.length === 0) return [];
  const rows = await read
    .selectFrom('ping')
    .selectAll()
    .where('monitor_id', '=', monitorId)
    .where('number', 'in', idList(read, numbers))
    .orderBy('number', 'desc')
    .execute();
  return rows.map(pingOf);
}

const pingOf = (row: Schema['ping']): RecordedPing => ({
  monitorId: row.monitor_id,
  number: row.number,
  at: row.at,
  kind: row.kind as PingKind,
  exitCode: row.exit_code,
  runId: row.run_id,
  durationMs: row.duration_ms,
  sourceAddress: row.source_address,
  userAgent: row.user_agent,
  body: row.body,
  isBodyCut: row.is_body_cut === 1,
});

/** Pings of a monitor to delete: numbers from `first` to `last`, both included. */
export interface OldPings {
  monitorId: number;
  first: number;
  last: number;
}

/**
 * Searches the next monitors that ever had a ping, by id, for pings beyond the newest thousand or received before that
 * time (epoch ms). `last` is the last monitor that was searched, null when there are no more.
 */
export async function findOldPings(
  { scan }: Database,
  { after, count, before }: { after: number; count: number; before: number },
): Promise<{ last: number | null; old: OldPings[] }> {
  const pingsOfIt = sql`select number from ping where ping.monitor_id = monitor_state.monitor_id`;
  const rows = await scan
    .selectFrom('monitor_state')
    .select([
      'monitor_id',
      'ping_count',
      sql<number | null>`(${pingsOfIt} order by number limit 1)`.as('oldest'),
      // Times nearly rise with the numbers: while the oldest ping is recent, this is one step.
      sql<number | null>`(${pingsOfIt} and at >= ${before} order by number limit 1)`.as('fresh'),
    ])
    .where('monitor_id', '>', after)
    .where('ping_count', '>', 0)
    .orderBy('monitor_id')
    .limit(count)
    .execute();
  const old = rows.flatMap(({ monitor_id: monitorId, ping_count: newest, oldest, fresh }) => {
    if (oldest === null) return [];
    const last = Math.max(newest - PINGS_KEPT, fresh === null ? newest : fresh - 1);
    return last < oldest ? [] : [{ monitorId, first: oldest, last }];
  });
  return { last: rows.at(-1)?.monitor_id ?? null, old };
}

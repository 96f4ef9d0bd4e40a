import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../database/contract.ts';
import { idList } from '../database/dialect.ts';

export interface LiveChange {
  id: number;
  teamId: number;
  kind: 'status' | 'incident' | 'monitor' | 'maintenance' | 'settings';
  /** What happened to an incident or monitor, or which settings changed. */
  change: string;
  monitorId: number | null;
  subjectId: number | null;
}

/**
 * State of the log of changes up to which all committed changes are known; text that only this file reads.
 *
 * SQLite has one writer, so ids are in the order of commits, and the newest id is such a state. On Postgres ids are given
 * in another order than transactions commit: a reader that remembers the newest id misses a change with a lower id that
 * is committed later. There a mark is a snapshot of the database, `xmax:` or `xmin:xmax:xip,…` (PostgreSQL, section 9.28):
 * a transaction is in it if its id is below `xmax` and not among those that were running. Each change holds the id of its
 * transaction. What one snapshot contains and an earlier one does not is thus known exactly, without waiting for
 * transactions that run long and without reading anything twice.
 */
export type Mark = string;

/** Limits of what is read: changes after `after`, and up to `until` where it is given. */
export interface ChangesQuery {
  after: Mark;
  /** Changes with ids up to `id` are known too if `until` contains them. */
  known: readonly { until: Mark; id: number }[];
  until: Mark;
  teamIds: readonly number[];
  limit: number;
}

export async function readMark(database: Database): Promise<Mark> {
  if (database.engine === 'postgres') {
    const { rows } = await sql<{
      mark: string;
    }>`select pg_current_snapshot()::text as mark`.execute(database.read);
    return shorten(rows[0]!.mark);
  }
  const { rows } = await sql<{ newest: number }>`
    select seq as newest from sqlite_sequence where name = 'live_change'`.execute(database.read);
  return String(rows[0]?.newest ?? 0);
}

/** Reads changes of these teams by id, at most `limit`. Those up to `until` are complete if there are fewer. */
export async function readChanges(
  database: Database,
  { after, known, until, teamIds, limit }: ChangesQuery,
) {
  if (teamIds.length === 0 || until === after) return [];
  const { read, engine } = database;
  const isIn = (mark: Mark) => (engine === 'postgres' ? isInSnapshot(mark) : isUpTo(mark));
  const rows = await read
    .selectFrom('live_change')
    .select(['id', 'team_id as teamId', 'kind', 'change'])
    .select(['monitor_id as monitorId', 'subject_id as subjectId'])
    .where(engine === 'postgres' ? isNotInSnapshot(after) : isAbove(after))
    .where(isIn(until))
    .where('team_id', 'in', idList(read, teamIds))
    .where(({ and, not, eb }) =>
      and(known.map((one) => not(and([isIn(one.until), eb('id', '<=', one.id)])))),
    )
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows as LiveChange[];
}

/** Whether `mark` is a state that this database had by `current`; a restored database may not have reached it yet. */
export function isKnownMark(database: Database, mark: Mark, current: Mark): boolean {
  if (database.engine === 'sqlite')
    return /^\d{1,15}$/.test(mark) && Number(mark) <= Number(current);
  const snapshot = readSnapshot(mark);
  return snapshot !== null && snapshot.xmax <= readSnapshot(current)!.xmax;
}

const isAbove = (mark: Mark): RawBuilder<boolean> => sql`id > ${Number(mark)}`;
const isUpTo = (mark: Mark): RawBuilder<boolean> => sql`id <= ${Number(mark)}`;

function isNotInSnapshot(mark: Mark): RawBuilder<boolean> {
  const { xmax, running } = readSnapshot(mark)!;
  return running.length === 0
    ? sql`txid >= ${xmax}`
    : sql`(txid >= ${xmax} or txid in (${sql.join(running)}))`;
}

function isInSnapshot(mark: Mark): RawBuilder<boolean> {
  return sql`not ${isNotInSnapshot(mark)}`;
}

interface Snapshot {
  /** Transactions from this one on had not begun. */
  xmax: number;
  running: number[];
}

/** Snapshots of more transactions than any database runs at once are not ours. */
const MAX_RUNNING = 500;

function readSnapshot(mark: Mark): Snapshot | null {
  const found = /^(?:(\d{1,15}):)?(\d{1,15}):([\d,]{0,8000})$/.exec(mark);
  if (found === null) return null;
  const running = (found[3] ?? '').split(',').filter(Boolean).map(Number);
  if (running.length > MAX_RUNNING || !running.every(Number.isSafeInteger)) return null;
  return { xmax: Number(found[2]), running };
}

/** A snapshot as text, without the parts that say nothing. Its colon distinguishes it from an id of SQLite, from which a client may come. */
function shorten(snapshot: string): Mark {
  const [, xmax = '', running = ''] = snapshot.split(':');
  return running === '' ? `${xmax}:` : snapshot;
}

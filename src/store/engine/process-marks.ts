import { sql } from 'kysely';
import type { ServiceGap } from '../../model/heartbeat.ts';
import { getProgress, setProgress } from '../database/settings.ts';
import type { Db, Tx } from '../database/contract.ts';
import type { Observation } from '../../model/observation.ts';

const ALIVE = 'alive';

/** Reads when a process last recorded that it takes pings, epoch milliseconds; null when none ever did. */
export function readMark(db: Db): Promise<number | null> {
  return getProgress(db, ALIVE);
}

/** Records that this process takes pings. The newest mark counts, even an earlier one: a clock may have been set back. */
export function writeMark(tx: Tx, at: number): Promise<void> {
  return setProgress(tx, ALIVE, at);
}

/** Prefixes of the two rows of each process that shares the database; the process id follows. */
const MARKED = 'marked/';
const STORED = 'heard/';

/** The last mark of a process that shares the database, in epoch milliseconds by its own clock. */
export interface ProcessMark {
  processId: string;
  markedAt: number;
  /** All pings that the process received before this time are on disk. */
  pingsStoredUntil: number;
}

export async function writeProcessMark(
  tx: Tx,
  { processId, markedAt, pingsStoredUntil }: ProcessMark,
): Promise<void> {
  await setProgress(tx, `${MARKED}${processId}`, markedAt);
  await setProgress(tx, `${STORED}${processId}`, pingsStoredUntil);
}

/** Lists the last marks of all processes but one. */
export async function listProcessMarks(db: Db, except: string): Promise<ProcessMark[]> {
  const { rows } = await sql<{ name: string; pingsStoredUntil: number; markedAt: number }>`
    select stored.name, stored.position as "pingsStoredUntil", marked.position as "markedAt" from progress as stored
    inner join progress as marked on marked.name = ${MARKED} || substr(stored.name, ${STORED.length + 1})
    where stored.name like ${`${STORED}%`} and stored.name != ${`${STORED}${except}`}`.execute(db);
  return rows.map(({ name, ...times }) => ({ processId: name.slice(STORED.length), ...times }));
}

export async function deleteProcessMarks(tx: Tx, processIds: readonly string[]) {
  if (processIds.length === 0) return;
  const names = processIds.flatMap((id) => [`${MARKED}${id}`, `${STORED}${id}`]);
  await tx.deleteFrom('progress').where('name', 'in', names).execute();
}

export async function insertGap(tx: Tx, { from, to }: ServiceGap): Promise<void> {
  await tx.insertInto('service_gap').values({ from_at: from, to_at: to }).execute();
}

/**
 * Lists the gaps that ended after that time (epoch ms), in the order in which they began; some may overlap. Gaps in which
 * the clock was set back are left out, as their length is unknown.
 */
export function listGaps(db: Db, endedAfter: number): Promise<ServiceGap[]> {
  return selectGaps(db)
    .where('to_at', '>', endedAfter)
    .whereRef('from_at', '<=', 'to_at')
    .execute();
}

/**
 * Lists all gaps that concern the time after that one (epoch ms). A gap that ends before it begins records that the clock
 * was set back. It concerns all times up to its beginning, since the clock showed them before it, too.
 */
export function listGapsAndSetbacks(db: Db, after: number): Promise<ServiceGap[]> {
  return selectGaps(db)
    .where((eb) => eb.or([eb('to_at', '>', after), eb('from_at', '>', after)]))
    .execute();
}

function selectGaps(db: Db) {
  return db
    .selectFrom('service_gap')
    .select(['from_at as from', 'to_at as to'])
    .orderBy('from_at')
    .orderBy('id');
}

/** Columns that decide until when the status of a monitor is known. Times are epoch milliseconds. */
export interface ObservationRow {
  status: string;
  is_paused: number;
  observed_until: number | null;
  /** Minutes; null for push monitors. */
  check_interval: number | null;
  alive_at: number | null;
}

/** Column `alive_at`: the newest mark of a process that takes pings. Read once for a statement, not for each row. */
export const ALIVE_AT = sql<number | null>`(
  select position from progress where name = ${sql.lit(ALIVE)})`.as('alive_at');

export function observationOf(row: ObservationRow): Observation {
  return {
    status: row.status,
    isPaused: row.is_paused === 1,
    observedUntil: row.observed_until,
    checkInterval: row.check_interval,
    aliveAt: row.alive_at,
  };
}

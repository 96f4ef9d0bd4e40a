import { sql } from 'kysely';
import type { Kysely, Transaction } from 'kysely';
import type { ServiceGap } from '../../model/heartbeat.ts';
import { getProgress, setProgress } from '../database/progress.ts';
import type { Schema } from '../database/schema.ts';

/** The name under which the table of progress holds the mark. */
const ALIVE = 'alive';

/** When a process of ours last said that it takes pings, epoch milliseconds; null when none ever did. */
export function readMark(db: Kysely<Schema>): Promise<number | null> {
  return getProgress(db, ALIVE);
}

/** The newest word counts, be it earlier: a clock may have been set back. */
export function writeMark(tx: Transaction<Schema>, at: number): Promise<void> {
  return setProgress(tx, ALIVE, at);
}

/** Of each process that shares the database there are two rows, whose names begin so and end with its id. */
const MARKED = 'marked/';
const HEARD = 'heard/';

/** What a process that shares the database said last, both in epoch milliseconds by its own clock. */
export interface ProcessMark {
  processId: string;
  /** When it said so. */
  markedAt: number;
  /** Until when all pings that were sent to it are on disk. */
  heardUntil: number;
}

export async function writeProcessMark(
  tx: Transaction<Schema>,
  { processId, markedAt, heardUntil }: ProcessMark,
): Promise<void> {
  await setProgress(tx, `${MARKED}${processId}`, markedAt);
  await setProgress(tx, `${HEARD}${processId}`, heardUntil);
}

/** What the processes other than that one said last. */
export async function listProcessMarks(db: Kysely<Schema>, except: string): Promise<ProcessMark[]> {
  const { rows } = await sql<{ name: string; heardUntil: number; markedAt: number }>`
    select heard.name, heard.position as "heardUntil", marked.position as "markedAt" from progress as heard
    inner join progress as marked on marked.name = ${MARKED} || substr(heard.name, ${HEARD.length + 1})
    where heard.name like ${`${HEARD}%`} and heard.name != ${`${HEARD}${except}`}`.execute(db);
  return rows.map(({ name, ...times }) => ({ processId: name.slice(HEARD.length), ...times }));
}

export async function deleteProcessMarks(
  tx: Transaction<Schema>,
  processIds: readonly string[],
): Promise<void> {
  if (processIds.length === 0) return;
  const names = processIds.flatMap((id) => [`${MARKED}${id}`, `${HEARD}${id}`]);
  await tx.deleteFrom('progress').where('name', 'in', names).execute();
}

export async function insertGap(tx: Transaction<Schema>, { from, to }: ServiceGap): Promise<void> {
  await tx.insertInto('service_gap').values({ from_at: from, to_at: to }).execute();
}

/**
 * The gaps that ended after that time (epoch ms), in the order in which they began; some may overlap. Without those in
 * which the clock was set back, which have no length that is known.
 */
export async function listGaps(db: Kysely<Schema>, endedAfter: number): Promise<ServiceGap[]> {
  const rows = await gapsInOrder(db)
    .where('to_at', '>', endedAfter)
    .whereRef('from_at', '<=', 'to_at')
    .execute();
  return rows.map(gapOf);
}

/**
 * All gaps that concern the time after that one (epoch ms). One that ends before it begins says that the clock was set
 * back: it concerns all times up to its beginning, since these were shown before it, too.
 */
export async function listGapsAndSetbacks(
  db: Kysely<Schema>,
  after: number,
): Promise<ServiceGap[]> {
  const rows = await gapsInOrder(db)
    .where((eb) => eb.or([eb('to_at', '>', after), eb('from_at', '>', after)]))
    .execute();
  return rows.map(gapOf);
}

function gapsInOrder(db: Kysely<Schema>) {
  return db.selectFrom('service_gap').select(['from_at', 'to_at']).orderBy('from_at').orderBy('id');
}

function gapOf(row: { from_at: number; to_at: number }): ServiceGap {
  return { from: row.from_at, to: row.to_at };
}

/** Deletes the gaps that ended before that time. */
export async function deleteGapsBefore(tx: Transaction<Schema>, before: number): Promise<void> {
  await tx.deleteFrom('service_gap').where('to_at', '<', before).execute();
}

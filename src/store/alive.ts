import type { Kysely, Transaction } from 'kysely';
import type { ServiceGap } from '../model/heartbeat.ts';
import { getProgress, setProgress } from './progress.ts';
import type { Schema } from './schema.ts';

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

export async function insertGap(tx: Transaction<Schema>, { from, to }: ServiceGap): Promise<void> {
  await tx.insertInto('service_gap').values({ from_at: from, to_at: to }).execute();
}

/**
 * The gaps that ended after that time (epoch ms), in the order in which they began; some may overlap. Without those in
 * which the clock was set back, which have no length that is known.
 */
export async function listGaps(db: Kysely<Schema>, endedAfter: number): Promise<ServiceGap[]> {
  return (await listGapsAndSetbacks(db, endedAfter)).filter(({ from, to }) => from <= to);
}

/** All gaps that ended after that time (epoch ms); one that ends before it begins says that the clock was set back. */
export async function listGapsAndSetbacks(
  db: Kysely<Schema>,
  endedAfter: number,
): Promise<ServiceGap[]> {
  const rows = await db
    .selectFrom('service_gap')
    .select(['from_at', 'to_at'])
    .where('to_at', '>', endedAfter)
    .orderBy('from_at')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({ from: row.from_at, to: row.to_at }));
}

/** Deletes the gaps that ended before that time. */
export async function deleteGapsBefore(tx: Transaction<Schema>, before: number): Promise<void> {
  await tx.deleteFrom('service_gap').where('to_at', '<', before).execute();
}

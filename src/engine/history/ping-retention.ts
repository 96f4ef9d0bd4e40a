import type { Database } from '../../store/database/contract.ts';
import { deletePings, findOldPings, type OldPings } from '../../store/engine/ping-history.ts';
import { moveCursor, readCursor } from '../../store/engine/rollups.ts';

const HOUR_MS = 3_600_000;

/** Time for which pings are kept, the newest thousand of each monitor at most. */
export const PING_MS = 30 * 24 * HOUR_MS;

const CURSOR = 'old_pings';
const ALL_DONE = Number.MAX_SAFE_INTEGER;
const MONITORS_AT_ONCE = 1_000;
/** Rows that go in one transaction: a few milliseconds of the writer. */
const ROWS_AT_ONCE = 500;
/** Transactions in one step, few enough that others do not wait long. */
const SLICES_AT_ONCE = 10;

/**
 * One step of an hourly pass over all monitors that have pings; false when this hour's is done. A pass that takes longer
 * is ended before the next begins: else the last monitors would never be reached.
 */
export async function deleteOldPings(database: Database, now: number): Promise<boolean> {
  const hour = Math.floor(now / HOUR_MS) * HOUR_MS;
  let from = await readCursor(database.read, CURSOR);
  if (from?.monitor === ALL_DONE && isDone(from.period, hour)) return false;
  const underWay = from?.monitor === ALL_DONE ? null : from;
  const { period, monitor: after } = underWay ?? { period: hour, monitor: 0 };
  const before = now - PING_MS;
  const { last, old } = await findOldPings(database, { after, count: MONITORS_AT_ONCE, before });
  let slices = 0;
  for (const { pings, done } of slicesOf(old, { after, last: last ?? ALL_DONE })) {
    const to = { period, monitor: done };
    const step = { from, to };
    const isOurs = await database.transaction(async (tx) => {
      if (!(await moveCursor(tx, CURSOR, step))) return false;
      await deletePings(tx, pings);
      return true;
    });
    slices += 1;
    if (!isOurs || slices === SLICES_AT_ONCE) break;
    from = to;
  }
  return true;
}

/**
 * Whether the pass of a period is that of this hour. Around the turn of an hour another process may be in the next one
 * already; what lies further ahead is from a clock that was set back since.
 */
function isDone(period: number, hour: number): boolean {
  return period === hour || period === hour + HOUR_MS;
}

interface Slice {
  pings: { monitorId: number; number: number }[];
  /** The last monitor of which nothing is left when these are gone. */
  done: number;
}

/** Oldest first within a monitor, so that those that stay are a run without a hole whenever it ends. */
function* slicesOf(
  old: readonly OldPings[],
  monitors: { after: number; last: number },
): Generator<Slice> {
  let pings: Slice['pings'] = [];
  let done = monitors.after;
  for (const { monitorId, first, last } of old) {
    for (let number = first; number <= last; number += 1) {
      if (pings.length === ROWS_AT_ONCE) {
        yield { pings, done };
        pings = [];
      }
      pings.push({ monitorId, number });
    }
    done = monitorId;
  }
  yield { pings, done: monitors.last };
}

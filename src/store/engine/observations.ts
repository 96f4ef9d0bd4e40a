import { sql } from 'kysely';
import type { Observation } from '../../model/observation.ts';
import { ALIVE } from './process-marks.ts';

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

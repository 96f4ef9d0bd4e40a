import type { Correction } from '../../model/correction.ts';
import type { StoredHistory } from './availability.ts';
import { applyCorrections } from './corrections.ts';
import { withGaps } from './gaps.ts';
import type { Interval } from './uptime.ts';

/** Times of a monitor: its statuses, and the intervals that are left out of its uptime. */
export type Times = Pick<StoredHistory, 'spans' | 'observedUntil' | 'excluded'>;

export interface StoredTimes extends Times {
  /** The times as recorded, where corrections of the period were applied; else null. */
  uncorrected: Times | null;
}

/** What the database holds about the times of one monitor. */
export interface TimeFacts extends Times {
  /** Times in which Tocsin received no pings; empty for monitors that it checks. */
  gaps: readonly Interval[];
  /** In force, in any order. */
  corrections: readonly Correction[];
}

/** Applies gaps and corrections to what was recorded: the one way in which everything reads the times of a monitor. */
export function timesOf({
  spans,
  observedUntil,
  excluded,
  gaps,
  corrections,
}: TimeFacts): StoredTimes {
  const seen = gaps.length === 0 ? spans : withGaps(spans, gaps);
  const times = { spans: seen, observedUntil, excluded };
  if (corrections.length === 0) return { ...times, uncorrected: null };
  return { ...applyCorrections(times, corrections), uncorrected: times };
}

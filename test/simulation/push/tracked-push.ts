import type { InferResult } from 'kysely';
import type { ServiceGap } from '../../../src/model/heartbeat.ts';
import { compiler } from '../world-database.ts';
import type { OwnedPush } from './owner.ts';
import { SKEW_MS, type PushReferenceModel } from './reference-model.ts';

/** What the checker knows of one push monitor. */
export interface TrackedPush {
  push: OwnedPush;
  reference: PushReferenceModel;
  /** Number of eras that were applied. */
  eras: number;
  /** Since when the next ping is expected, in milliseconds since the world began. */
  armedSince: number;
  /** Since when its status is known without a break (epoch ms); null if it is not. */
  knownFrom: number | null;
}

/** A job was reported as silent, or a run as overrunning, between two times (epoch ms). */
export interface FailureReport {
  push: OwnedPush;
  of: 'silence' | 'run';
  from: number;
  to: number;
  runId: string | null;
  /** When it was reported, in milliseconds since the world began; `commit` is the number of commits before. */
  at: number;
  commit: number;
  /** Its deadline was postponed once, and the service was down again in the period after that. */
  isExcused: boolean;
  /** The settings changed while the ping was expected. */
  isEdited: boolean;
  /** Since when the ping was expected, in milliseconds since the world began. */
  since: number;
  /** The clock was set forward meanwhile, so that the interval passed early. */
  isHurried: boolean;
}

export const NOTES = compiler
  .selectFrom('activity')
  .innerJoin('incident', 'incident.id', 'activity.incident_id')
  .select(['activity.id', 'monitor_id'])
  .where('activity.id', '>', 0)
  .where('activity.type', '=', 'failed_again')
  .orderBy('activity.id')
  .compile();
/** Pings of a monitor after a number. */
export const PINGS = compiler
  .selectFrom('ping')
  .select(['monitor_id', 'number', 'at', 'kind', 'run_id', 'exit_code', 'duration_ms', 'body'])
  .where('monitor_id', '=', 0)
  .where('number', '>', 0)
  .orderBy('number')
  .compile();

export type StoredPing = InferResult<typeof PINGS>[number];

/** The last gap that overlaps an interval. */
export function gapWithin(
  gaps: readonly ServiceGap[],
  { armedAt, from, to }: { armedAt: number; from: number; to: number },
): ServiceGap | null {
  const touching = gaps.filter((gap) =>
    // It is unknown how much time passed between two times of a clock that was set back.
    gap.from > gap.to
      ? gap.to >= armedAt - SKEW_MS && gap.to <= to
      : gap.to > from && gap.from <= to,
  );
  return touching.toSorted((a, b) => b.to - a.to)[0] ?? null;
}

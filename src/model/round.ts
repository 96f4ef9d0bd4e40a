import type { RegionResult } from './check.ts';
import type { ContentKind } from './content.ts';
import type { InspectionKind } from './inspection.ts';
import type { Region } from './monitor.ts';

/** Monitor settings that its verdict depends on, as of the start of the round. */
export interface RoundSettings {
  intervalMs: number;
  /** Consecutive bad rounds that confirm a condition, 1 to 10. */
  failureThreshold: number;
  /** Consecutive good rounds that end it, 1 to 10. */
  recoveryThreshold: number;
  /** Milliseconds; null if response time is not monitored. */
  slowResponseThresholdMs: number | null;
  content: ContentKind | null;
  inspections: readonly InspectionKind[];
  /** Whether one address family not responding while the other does is a condition. */
  checkBothFamilies: boolean;
}

/**
 * Times of a round on a monotonic clock, in milliseconds. Comparable only within `process`, which identifies one run of
 * a process.
 */
export interface SteadyTimes {
  process: string;
  startedAt: number;
  finishedAt: number;
}

/** A finished check of a monitor from all its regions. */
export interface Round {
  monitorId: number;
  teamId: number;
  /** The monitor's revision at the start: results of an older revision never vote. */
  revision: number;
  /**
   * Identifies the round and strictly increases between rounds of a monitor, so that each is counted once. Normally the
   * epoch milliseconds at which it was due; after the clock was set back, slightly more than the last.
   */
  slot: number;
  startedAt: number;
  finishedAt: number;
  /** Absent if no scheduler ran the round, as in tests; wall time is used instead. */
  steady?: SteadyTimes;
  settings: RoundSettings;
  /** Host name or address of the target; null if its url has none. */
  host?: string | null;
  /** Regions of the monitor whose probe was seen in the last hour: R of the verdict. */
  knownRegions: Region[];
  results: RegionResult[];
  /** Set if this process ended before any check had a result: who checks the monitor next makes the round again. */
  isCutShort?: boolean;
}

export type RoundClass = 'up' | 'regional' | 'down' | 'unknown';

/** Outcome of a round's votes. */
export interface Verdict {
  class: RoundClass;
  /** Like `class`, for the requests alone: content failures count only if no majority failed at all. */
  reachability: RoundClass;
  /** Regions that voted down, in the monitor's order; for a regional verdict, the affected ones. */
  failing: Region[];
  /** `bad` if most regions failed, more of them by content than by reachability; `off` if content is not checked. */
  content: ConfirmationVerdict;
  /** `bad` if most regions that tried both address families reached only one. */
  dualStack: ConfirmationVerdict;
  /** `bad` if the median exceeds the threshold, `unknown` if too few regions responded, `off` if not monitored. */
  slow: ConfirmationVerdict;
  /** Median response time of the regions that are up, in milliseconds. */
  medianMs: number | null;
}

export type ConfirmationVerdict = 'good' | 'bad' | 'unknown' | 'off';

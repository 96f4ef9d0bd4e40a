import type { RegionResult } from './check.ts';
import type { ContentKind } from './content.ts';
import type { InspectionKind } from './inspection.ts';
import type { Region } from './monitor.ts';

/** What of a monitor's settings its verdict depends on, as they were when the round began. */
export interface RoundSettings {
  intervalMs: number;
  /** Bad rounds in a row that confirm a trouble, 1 to 10. */
  failureThreshold: number;
  /** Good rounds in a row that end it, 1 to 10. */
  recoveryThreshold: number;
  /** Milliseconds, null when slowness is not watched. */
  slowResponseThresholdMs: number | null;
  /** What of the content is checked, null when nothing is. */
  content: ContentKind | null;
  /** The inspections that run for the monitor. */
  inspections: readonly InspectionKind[];
  /** Whether a family of addresses that does not answer, beside one that does, is a trouble. */
  checkBothFamilies: boolean;
}

/**
 * When a round ran, in milliseconds of a clock that nobody sets. Comparable between rounds of the same process only;
 * `process` names one run of it.
 */
export interface SteadyTimes {
  process: string;
  startedAt: number;
  finishedAt: number;
}

/** One scheduled look at a monitor from all its regions, finished. */
export interface Round {
  monitorId: number;
  teamId: number;
  /** The monitor's revision when the round began: an older one than the stored never votes. */
  revision: number;
  /**
   * Identifies the round: grows strictly from round to round of a monitor, so that a round is counted once.
   * Normally the epoch milliseconds at which it was due; after a clock that stepped back, a little more than the last.
   */
  slot: number;
  /** Epoch milliseconds. */
  startedAt: number;
  finishedAt: number;
  /** Absent where no scheduler ran it, as in tests: then wall time is all there is. */
  steady?: SteadyTimes;
  settings: RoundSettings;
  /** Of the target: a host name or an address; null when there is none in its url. */
  host?: string | null;
  /** The monitored regions with a probe seen in the last hour: R of the verdict. */
  knownRegions: Region[];
  results: RegionResult[];
}

export type RoundClass = 'up' | 'regional' | 'down' | 'unknown';

/** What a round's votes say. */
export interface Verdict {
  class: RoundClass;
  /** As `class`, of the requests alone: what failed by its content counts here only where no majority failed at all. */
  reachability: RoundClass;
  /** The regions that voted down, in the monitor's order; of a regional verdict those that it is about. */
  failing: Region[];
  /** `bad` when most regions failed, and more of them by content than by reachability; `off` when it is not checked. */
  content: TrackVerdict;
  /** `bad` when most regions that tried both families reached one only. */
  dualStack: TrackVerdict;
  /** `bad` when the median is over the threshold, `unknown` when too few answered to say, `off` when not watched. */
  slow: TrackVerdict;
  /** Median response time of the regions that are up, in milliseconds. */
  medianMs: number | null;
}

export type TrackVerdict = 'good' | 'bad' | 'unknown' | 'off';

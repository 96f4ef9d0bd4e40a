import type { FailureCode } from './failure.ts';
import type { MonitorStatus, Region } from './monitor.ts';
import type { Tracks } from './condition.ts';

/** The newest result of one region, as `response_times` shows it. */
export interface NewestResult {
  responseTimeMs: number | null;
  statusCode: number | null;
  checkedAt: number;
  failure: FailureCode | null;
}

/** What is known of a monitor now; one row, replaced by each judged round. All times are epoch milliseconds. */
export interface MonitorState {
  monitorId: number;
  teamId: number;
  /** Results of rounds with another revision never vote. */
  revision: number;
  status: MonitorStatus;
  /** Slot of the last judged round, null before the first. */
  lastSlot: number | null;
  lastCheckedAt: number | null;
  /** When to look again instead of the next grid slot; null means the grid. */
  runAt: number | null;
  /** The last verdict covers the time until then; what follows without a verdict is unobserved. */
  observedUntil: number | null;
  /** Paused monitors and those deleted are never judged. */
  isPaused: boolean;
  /** The revision under which `tracks` was counted; a newer one clears a running confirmation. */
  judgedRevision: number | null;
  tracks: Tracks;
  newest: Record<Region, NewestResult>;
}

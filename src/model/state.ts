import type { FailureCode } from './failure.ts';
import type { MonitorStatus, Region } from './monitor.ts';
import type { Confirmations } from './condition.ts';

/** Latest result of one region, as shown in `response_times`. */
export interface NewestResult {
  responseTimeMs: number | null;
  statusCode: number | null;
  checkedAt: number;
  failure: FailureCode | null;
  /** Of a manual check, which no verdict has counted; the next round of the region replaces it. */
  isManual?: true;
}

/** State of a monitor on which another one depends, directly or indirectly. Times are epoch milliseconds. */
export interface ParentState {
  status: string;
  isPaused: boolean;
  /** True while its failure is being confirmed. */
  isSuspected: boolean;
  lastCheckedAt: number | null;
  /** Since when a critical incident of it is open, whatever raised it but a person. */
  downSince: number | null;
  /** When its newest critical incident ended, if that is not long ago. */
  recoveredAt: number | null;
}

/** Current state of a monitor: one row, replaced by each evaluated round. All times are epoch milliseconds. */
export interface MonitorState {
  monitorId: number;
  teamId: number;
  /** Results of other revisions never vote. */
  revision: number;
  status: MonitorStatus;
  /** Slot of the last evaluated round; null before the first. */
  lastSlot: number | null;
  lastCheckedAt: number | null;
  /** When to check again instead of at the next grid slot; null to follow the grid. */
  runAt: number | null;
  /** End of the time that the last verdict covers; time after it without a verdict is unobserved. */
  observedUntil: number | null;
  /** Paused and deleted monitors are never evaluated. */
  isPaused: boolean;
  /** Revision under which `confirmations` was counted; a newer one resets a confirmation in progress. */
  evaluatedRevision: number | null;
  confirmations: Confirmations;
  newest: Record<Region, NewestResult>;
}

import type { Confirmations } from './condition.ts';
import type { MonitorStatus } from './monitor.ts';

/**
 * Meaning of a ping (contract 12.5 to 12.8): the success, failure or start of a run, or text only. Success and failure
 * finish a run.
 */
export const PING_KINDS = ['success', 'failure', 'start', 'log'] as const;
export type PingKind = (typeof PING_KINDS)[number];

export interface Ping {
  at: number;
  kind: PingKind;
  /** From `/ping/{token}/{exit code}`, 0 to 255. */
  exitCode: number | null;
  /** `rid`: pairs a start with its finish if runs overlap. */
  runId: string | null;
  sourceAddress: string;
  userAgent: string | null;
  /** First 10 KiB as text; null without a body. */
  body: string | null;
  isBodyCut: boolean;
  /** Milliseconds of the run that ends, as the job measured them itself; else the time since its start counts. */
  reportedMs?: number;
}

export interface RecordedPing extends Ping {
  monitorId: number;
  /** Sequence number within the monitor, from 1. */
  number: number;
  /** Duration of the finished run in milliseconds; null for other kinds, and if no start is known. */
  durationMs: number | null;
}

/** A run that started and has not finished. */
export interface Run {
  id: string | null;
  startedAt: number;
  /** Whether an overrun was reported; a later finish still has a duration. */
  isJudged?: true;
}

/** State of a heartbeat or cron job, part of its monitor's state. All times are epoch milliseconds. */
export interface Heartbeat {
  monitorId: number;
  teamId: number;
  /** Revision of the current settings. */
  revision: number;
  status: MonitorStatus;
  isPaused: boolean;
  confirmations: Confirmations;
  /** Time from here is unobserved until the next ping; see OBSERVED_INDEFINITELY. */
  observedUntil: number | null;
  /** Time of the latest ping of any kind, shown as `last_checked_at`. */
  lastPingAt: number | null;
  lastHeartbeatAt: number | null;
  /** When the next ping is expected, or was expected and missed. */
  expectedAt: number;
  /** Since when that ping is expected. */
  armedAt: number;
  firstPingAt: number | null;
  /** The expected time and its grace period passed without a ping, and that was recorded. */
  isMissed: boolean;
  /** The deadline was postponed since the last ping, because the service was down. */
  isPostponed: boolean;
  pingCount: number;
  window: PingWindow | null;
  runs: readonly Run[];
  /** When to check for missing pings, never later than the next deadline; null if there is none. */
  dueAt: number | null;
}

/** Fixed minute of the ping limit and the number of pings in it. */
export interface PingWindow {
  from: number;
  count: number;
}

/** A push monitor with a known status is observed while the service runs; service gaps are stored separately. */
export const OBSERVED_INDEFINITELY = 8_640_000_000_000_000;

/** Time for which a mark shows that its process takes pings. */
export const MARK_HOLDS_MS = 10_000;

/** Time in which no process received pings; epoch milliseconds. */
export interface ServiceGap {
  from: number;
  to: number;
}

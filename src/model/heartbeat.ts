import type { Tracks } from './condition.ts';
import type { MonitorStatus } from './monitor.ts';

/**
 * What a ping tells (contract 12.5 to 12.8): a run that went well or badly, one that begins, or text alone.
 * Success and failure finish a run.
 */
export const PING_KINDS = ['success', 'failure', 'start', 'log'] as const;
export type PingKind = (typeof PING_KINDS)[number];

/** A call of a ping URL, as it came in. */
export interface Ping {
  /** Epoch milliseconds at which it was received. */
  at: number;
  kind: PingKind;
  /** Of `/ping/{token}/{exit code}`, 0 to 255. */
  exitCode: number | null;
  /** `rid`: pairs a start with its finish when runs overlap. */
  runId: string | null;
  sourceAddress: string;
  userAgent: string | null;
  /** The first 10 KiB, as text; null without any. */
  body: string | null;
  isBodyCut: boolean;
}

/** A ping as it is kept. */
export interface RecordedPing extends Ping {
  monitorId: number;
  /** 1 for the monitor's first one. */
  number: number;
  /** Milliseconds since the start that it finishes; null for other kinds, and when no start is known. */
  durationMs: number | null;
}

/** A run that started and did not finish so far. */
export interface Run {
  id: string | null;
  startedAt: number;
  /** Whether it ran over its time already; a finish that comes later still has a duration. */
  isJudged?: true;
}

/** What is known of a job that must call us, part of its monitor's state. All times are epoch milliseconds. */
export interface Heartbeat {
  monitorId: number;
  teamId: number;
  /** Of the settings that hold now. */
  revision: number;
  status: MonitorStatus;
  isPaused: boolean;
  tracks: Tracks;
  /** Time after that is unobserved until something is heard again; see OBSERVED_ON for "until further notice". */
  observedUntil: number | null;
  /** The newest success. */
  lastHeartbeatAt: number | null;
  /** When the next ping is expected, or was and did not come. */
  expectedAt: number;
  /** Since when that ping is waited for. */
  armedAt: number;
  /** The first ping of any kind. */
  firstPingAt: number | null;
  /** The expected time and its grace passed without a ping, and that was judged. */
  isMissed: boolean;
  /** It was put off since the last ping, because we were away. */
  isPutOff: boolean;
  pingCount: number;
  /** The window of the ping limit. */
  window: PingWindow | null;
  /** In the order in which they started. */
  runs: readonly Run[];
  /** When to look for silence, never later than the next deadline; null when nothing can run out. */
  dueAt: number | null;
}

/** A fixed minute of the ping limit and the pings counted in it. */
export interface PingWindow {
  from: number;
  count: number;
}

/** A push monitor whose status is known is observed as long as we listen; our own gaps are kept apart from it. */
export const OBSERVED_ON = 8_640_000_000_000_000;

/** A time in which no process of ours took pings; epoch milliseconds. */
export interface ServiceGap {
  from: number;
  to: number;
}

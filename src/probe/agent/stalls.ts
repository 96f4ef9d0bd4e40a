import type { Clock, Timer } from '../../lib/clock.ts';
import { NO_TIMINGS, unknownResult, type CheckResult } from '../../model/check.ts';
import type { Failure, FailureCode } from '../../model/failure.ts';
import { seconds } from '../failures.ts';

/** Durations for which the process was stalled, in milliseconds. */
export interface Stalls {
  longestMs: number;
  totalMs: number;
}

/**
 * Detects that this process did not run: a blocked event loop, a suspended process or machine. Uses one timer between
 * `start` and `stop`.
 */
export type StallDetector = ReturnType<typeof createStallDetector>;

export interface StallMark {
  at: number;
  totalMs: number;
}

const TICK_MS = 50;
/** Shorter delays are normal scheduling. */
const MIN_STALL_MS = 20;
/**
 * Minimum clock difference of a suspended machine, whose monotonic clock stops; a smaller one is a clock adjustment.
 */
const CLOCK_JUMP_MS = 1_000;
const MAX_STALLS = 1_000;

export function createStallDetector(clock: Clock) {
  let timer: Timer | null = null;
  let last = { monotonic: 0, wall: 0 };
  let totalMs = 0;
  /** Newest last. */
  let stalls: { endedAt: number; milliseconds: number }[] = [];

  /** Records the time since the last measurement, so that a stall counts before the delayed timer has run. */
  function measure(): void {
    const now = { monotonic: clock.monotonic(), wall: clock.now() };
    const elapsed = now.monotonic - last.monotonic;
    const asleep = now.wall - last.wall - elapsed;
    const late = elapsed - TICK_MS + (asleep >= CLOCK_JUMP_MS ? asleep : 0);
    last = now;
    if (late < MIN_STALL_MS) return;
    totalMs += late;
    stalls.push({ endedAt: now.monotonic, milliseconds: late });
    if (stalls.length > MAX_STALLS) stalls.shift();
  }

  function tick(): void {
    measure();
    timer = clock.after(TICK_MS, tick);
  }

  return {
    start() {
      if (timer !== null) return;
      last = { monotonic: clock.monotonic(), wall: clock.now() };
      timer = clock.after(TICK_MS, tick);
    },
    stop() {
      clock.clear(timer);
      timer = null;
      stalls = [];
    },
    mark() {
      measure();
      return { at: last.monotonic, totalMs };
    },
    since(mark: StallMark) {
      measure();
      let longestMs = 0;
      for (let i = stalls.length - 1; i >= 0 && stalls[i]!.endedAt > mark.at; i--)
        longestMs = Math.max(longestMs, stalls[i]!.milliseconds);
      return { longestMs, totalMs: totalMs - mark.totalMs };
    },
  };
}

/** Duration and time limit of a check, in milliseconds. */
interface CheckTime {
  elapsedMs: number;
  timeoutMs: number;
}

/**
 * Failures by timeout: a response may have arrived while this process was stalled. Any other failure is a response of
 * the target, a name server or a router.
 */
const TIMEOUT_CODES: ReadonlySet<FailureCode> = new Set([
  'dns_timeout',
  'connection_timeout',
  'no_response',
  'no_echo',
]);
/** Failures of a peer that closes the connection, which it also does when the probe is silent for long. */
const DISCONNECT_CODES: ReadonlySet<FailureCode> = new Set([
  'connection_reset',
  'connection_failed',
  'response_cut_short',
  'tls_handshake',
]);
/** Shortest time that servers commonly wait for a client. */
const IDLE_DISCONNECT_MS = 1_000;

/**
 * Timeouts are unreliable if this process was stalled for more than this share of the check, and the target did not get
 * that time in addition: occasional stalls must not hide an outage for ever.
 */
const MAX_STALL_SHARE = 0.1;
/** A timer may fire this early by the monotonic clock. */
const TIMER_TOLERANCE_MS = 10;
/** A stall of this length, or of a tenth of the time limit, makes a duration unreliable of which it is a tenth. */
const MAX_TIMING_STALL_MS = 250;

/**
 * Adjusts a result for stalls of this process during the check. An unreliable failure becomes unknown. A response stays
 * valid, but its timings are left out.
 */
export function discountStalls(result: CheckResult, stalls: Stalls, time: CheckTime): CheckResult {
  const reason = result.vote === 'down' ? whyUnreliable(result.failure, stalls, time) : null;
  if (reason !== null) return unknownResult('probe_lagged', reason);
  return result.vote === 'up' && areTimingsUnreliable(stalls, time)
    ? withoutTimings(result)
    : result;
}

/** Says why a failure may be this process's own; null if it is the target's. */
export function whyUnreliable(
  failure: Failure | null,
  stalls: Stalls,
  time: CheckTime,
): string | null {
  return failure !== null && isUnreliable(failure, stalls, time)
    ? `The probe was stalled for ${seconds(stalls.totalMs)} during the check`
    : null;
}

function isUnreliable(failure: Failure, stalls: Stalls, time: CheckTime): boolean {
  if (DISCONNECT_CODES.has(failure.code) && wasAway(stalls, time)) return true;
  const isSilence =
    TIMEOUT_CODES.has(failure.code) || time.elapsedMs >= time.timeoutMs - TIMER_TOLERANCE_MS;
  const ranMs = time.elapsedMs - stalls.totalMs;
  const hadItsTime = ranMs >= time.timeoutMs * (1 - MAX_STALL_SHARE);
  return isSilence && isLargeShare(stalls, time) && !hadItsTime;
}

/** Whether a peer may have taken this process for an idle client. */
function wasAway(stalls: Stalls, time: CheckTime): boolean {
  if (stalls.longestMs >= IDLE_DISCONNECT_MS) return true;
  return stalls.totalMs >= IDLE_DISCONNECT_MS && isLargeShare(stalls, time);
}

function isLargeShare({ totalMs }: Stalls, { elapsedMs }: CheckTime): boolean {
  return totalMs > elapsedMs * MAX_STALL_SHARE;
}

function areTimingsUnreliable(stalls: Stalls, time: CheckTime): boolean {
  const share = time.timeoutMs * MAX_STALL_SHARE;
  const isLong = stalls.longestMs > Math.min(MAX_TIMING_STALL_MS, share) || stalls.totalMs >= share;
  return isLong && isLargeShare(stalls, time);
}

/** Whether an address family timed out depends on timing, too. */
function withoutTimings({ families: _families, ...result }: CheckResult): CheckResult {
  return { ...result, responseTimeMs: null, timings: NO_TIMINGS };
}

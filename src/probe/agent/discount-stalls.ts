import { NO_TIMINGS, unknownResult, type CheckResult } from '../../model/check.ts';
import type { FailureCode } from '../../model/failure.ts';
import { seconds } from '../failures.ts';
import type { Stalls } from './stall-detector.ts';

/** How long a check took and could have taken, milliseconds. */
export interface CheckTime {
  elapsedMs: number;
  timeoutMs: number;
}

/**
 * Failures of silence: a time limit passed. An answer may have come while this process stood still. Any other failure is
 * something that the target, a name server or a router said.
 */
const TIMEOUT_CODES: ReadonlySet<FailureCode> = new Set([
  'dns_timeout',
  'connection_timeout',
  'no_response',
  'no_echo',
]);
/** Failures of a peer that hangs up, which it also does when we say nothing for long. */
const DISCONNECT_CODES: ReadonlySet<FailureCode> = new Set([
  'connection_reset',
  'connection_failed',
  'response_cut_short',
  'tls_handshake',
]);
/** The shortest time limit that servers commonly set for a silent client. */
const IDLE_DISCONNECT_MS = 5_000;

/**
 * Silence is doubted when this process stood still for more than this share of the check. A shorter stall can't turn an
 * answer in time into silence, unless the answer came in the last tenth; and a process that stalls now and then must not
 * hide an outage for ever.
 */
const MAX_STALL_SHARE = 0.1;
/** A timer may fire this early by the monotonic clock. */
const TIMER_TOLERANCE_MS = 10;
/** A stall of this length, or of a tenth of the time limit, spoils a measured time that it is a tenth of. */
const MAX_TIMING_STALL_MS = 250;

/**
 * What a result is worth that was seen while this process stood still for some time. A doubtful failure is unknown. An
 * answer is an answer even then, but its times are not the target's: they are left out.
 */
export function discountStalls(saw: CheckResult, stalls: Stalls, time: CheckTime): CheckResult {
  if (saw.vote === 'down' && isUnreliable(saw, stalls, time))
    return unknownResult(
      'probe_lagged',
      `The probe stood still for ${seconds(stalls.totalMs)} during the check`,
    );
  return saw.vote === 'up' && areTimingsUnreliable(stalls, time) ? withoutTimings(saw) : saw;
}

function isUnreliable({ failure }: CheckResult, stalls: Stalls, time: CheckTime): boolean {
  if (failure === null) return false;
  if (DISCONNECT_CODES.has(failure.code) && stalls.longestMs >= IDLE_DISCONNECT_MS) return true;
  const isSilence =
    TIMEOUT_CODES.has(failure.code) || time.elapsedMs >= time.timeoutMs - TIMER_TOLERANCE_MS;
  return isSilence && isLargeShare(stalls, time);
}

function isLargeShare({ totalMs }: Stalls, { elapsedMs }: CheckTime): boolean {
  return totalMs > elapsedMs * MAX_STALL_SHARE;
}

function areTimingsUnreliable(stalls: Stalls, time: CheckTime): boolean {
  const share = time.timeoutMs * MAX_STALL_SHARE;
  const isLong = stalls.longestMs > Math.min(MAX_TIMING_STALL_MS, share) || stalls.totalMs >= share;
  return isLong && isLargeShare(stalls, time);
}

/** Whether a family of addresses was silent is a matter of time, too. */
function withoutTimings({ families: _families, ...saw }: CheckResult): CheckResult {
  return { ...saw, responseTimeMs: null, timings: NO_TIMINGS };
}

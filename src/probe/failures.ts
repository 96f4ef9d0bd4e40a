import { isUnknownCode, type Failure, type FailureCode } from '../model/failure.ts';
import { NO_TIMINGS, toMicroseconds, type CheckResult, type Vote } from '../model/check.ts';
import { failure } from '../net/connect-failure.ts';

export { connectFailure, failure, endpoint, ownFault, seconds } from '../net/connect-failure.ts';
export type { SystemError } from '../net/connect-failure.ts';

/** Vote of a failed check: down, or unknown if the probe failed. */
export function voteOf(code: FailureCode): Vote {
  return isUnknownCode(code) ? 'unknown' : 'down';
}

export function shutdownFailure(): Failure {
  return failure('aborted', 'The probe stopped before the check ended');
}

/** Failure of the probe itself, which never counts against the target. */
export function probeError(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error);
  return failure('probe_error', `The probe failed: ${message}`);
}

/** Result of a check without response. `dnsMs` is the duration of the name lookup, null if it failed. */
export function failedResult(
  reason: Failure,
  remoteAddress: string | null,
  dnsMs: number | null,
): CheckResult {
  return {
    vote: voteOf(reason.code),
    failure: reason,
    responseTimeMs: null,
    statusCode: null,
    timings: { ...NO_TIMINGS, dnsMs: toMicroseconds(dnsMs) },
    remoteAddress,
    evidence: null,
  };
}

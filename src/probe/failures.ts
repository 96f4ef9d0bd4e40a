import { UNKNOWN_CODES } from '../model/failure.ts';
import type { Failure, FailureCode } from '../model/failure.ts';
import type { Vote } from '../model/check.ts';

export { connectFailure, endpoint, seconds } from '../net/connect-failure.ts';
export type { SystemError } from '../net/connect-failure.ts';

export function failure(code: FailureCode, text: string): Failure {
  return { code, text };
}

/** How a failed check votes: down, or unknown when our own side failed. */
export function voteOf(code: FailureCode): Vote {
  return (UNKNOWN_CODES as readonly string[]).includes(code) ? 'unknown' : 'down';
}

export function shutdownFailure(): Failure {
  return failure('aborted', 'The probe stopped before the check ended');
}

/** A fault in the probe itself: never held against the target. */
export function probeError(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error);
  return failure('probe_error', `The probe failed: ${message}`);
}

import type { Clock } from '../lib/clock.ts';
import type { CheckRequest, CheckResult } from '../model/check.ts';
import type { InspectionRequest, InspectionResult } from '../model/inspection.ts';
import type { AddressGuard } from '../net/address-guard.ts';
import type { Resolver } from '../net/resolver.ts';

/**
 * One protocol: one function. The caller owns the deadline. Never throws for what a target does: whatever
 * happens is a `CheckResult`, and when it settles nothing of the check is left open.
 */
export type Probe<R extends CheckRequest = CheckRequest> = (
  request: R,
  context: ProbeContext,
) => Promise<CheckResult>;

/** One kind of inspection; the same rules hold as for a `Probe`. */
export type Inspector<Request extends InspectionRequest = InspectionRequest> = (
  request: Request,
  context: ProbeContext,
) => Promise<InspectionResult<Request['kind']>>;

export interface ProbeContext {
  /** Aborted at the deadline with reason `'deadline'`, or when the process ends with `'shutdown'`. */
  signal: AbortSignal;
  clock: Clock;
  resolver: Resolver;
  guard: AddressGuard;
  /** Call it when a packet leaves: only the first call of a check counts. */
  onSend?(): void;
}

export type AbortReason = 'deadline' | 'shutdown';

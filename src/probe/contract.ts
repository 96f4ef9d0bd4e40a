import type { Clock } from '../lib/clock.ts';
import type { CheckRequest, CheckResult } from '../model/check.ts';
import type { InspectionRequest, InspectionResult } from '../model/inspection.ts';
import type { AddressGuard } from '../net/address-guard.ts';
import type { Resolver } from '../net/resolver.ts';

/**
 * Checks one target by one protocol. The caller owns the deadline. Never throws for anything a target does: it returns
 * a `CheckResult`, and then nothing of the check is left open.
 */
export type Probe<R extends CheckRequest = CheckRequest> = (
  request: R,
  context: ProbeContext,
) => Promise<CheckResult>;

/** Runs one kind of inspection, under the same rules as a `Probe`. */
export type Inspector<Request extends InspectionRequest = InspectionRequest> = (
  request: Request,
  context: ProbeContext,
) => Promise<InspectionResult<Request['kind']>>;

export interface ProbeContext {
  /** Aborted with the reason `'deadline'`, or `'shutdown'` when the process ends. */
  signal: AbortSignal;
  clock: Clock;
  resolver: Resolver;
  guard: AddressGuard;
  /** To be called when a packet is sent: only the first call of a check counts. */
  onSend?(): void;
}

export type AbortReason = 'deadline' | 'shutdown';

/**
 * Abort handling of a check: one listener on the signal for the whole check, and one handler, set by the current step.
 * Steps run one after the other, so one handler is enough.
 */
export type Stop = ReturnType<typeof createStop>;

export function createStop(signal: AbortSignal) {
  let current: (() => void) | null = null;
  const onAbort = (): void => current?.();
  signal.addEventListener('abort', onAbort);
  return {
    signal,
    /**
     * Sets the handler that ends the current step; null for none. It is called at once if the signal is already aborted.
     */
    onAbort(call: (() => void) | null) {
      current = call;
      if (signal.aborted) call?.();
    },
    release() {
      current = null;
      signal.removeEventListener('abort', onAbort);
    },
  };
}

export function isShutdown(signal: AbortSignal): boolean {
  return signal.aborted && signal.reason === 'shutdown';
}

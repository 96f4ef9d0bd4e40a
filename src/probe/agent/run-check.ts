import { afterPendingEvents, type Clock, type Timer } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { unknownResult, type CheckRequest, type CheckResult } from '../../model/check.ts';
import type { InspectionRequest, InspectionResult } from '../../model/inspection.ts';
import type { AddressGuard } from '../../net/address-guard.ts';
import type { Resolver } from '../../net/resolver.ts';
import type { AbortReason, Inspector, Probe } from '../contract.ts';
import { probeError, shutdownFailure } from '../failures.ts';
import type { Inspectors, Registry } from './registry.ts';
import type { StallDetector } from './stall-detector.ts';
import { discountStalls, whyUnreliable } from './discount-stalls.ts';

/** Dependencies of checks and inspections. */
export interface RunDeps {
  registry: Registry;
  inspectors: Inspectors;
  resolver: Resolver;
  guard: AddressGuard;
  clock: Clock;
  log: Log;
}

/** A check or inspection in progress. */
export interface Run<Result> {
  /** Never rejects. Settles at most `GRACE_MS` after the time limit. */
  result: Promise<Result>;
  /** Ends it at once, with a result that says so. */
  abort(): void;
}

/** Time that a probe has after its deadline to report its result. */
const GRACE_MS = 300;
/** Most overtime of an inspection, and of a check that a person waits for: the bus awaits their answers for `BUS_MARGIN_MS`. */
const URGENT_OVERTIME_MS = 500;

/**
 * Runs a check, and calls `onEnd` when it ends. Its deadline counts from now, however long it waited, and only time in
 * which this process ran: the target gets the time of stalls in addition, up to its time limit once more.
 */
export function runCheck(
  request: CheckRequest,
  lag: StallDetector,
  deps: RunDeps,
  onEnd: () => void,
): Run<CheckResult> {
  const { registry, resolver, guard, clock, log } = deps;
  const { type, timeoutMs, monitorId, teamId } = request;
  const maxOvertimeMs = teamId === undefined ? URGENT_OVERTIME_MS : timeoutMs;
  const mark = lag.mark();
  let sentAt: number | null = null;
  const onSend = (): void => {
    sentAt ??= clock.now();
  };
  const resolve: Resolver['resolve'] = (name, signal) => {
    onSend();
    return resolver.resolve(name, signal);
  };

  async function check(signal: AbortSignal): Promise<CheckResult> {
    const probe = registry[type] as Probe | undefined;
    if (probe === undefined)
      return unknownResult('probe_unable', `The probe knows no checks of type ${type}`);
    try {
      const { hasNetwork } = resolver;
      const context = { signal, clock, resolver: { hasNetwork, resolve }, guard, onSend };
      const result = await probe(request, context);
      const elapsedMs = clock.monotonic() - mark.at;
      const counted = discountStalls(result, lag.since(mark), { elapsedMs, timeoutMs });
      return sentAt === null ? counted : { ...counted, sentAt };
    } catch (error) {
      // Log: A fault of Tocsin. The result is unknown.
      log.error({ type, monitor_id: monitorId, error: describe(error) }, 'A probe failed.');
      return { ...unknownResult('probe_error', ''), failure: probeError(error) };
    }
  }

  return withDeadline({
    clock,
    timeoutMs,
    overtimeMs: () => Math.min(lag.since(mark).totalMs, maxOvertimeMs),
    work: check,
    overdue() {
      // Log: A fault of Tocsin. The result is unknown.
      log.error({ type, monitor_id: monitorId }, 'A probe did not end at its deadline.');
      return unknownResult('probe_error', 'The probe did not end at the deadline');
    },
    aborted: abortedCheck,
    onEnd,
  });
}

/** Runs an inspection. A name server's silence is unknown if it may be this process's own. */
export function runInspection(
  request: InspectionRequest,
  lag: StallDetector,
  { inspectors, resolver, guard, clock, log }: RunDeps,
  onEnd: () => void,
): Run<InspectionResult> {
  const { kind, timeoutMs } = request;
  const mark = lag.mark();

  async function inspect(signal: AbortSignal): Promise<InspectionResult> {
    try {
      const inspector = inspectors[kind] as Inspector;
      const result = await inspector(request, { signal, clock, resolver, guard });
      if (result.state !== 'failed') return result;
      const time = { elapsedMs: clock.monotonic() - mark.at, timeoutMs };
      const reason = whyUnreliable(result.failure, lag.since(mark), time);
      return reason === null ? result : { state: 'unknown', reason };
    } catch (error) {
      // Log: A fault of Tocsin. Nothing changes.
      log.error({ kind, error: describe(error) }, 'An inspection failed.');
      return { state: 'unknown', reason: probeError(error).text };
    }
  }

  return withDeadline<InspectionResult>({
    clock,
    timeoutMs,
    overtimeMs: () => Math.min(lag.since(mark).totalMs, URGENT_OVERTIME_MS),
    work: inspect,
    onEnd,
    overdue() {
      // Log: A fault of Tocsin. Nothing changes.
      log.error({ kind }, 'An inspection did not end at its deadline.');
      return { state: 'unknown', reason: 'The inspection did not end at the deadline' };
    },
    aborted: abortedInspection,
  });
}

/**
 * Starts the work and aborts its signal at the deadline, once what has arrived by then was read; work that continues
 * after that is abandoned.
 */
function withDeadline<Result>(task: {
  clock: Clock;
  timeoutMs: number;
  /** Time that is added to the limit, asked for when that is over. */
  overtimeMs?(): number;
  work(signal: AbortSignal): Promise<Result>;
  overdue(): Result;
  aborted(): Result;
  /** Called once, before the result settles. */
  onEnd?(): void;
}): Run<Result> {
  const { clock, timeoutMs } = task;
  const deadline = new AbortController();
  const end = (reason: AbortReason): void => deadline.abort(reason);
  let timer: Timer | null = null;
  let hasEnded = false;
  const { promise: result, resolve } = Promise.withResolvers<Result>();
  function settle(settled: Result): void {
    if (hasEnded) return;
    hasEnded = true;
    clock.clear(timer);
    task.onEnd?.();
    resolve(settled);
  }
  const expire = (): void =>
    afterPendingEvents(clock, () => {
      if (hasEnded) return;
      timer = clock.after(GRACE_MS, () => settle(task.overdue()));
      end('deadline');
    });
  timer = clock.after(timeoutMs, () => {
    const overtimeMs = task.overtimeMs?.() ?? 0;
    if (overtimeMs > 0) timer = clock.after(overtimeMs, expire);
    else expire();
  });
  const work = async (): Promise<void> => settle(await task.work(deadline.signal));
  void work();
  return {
    result,
    abort() {
      end('shutdown');
      settle(task.aborted());
    },
  };
}

export function abortedCheck(): CheckResult {
  return unknownResult('aborted', shutdownFailure().text);
}

export function abortedInspection(): InspectionResult {
  return { state: 'unknown', reason: 'The probe stopped before the inspection ended' };
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

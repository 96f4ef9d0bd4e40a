import type { Clock, Timer } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { NO_TIMINGS, unknownResult, type CheckRequest, type CheckResult } from '../model/check.ts';
import type { InspectionRequest, InspectionResult } from '../model/inspection.ts';
import type { AddressGuard } from '../net/address-guard.ts';
import type { Resolver } from '../net/resolver.ts';
import type { AbortReason, Inspector, Probe } from './contract.ts';
import { probeError, seconds, shutdownFailure } from './failures.ts';
import type { Inspectors } from './inspection/inspectors.ts';
import type { LoopLag, Stalls } from './loop-lag.ts';
import type { Registry } from './registry.ts';

/** What checks and inspections need of their probe. */
export interface RunDeps {
  registry: Registry;
  inspectors: Inspectors;
  resolver: Resolver;
  guard: AddressGuard;
  clock: Clock;
  log: Log;
}

/** A check or an inspection under way. */
export interface Run<Result> {
  /** Never rejects. Settles at the latest `GRACE_MS` after the time limit. */
  result: Promise<Result>;
  /** Ends it at once, with an answer that says so. */
  abort(): void;
}

/** How long after its deadline a probe may take to report what it saw. */
const GRACE_MS = 300;
/** A failure during which this process stood still for that long, or for that share of the time limit, proves nothing. */
const LAG_MS = 250;
const LAG_SHARE = 0.1;

/** One check. Its deadline runs from now, however long it waited before. */
export function runCheck(request: CheckRequest, lag: LoopLag, deps: RunDeps): Run<CheckResult> {
  const { registry, resolver, guard, clock, log } = deps;
  const { type, timeoutMs, monitorId } = request;
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
      const context = { signal, clock, resolver: { ...resolver, resolve }, guard, onSend };
      const saw = judge(await probe(request, context), lag.since(mark), timeoutMs);
      return sentAt === null ? saw : { ...saw, sentAt };
    } catch (error) {
      log.error({ type, monitorId, error: describe(error) }, 'A probe failed.');
      return { ...unknownResult('probe_error', ''), failure: probeError(error) };
    }
  }

  return withDeadline({
    clock,
    timeoutMs,
    work: check,
    overdue() {
      log.error({ type, monitorId }, 'A probe did not end at its deadline.');
      return unknownResult('probe_error', 'The probe did not end at the deadline');
    },
    aborted: abortedCheck,
  });
}

/** One inspection. What it finds is inspected again before it counts, so a stall of this process needs no care here. */
export function runInspection(
  request: InspectionRequest,
  { inspectors, resolver, guard, clock, log }: RunDeps,
): Run<InspectionResult> {
  const { kind, timeoutMs } = request;

  async function inspect(signal: AbortSignal): Promise<InspectionResult> {
    try {
      const inspector = inspectors[kind] as Inspector;
      return await inspector(request, { signal, clock, resolver, guard });
    } catch (error) {
      log.error({ kind, error: describe(error) }, 'An inspection failed.');
      return { state: 'unknown', reason: probeError(error).text };
    }
  }

  return withDeadline<InspectionResult>({
    clock,
    timeoutMs,
    work: inspect,
    overdue() {
      log.error({ kind }, 'An inspection did not end at its deadline.');
      return { state: 'unknown', reason: 'The inspection did not end at the deadline' };
    },
    aborted: abortedInspection,
  });
}

/** Starts the work. Its signal is aborted at the deadline; work that goes on after that is given up. */
function withDeadline<Result>(task: {
  clock: Clock;
  timeoutMs: number;
  work(signal: AbortSignal): Promise<Result>;
  overdue(): Result;
  aborted(): Result;
}): Run<Result> {
  const { clock, timeoutMs } = task;
  const deadline = new AbortController();
  const end = (reason: AbortReason): void => deadline.abort(reason);
  let timer: Timer | null = null;
  let settle: (result: Result) => void;
  const result = new Promise<Result>((resolve) => {
    settle = (settled) => {
      clock.clear(timer);
      resolve(settled);
    };
  });
  timer = clock.after(timeoutMs, () => {
    timer = clock.after(GRACE_MS, () => settle(task.overdue()));
    end('deadline');
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

/**
 * What a result is worth. A failure seen while this process stood still may be our own fault: unknown. An answer is an
 * answer even then, but its times are not the target's: none are told.
 */
export function judge(saw: CheckResult, stalls: Stalls, timeoutMs: number): CheckResult {
  const share = timeoutMs * LAG_SHARE;
  const lagged = stalls.longestMs > Math.min(LAG_MS, share) || stalls.totalMs >= share;
  if (saw.vote === 'down' && lagged)
    return unknownResult(
      'probe_lagged',
      `The probe stood still for ${seconds(stalls.totalMs)} during the check`,
    );
  return saw.vote === 'up' && lagged ? withoutTimes(saw) : saw;
}

/** Whether a family of addresses was silent is a matter of time, too. */
function withoutTimes({ families: _families, ...saw }: CheckResult): CheckResult {
  return { ...saw, responseTimeMs: null, timings: NO_TIMINGS };
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

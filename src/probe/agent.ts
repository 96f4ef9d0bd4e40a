import type { Clock, Timer } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { NO_TIMINGS, unknownResult, type CheckRequest, type CheckResult } from '../model/check.ts';
import type { InspectionRequest, InspectionResult } from '../model/inspection.ts';
import type { AddressGuard } from '../net/address-guard.ts';
import type { Resolver } from '../net/resolver.ts';
import type { AbortReason, Inspector, Probe, ProbeContext } from './contract.ts';
import { probeError, seconds, shutdownFailure } from './failures.ts';
import { createLoopLag, type LoopLag, type Stalls } from './loop-lag.ts';
import type { Inspectors } from './inspection/inspectors.ts';
import type { Registry } from './registry.ts';

/** Runs checks: owns their deadlines, bounds how many run at once, and doubts what it saw while it stood still itself. */
export interface Agent {
  /** Never rejects. Settles at the latest `QUEUE_ALLOWANCE_MS + GRACE_MS` after the request's own time limit. */
  run(request: CheckRequest): Promise<CheckResult>;
  /** The same for an inspection, of which there are few: they wait for no turn. */
  inspect(request: InspectionRequest): Promise<InspectionResult>;
  /** Checks under way and waiting for their turn. */
  load(): { running: number; queued: number };
  /** Aborts what runs or waits: it answers `aborted`, as do checks that are asked for later. */
  close(): void;
}

export interface AgentDeps {
  registry: Registry;
  inspectors: Inspectors;
  resolver: Resolver;
  guard: AddressGuard;
  clock: Clock;
  log: Log;
  /** How many checks may run at once; the others wait for their turn. */
  maxConcurrent: number;
}

/** How long a check may wait for its turn without losing time of its own. */
const QUEUE_ALLOWANCE_MS = 400;
/** How long after its deadline a probe may take to tell what it saw. */
const GRACE_MS = 300;
/** A failure during which this process stood still for that long, or for that share of the time limit, proves nothing. */
const LAG_MS = 250;
const LAG_SHARE = 0.1;

interface Queued {
  start(): void;
  drop(result: CheckResult): void;
}

export function createAgent(deps: AgentDeps): Agent {
  const { clock, maxConcurrent } = deps;
  const lag = createLoopLag(clock);
  const queue = new Set<Queued>();
  const running = new Set<() => void>();
  const inspecting = new Set<() => void>();
  let closed = false;

  function start(request: CheckRequest, waitedMs: number): Promise<CheckResult> {
    if (running.size === 0) lag.start();
    const { result, abort } = runOne(request, waitedMs, lag, deps);
    running.add(abort);
    return result.finally(() => {
      running.delete(abort);
      startNext();
    });
  }

  async function inspect(request: InspectionRequest): Promise<InspectionResult> {
    const { result, abort } = inspectOne(request, deps);
    inspecting.add(abort);
    return result.finally(() => inspecting.delete(abort));
  }

  function startNext(): void {
    const [next] = queue;
    if (next) next.start();
    else if (running.size === 0) lag.stop();
  }

  function enqueue(request: CheckRequest): Promise<CheckResult> {
    return new Promise((resolve) => {
      const since = clock.monotonic();
      const leave = () => {
        queue.delete(queued);
        clock.clear(timer);
      };
      const queued: Queued = {
        start() {
          leave();
          resolve(start(request, clock.monotonic() - since));
        },
        drop(result) {
          leave();
          resolve(result);
        },
      };
      const timer = clock.after(request.timeoutMs, () => queued.drop(overloaded()));
      queue.add(queued);
    });
  }

  return {
    run(request) {
      if (closed) return Promise.resolve(aborted());
      return running.size < maxConcurrent ? start(request, 0) : enqueue(request);
    },
    inspect: (request) => (closed ? Promise.resolve(inspectionAborted()) : inspect(request)),
    load: () => ({ running: running.size, queued: queue.size }),
    close() {
      closed = true;
      for (const queued of queue) queued.drop(aborted());
      for (const abort of running) abort();
      for (const abort of inspecting) abort();
    },
  };
}

function runOne(
  request: CheckRequest,
  waitedMs: number,
  lag: LoopLag,
  { registry, resolver, guard, clock, log }: AgentDeps,
): { result: Promise<CheckResult>; abort(): void } {
  const { type, timeoutMs, monitorId } = request;
  const deadline = new AbortController();
  const mark = lag.mark();
  // Whoever asked waits for the time limit and little more, so a long wait for its turn shortens the check.
  const allowedMs = Math.min(timeoutMs, timeoutMs + QUEUE_ALLOWANCE_MS - waitedMs);
  let timer: Timer | null = null;
  let settle: (result: CheckResult) => void;
  const result = new Promise<CheckResult>((resolve) => {
    settle = (settled) => {
      clock.clear(timer);
      resolve(settled);
    };
  });

  const end = (reason: AbortReason) => deadline.abort(reason);
  timer = clock.after(allowedMs, () => {
    timer = clock.after(GRACE_MS, () => {
      log.error({ type, monitorId }, 'A probe did not end at its deadline.');
      settle(unknownResult('probe_error', 'The probe did not end at the deadline'));
    });
    end('deadline');
  });

  const probe = registry[type] as Probe | undefined;
  const seen =
    probe === undefined
      ? Promise.resolve(unknownResult('probe_unable', `The probe knows no checks of type ${type}`))
      : attempt(() => probe(request, { signal: deadline.signal, clock, resolver, guard }));
  void seen.then(
    (saw) => settle(judge(saw, lag.since(mark), timeoutMs, allowedMs)),
    (error: unknown) => {
      log.error({ type, monitorId, error: describe(error) }, 'A probe failed.');
      settle({ ...unknownResult('probe_error', ''), failure: probeError(error) });
    },
  );
  return {
    result,
    abort() {
      end('shutdown');
      settle(aborted());
    },
  };
}

/** An inspection and its deadline. What it finds is looked at again before it counts, so a stall needs no care here. */
function inspectOne(
  request: InspectionRequest,
  { inspectors, resolver, guard, clock, log }: AgentDeps,
): { result: Promise<InspectionResult>; abort(): void } {
  const { kind, timeoutMs } = request;
  const deadline = new AbortController();
  const context: ProbeContext = { signal: deadline.signal, clock, resolver, guard };
  let settle: (result: InspectionResult) => void;
  let timer: Timer | null = null;
  const result = new Promise<InspectionResult>((resolve) => {
    settle = (settled) => {
      clock.clear(timer);
      resolve(settled);
    };
  });
  const end = (reason: AbortReason) => deadline.abort(reason);
  timer = clock.after(timeoutMs, () => {
    timer = clock.after(GRACE_MS, () => {
      log.error({ kind }, 'An inspection did not end at its deadline.');
      settle({ state: 'unknown', reason: 'The inspection did not end at the deadline' });
    });
    end('deadline');
  });
  const inspector = inspectors[kind] as Inspector;
  void attempt(() => inspector(request, context)).then(
    (found) => settle(found),
    (error: unknown) => {
      log.error({ kind, error: describe(error) }, 'An inspection failed.');
      settle({ state: 'unknown', reason: probeError(error).text });
    },
  );
  return {
    result,
    abort() {
      end('shutdown');
      settle(inspectionAborted());
    },
  };
}

function inspectionAborted(): InspectionResult {
  return { state: 'unknown', reason: 'The probe stopped before the inspection ended' };
}

/** Also turns what is thrown before the first `await` into a rejection. */
async function attempt<Result>(probe: () => Promise<Result>): Promise<Result> {
  return probe();
}

/**
 * What a result is worth. A failure seen while this process stood still may be our own fault: unknown. An answer is an
 * answer even then, but its times are not the target's: none are told.
 */
export function judge(
  saw: CheckResult,
  stalls: Stalls,
  timeoutMs: number,
  allowedMs: number,
): CheckResult {
  const share = timeoutMs * LAG_SHARE;
  const lagged = stalls.longestMs > Math.min(LAG_MS, share) || stalls.totalMs >= share;
  if (saw.vote === 'down' && lagged)
    return unknownResult(
      'probe_lagged',
      `The probe stood still for ${seconds(stalls.totalMs)} during the check`,
    );
  if (saw.vote === 'down' && allowedMs < timeoutMs) return overloaded();
  return saw.vote === 'up' && lagged ? withoutTimes(saw) : saw;
}

/** Whether a family of addresses was silent is a matter of time, too. */
function withoutTimes({ families: _families, ...saw }: CheckResult): CheckResult {
  return { ...saw, responseTimeMs: null, timings: NO_TIMINGS };
}

function overloaded(): CheckResult {
  return unknownResult('probe_unable', 'This probe is overloaded');
}

function aborted(): CheckResult {
  return unknownResult('aborted', shutdownFailure().text);
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

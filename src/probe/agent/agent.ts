import { afterPendingEvents, type Timer, type Clock } from '../../lib/clock.ts';
import { unknownResult, type CheckRequest, type CheckResult } from '../../model/check.ts';
import type { InspectionRequest, InspectionResult } from '../../model/inspection.ts';
import { MAX_SLOT_WAIT_MS } from '../../model/probe-load.ts';
import { hostOfRequest } from '../../monitor-types/registry.ts';
import { createFairQueue, type Owner } from './fair-queue.ts';
import {
  createStallDetector,
  discountStalls,
  whyUnreliable,
  type StallDetector,
} from './stalls.ts';
import type { Log } from '../../lib/log.ts';
import type { AddressGuard } from '../../net/address-guard.ts';
import type { Resolver } from '../../net/resolver.ts';
import type { AbortReason, Inspector, Probe } from '../contract.ts';
import { probeError, shutdownFailure } from '../failures.ts';
import type { Inspectors, Registry } from './registry.ts';

/** Runs checks as fast as this process can, sharing its slots fairly between teams and hosts. */
export type Agent = ReturnType<typeof createAgent>;

export interface AgentDeps extends RunDeps {
  /** Maximum number of concurrent team checks; others wait for a slot. */
  maxConcurrent: number;
}

/** Extra slots for checks that can't wait: those requested by people, and the operator's self-checks. */
export const URGENT_SLOTS = 32;
/**
 * Maximum number of checks started per event loop iteration. More would delay the responses of running checks: an
 * overloaded process starts checks as fast as it finishes them, and the rest wait before they start.
 */
const MAX_STARTS_PER_ITERATION = 16;

/** Checks of a round that wait for slots. They start one after another, so that they share the lookup of their host. */
interface WaitingRound {
  owner: Owner;
  request: CheckRequest;
  /** Monotonic milliseconds. */
  since: number;
  checks: PromiseWithResolvers<CheckResult>[];
  timer: Timer;
}

export function createAgent(deps: AgentDeps) {
  const { clock, maxConcurrent } = deps;
  const lag = createStallDetector(clock);
  const queue = createFairQueue<WaitingRound>();
  /** By the request that the checks of a round share, longest waiting first. */
  const waiting = new Map<CheckRequest, WaitingRound>();
  let waitingChecks = 0;
  /** The round that left the queue last: the rest of its checks come first. */
  let begun: WaitingRound | undefined;
  const running = new Set<Run<CheckResult>>();
  const inspecting = new Set<Run<InspectionResult>>();
  let startedInIteration = 0;
  let closed = false;

  function start(request: CheckRequest, owner: Owner | null): Promise<CheckResult> {
    lag.start();
    if (owner !== null) queue.acquire(owner);
    const run = runCheck(request, lag, deps, () => {
      running.delete(run);
      if (owner !== null) queue.release(owner);
      startWaiting();
      stopWhenIdle();
    });
    running.add(run);
    return run.result;
  }

  function stopWhenIdle(): void {
    if (running.size + inspecting.size === 0) lag.stop();
  }

  function startInSlot(request: CheckRequest, owner: Owner): Promise<CheckResult> {
    if (startedInIteration++ === 0) clock.soon(beginIteration);
    return start(request, owner);
  }

  function beginIteration(): void {
    startedInIteration = 0;
    startWaiting();
  }

  function mayStart(): boolean {
    return running.size < maxConcurrent && startedInIteration < MAX_STARTS_PER_ITERATION;
  }

  function startWaiting(): void {
    while (waitingChecks > 0 && mayStart()) {
      begun ??= queue.take()!;
      const { request, owner, checks } = begun;
      const check = checks.shift()!;
      waitingChecks--;
      if (checks.length === 0) forget(begun);
      check.resolve(startInSlot(request, owner));
    }
  }

  function wait(request: CheckRequest, owner: Owner): Promise<CheckResult> {
    let round = waiting.get(request);
    if (round === undefined) {
      const timer = clock.after(MAX_SLOT_WAIT_MS, () => drop(entry, overloaded(WAITED_TOO_LONG)));
      const entry = { owner, request, since: clock.monotonic(), checks: [], timer };
      waiting.set(request, (round = entry));
      queue.add(owner, round);
    }
    const check = Promise.withResolvers<CheckResult>();
    round.checks.push(check);
    waitingChecks++;
    return check.promise;
  }

  function forget(round: WaitingRound): void {
    if (begun === round) begun = undefined;
    waiting.delete(round.request);
    clock.clear(round.timer);
  }

  function drop(round: WaitingRound, result: CheckResult): void {
    forget(round);
    queue.remove(round.owner, round);
    waitingChecks -= round.checks.length;
    for (const check of round.checks) check.resolve(result);
  }

  function longestWaitMs(): number {
    const [first] = waiting.values();
    return first === undefined ? 0 : clock.monotonic() - first.since;
  }

  async function runUrgent(request: CheckRequest): Promise<CheckResult> {
    return running.size < maxConcurrent + URGENT_SLOTS ? start(request, null) : overloaded(NO_SLOT);
  }

  return {
    /**
     * Runs a check; never rejects. A team's check waits for a slot for up to `MAX_SLOT_WAIT_MS`, and its time limit
     * counts from its own start. A check without a team starts at once, or reports that the probe is overloaded.
     */
    run(request: CheckRequest) {
      if (closed) return Promise.resolve(abortedCheck());
      if (request.teamId === undefined) return runUrgent(request);
      const owner = ownerOf(request, request.teamId);
      return waitingChecks === 0 && mayStart() ? startInSlot(request, owner) : wait(request, owner);
    },
    /** Runs an inspection. Inspections are few and need no slot. */
    async inspect(request: InspectionRequest) {
      if (closed) return abortedInspection();
      lag.start();
      const run = runInspection(request, lag, deps, () => {
        inspecting.delete(run);
        stopWhenIdle();
      });
      inspecting.add(run);
      return run.result;
    },
    load: () => ({
      running: running.size,
      waiting: waitingChecks,
      longestWaitMs: longestWaitMs(),
      capacity: maxConcurrent,
    }),
    /** Aborts running and waiting checks, and all later ones, with the result `aborted`. */
    close() {
      closed = true;
      for (const round of waiting.values()) drop(round, abortedCheck());
      for (const { abort } of running) abort();
      for (const { abort } of inspecting) abort();
    },
  };
}

/** The checks of a round share their request, so that its host is read once. */
const owners = new WeakMap<CheckRequest, Owner>();

function ownerOf(request: CheckRequest, teamId: number): Owner {
  let owner = owners.get(request);
  if (owner === undefined)
    owners.set(request, (owner = { teamId, host: hostOfRequest(request) ?? '' }));
  return owner;
}

const NO_SLOT = 'no slot is free';
const WAITED_TOO_LONG = `no slot was free for ${MAX_SLOT_WAIT_MS / 60_000} minutes`;

function overloaded(why: string): CheckResult {
  return unknownResult('probe_unable', `This probe is overloaded: ${why}`);
}

interface RunDeps {
  registry: Registry;
  inspectors: Inspectors;
  resolver: Resolver;
  guard: AddressGuard;
  clock: Clock;
  log: Log;
}

interface Run<Result> {
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
function runCheck(request: CheckRequest, lag: StallDetector, deps: RunDeps, onEnd: () => void) {
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
    const probe = registry[type as keyof Registry] as Probe | undefined;
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
function runInspection(
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
  const expire = () =>
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

function abortedCheck(): CheckResult {
  return unknownResult('aborted', shutdownFailure().text);
}

function abortedInspection(): InspectionResult {
  return { state: 'unknown', reason: 'The probe stopped before the inspection ended' };
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

import type { Timer } from '../../lib/clock.ts';
import { unknownResult, type CheckRequest, type CheckResult } from '../../model/check.ts';
import type { InspectionRequest, InspectionResult } from '../../model/inspection.ts';
import { MAX_SLOT_WAIT_MS, type ProbeLoad } from '../../model/probe-load.ts';
import { hostOfRequest } from '../../monitor-types/registry.ts';
import { createFairQueue, type Owner } from './fair-queue.ts';
import { createStallDetector } from './stall-detector.ts';
import { abortedCheck, abortedInspection, runCheck, runInspection } from './run-check.ts';
import type { Run, RunDeps } from './run-check.ts';

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

import type { Timer } from '../../lib/clock.ts';
import { unknownResult, type CheckRequest, type CheckResult } from '../../model/check.ts';
import type { InspectionRequest, InspectionResult } from '../../model/inspection.ts';
import { MAX_SLOT_WAIT_MS, type ProbeLoad } from '../../model/probe-load.ts';
import { createFairQueue, type Owner } from './fair-queue.ts';
import { createLoopLag } from './loop-lag.ts';
import { abortedCheck, abortedInspection, runCheck, runInspection } from './run-check.ts';
import type { Run, RunDeps } from './run-check.ts';

/** Runs checks: starts them as fast as this process can follow, and shares its slots fairly between teams and hosts. */
export interface Agent {
  /**
   * Never rejects. A check of a team waits for a slot, at most `MAX_WAIT_MS`; the time limit runs from its own start.
   * One without a team starts at once, or answers that the probe is overloaded.
   */
  run(request: CheckRequest): Promise<CheckResult>;
  /** The same for an inspection, of which there are few: they wait for no slot. */
  inspect(request: InspectionRequest): Promise<InspectionResult>;
  load(): Omit<ProbeLoad, 'openFiles'>;
  /** Aborts what runs or waits: it answers `aborted`, as do checks that are asked for later. */
  close(): void;
}

export interface AgentDeps extends RunDeps {
  /** How many checks of teams may run at once; the others wait for a slot. */
  maxConcurrent: number;
}

/** Slots beyond `maxConcurrent` for checks that cannot wait: those of people, and the operator's self-checks. */
export const URGENT_SLOTS = 32;
/**
 * Checks that start in one turn of the event loop. More would delay the answers of those under way. So a process that
 * is asked for more than it can do starts checks as fast as it finishes them, and the others wait before they start.
 */
const STARTS_PER_TURN = 16;

interface Waiting {
  owner: Owner;
  /** Monotonic milliseconds. */
  since: number;
  start(): void;
  drop(result: CheckResult): void;
}

export function createAgent(deps: AgentDeps): Agent {
  const { clock, maxConcurrent } = deps;
  const lag = createLoopLag(clock);
  const queue = createFairQueue<Waiting>();
  /** The one that has waited longest first. */
  const waiting = new Set<Waiting>();
  const running = new Set<Run<CheckResult>>();
  const inspecting = new Set<Run<InspectionResult>>();
  let startedInTurn = 0;
  let closed = false;

  async function start(request: CheckRequest, owner: Owner | null): Promise<CheckResult> {
    if (running.size === 0) lag.start();
    if (owner !== null) queue.hold(owner);
    const run = runCheck(request, lag, deps);
    running.add(run);
    return run.result.finally(() => {
      running.delete(run);
      if (owner !== null) queue.release(owner);
      startWaiting();
      if (running.size === 0) lag.stop();
    });
  }

  function startOf(request: CheckRequest, owner: Owner): Promise<CheckResult> {
    if (startedInTurn++ === 0) clock.soon(beginTurn);
    return start(request, owner);
  }

  function beginTurn(): void {
    startedInTurn = 0;
    startWaiting();
  }

  function mayStart(): boolean {
    return running.size < maxConcurrent && startedInTurn < STARTS_PER_TURN;
  }

  function startWaiting(): void {
    while (queue.size > 0 && mayStart()) queue.take()!.start();
  }

  function wait(request: CheckRequest, owner: Owner): Promise<CheckResult> {
    return new Promise((resolve) => {
      const entry: Waiting = {
        owner,
        since: clock.monotonic(),
        start() {
          leave();
          resolve(startOf(request, owner));
        },
        drop(result) {
          leave();
          queue.remove(owner, entry);
          resolve(result);
        },
      };
      const timer: Timer = clock.after(MAX_SLOT_WAIT_MS, () =>
        entry.drop(overloaded(WAITED_TOO_LONG)),
      );
      const leave = (): void => {
        waiting.delete(entry);
        clock.clear(timer);
      };
      waiting.add(entry);
      queue.add(owner, entry);
    });
  }

  async function runUrgent(request: CheckRequest): Promise<CheckResult> {
    return running.size < maxConcurrent + URGENT_SLOTS ? start(request, null) : overloaded(NO_SLOT);
  }

  function longestWaitMs(): number {
    const [first] = waiting;
    return first === undefined ? 0 : clock.monotonic() - first.since;
  }

  return {
    run(request) {
      if (closed) return Promise.resolve(abortedCheck());
      if (request.teamId === undefined) return runUrgent(request);
      const owner = { teamId: request.teamId, host: hostOf(request) };
      return queue.size === 0 && mayStart() ? startOf(request, owner) : wait(request, owner);
    },
    async inspect(request) {
      if (closed) return abortedInspection();
      const run = runInspection(request, deps);
      inspecting.add(run);
      return run.result.finally(() => inspecting.delete(run));
    },
    load: () => ({
      running: running.size,
      waiting: waiting.size,
      longestWaitMs: longestWaitMs(),
      capacity: maxConcurrent,
    }),
    close() {
      closed = true;
      for (const entry of waiting) entry.drop(abortedCheck());
      for (const { abort } of running) abort();
      for (const { abort } of inspecting) abort();
    },
  };
}

function hostOf(request: CheckRequest): string {
  const host = request.type === 'http' ? URL.parse(request.url)?.hostname : request.host;
  return host?.toLowerCase() ?? '';
}

const NO_SLOT = 'no slot is free';
const WAITED_TOO_LONG = `no slot was free for ${MAX_SLOT_WAIT_MS / 60_000} minutes`;

function overloaded(why: string): CheckResult {
  return unknownResult('probe_unable', `This probe is overloaded: ${why}`);
}

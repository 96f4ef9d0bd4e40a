import { CLOCK_TOLERANCE_MS, type Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { createPoller } from '../../lib/poller.ts';
import type { Heartbeat } from '../../model/heartbeat.ts';
import { listGapsAndSetbacks } from '../../store/engine/process-marks.ts';
import type { Database, Tx } from '../../store/database/contract.ts';
import { isAway, isBusy, isUnavailable } from '../../store/database/errors.ts';
import {
  isAnyDue,
  lockDueHeartbeats,
  lockFirstDue,
  setDue,
  writeHeartbeats,
} from '../../store/engine/heartbeats.ts';
import { changeSpans } from '../../store/engine/spans.ts';
import { applyIncidentChanges, decideInOrder } from '../record/record.ts';
import { PingExpectations } from './expectations.ts';
import { SETTLE_MS, evaluateSilence, type HeartbeatOutcome } from './state.ts';

export interface SweepDependencies {
  database: Database;
  clock: Clock;
  log: Log;
  /** Whether this process has listened well enough of late to say that nothing came. */
  isCertain(): boolean;
  /** When the oldest ping was received that is not on disk yet (epoch ms); null when there is none. */
  oldestWaitingAt(): number | null;
  /** The same of pings that wait because another session holds their monitor. */
  heldUpSince?(monitorId: number): number | null;
  /** Until when other processes have on disk all that was sent to them (epoch ms); null when there is no other one. */
  heardByOthers?(tx: Tx): Promise<number | null>;
}

const EVERY_MS = 1_000;
const AT_ONCE = 500;
const POSTPONE_MS = 300_000;
/** Another session holds a row of it. */
const BUSY_AGAIN_MS = 10_000;

/** Detects the jobs that did not call. */
export function createSweep(dependencies: SweepDependencies) {
  const { database, clock, log, isCertain, oldestWaitingAt, heldUpSince } = dependencies;
  const expectations = new PingExpectations();
  const counters = {
    /** Evaluations of a job, most of which find that it has called. */
    evaluated: 0,
    failures: 0,
  };

  const poller = createPoller({
    run: sweep,
    clock,
    intervalMs: EVERY_MS,
    // With the database away nothing can be evaluated.
    isUnavailable,
    // Log: It is tried again.
    onFailure: (error) => log.error({ error }, 'Silence of jobs could not be evaluated.'),
  });
  const mayGoOn = () => !poller.isStopped && isCertain();

  /** Until when all that was sent to us has been taken. */
  function heardUntil(): number {
    return Math.min(clock.now(), oldestWaitingAt() ?? Infinity) - SETTLE_MS;
  }

  /** The same of all processes. Asked before the states of jobs are read, which then hold all that was heard. */
  async function heardByAll(tx: Tx): Promise<number> {
    const byOthers = (await dependencies.heardByOthers?.(tx)) ?? Infinity;
    return Math.min(heardUntil(), byOthers - SETTLE_MS);
  }

  function heardOf(monitorId: number, by: number): number {
    const since = heldUpSince?.(monitorId) ?? null;
    return since === null ? by : Math.min(by, since - SETTLE_MS);
  }

  async function sweep(): Promise<void> {
    try {
      if (!isCertain() || !(await isAnyDue(database.read, heardUntil()))) return;
      let looked = AT_ONCE;
      while (looked === AT_ONCE && mayGoOn()) looked = await evaluateDue(AT_ONCE);
    } catch (error) {
      if (isAway(error)) throw error;
      // Log: One job has a fault. The others go on.
      log.error(
        { error },
        'Silence of jobs could not be evaluated together; trying one job after another.',
      );
      await evaluateOneByOne();
    }
  }

  async function evaluateDue(limit: number): Promise<number> {
    return database.transaction(async (tx) => {
      const by = await heardByAll(tx);
      const due = await lockDueHeartbeats(tx, by, limit);
      // The transaction may have waited long to begin.
      if (due.size === 0 || !isCertain()) return 0;
      const now = clock.now();
      const gaps = await listGapsAndSetbacks(tx, waitedSince(due.values()) - CLOCK_TOLERANCE_MS);
      const known = await expectations.expectationsOf(tx, due);
      counters.evaluated += due.size;
      const decided = decideInOrder(due, [...due.keys()], {
        monitorOf: (id) => id,
        decide: (state, id) => {
          const expectation = known.get(id);
          const heard = { now, heardUntil: heardOf(id, by), gaps };
          return {
            outcome: expectation ? evaluateSilence(state!, expectation, heard) : deletedJob(state!),
            result: id,
          };
        },
      });
      await applyIncidentChanges(tx, decided.incidents, now);
      await changeSpans(tx, decided.spans);
      await writeHeartbeats(tx, decided.changes);
      return due.size;
    });
  }

  /** Something about one job is wrong: the others must not suffer. */
  async function evaluateOneByOne(): Promise<void> {
    for (let count = 0; count < AT_ONCE && mayGoOn(); count += 1) {
      try {
        if ((await evaluateDue(1)) === 0) return;
      } catch (error) {
        if (isAway(error)) throw error;
        counters.failures += 1;
        const id = await postponeFirst(isBusy(error) ? BUSY_AGAIN_MS : POSTPONE_MS);
        // Log: The job that has the fault.
        log.error({ error, monitor_id: id }, 'The silence of a job could not be evaluated.');
      }
    }
  }

  function postponeFirst(byMs: number): Promise<number | null> {
    return database.transaction(async (tx) => {
      const first = await lockFirstDue(tx, await heardByAll(tx));
      if (first !== null) await setDue(tx, first, clock.now() + byMs);
      return first;
    });
  }

  return {
    start: () => poller.start(EVERY_MS),
    /** Waits for the sweep that is under way. Never rejects. */
    stop: () => poller.stop(),
    counters,
  };
}

/** Since when there is a silence of these jobs, or a run of theirs, that may be evaluated (epoch ms): up to a month ago. */
function waitedSince(states: Iterable<Heartbeat>): number {
  let since = Infinity;
  for (const { armedAt, runs } of states) {
    since = runs.reduce((first, run) => Math.min(first, run.startedAt), Math.min(since, armedAt));
  }
  return since;
}

/** Deleted while it was due. */
function deletedJob(state: Heartbeat): HeartbeatOutcome {
  return { state: { ...state, dueAt: null }, spans: [], incidents: [] };
}

/**
 * The path of a check result. The scheduler runs a round when it is due (schedule/scheduler.ts), the probes of its regions
 * vote (schedule/round.ts, bus/), and the round comes here. The verdict on it and all that follows from it is one
 * transaction, `recordRounds`. It ends at the outbox: alerting reads the events (alerting/notifier.ts).
 *
 * In this folder, times are epoch milliseconds of the wall clock unless a comment says monotonic, and periods include their
 * start and not their end.
 */
import type { Clock } from '../lib/clock.ts';
import { GroupCommit, LOCKED } from '../lib/group-commit.ts';
import type { Log } from '../lib/log.ts';
import type { RegionResult } from '../model/check.ts';
import type { Round } from '../model/round.ts';
import type { MonitorState } from '../model/state.ts';
import type { Database } from '../store/database/contract.ts';
import { isBusy, isUnavailable } from '../store/database/errors.ts';
import { inspectionAssignments } from '../store/engine/inspection-assignments.ts';
import { lockFreeStates, writeStates } from '../store/engine/monitor-state.ts';
import { ensureDays, insertRounds } from '../store/engine/results.ts';
import type { RecordedRound } from '../store/engine/round-codec.ts';
import { changeSpans } from '../store/engine/spans.ts';
import { applyIncidentChanges, decideInOrder, type Decision } from './record/record.ts';
import { evaluateRound, type RoundOutcome } from './verdict/evaluate.ts';
import type { RegionHealthMonitor } from './verdict/region-health-monitor.ts';

interface RecorderParts {
  database: Database;
  clock: Clock;
  log: Log;
  /** Keeps the votes of regions whose own network fails from counting; without it all count. */
  regions?: Pick<RegionHealthMonitor, 'suppressVotes' | 'save'>;
  /** Rounds that may wait while the database is away; beyond it the oldest is dropped. */
  capacity?: number;
  /** Time for which finished rounds are gathered into one transaction; five times as long for those in which all is well. */
  gatherMs?: number;
}

const CAPACITY = 20_000;
const GATHER_MS = 50;
/** Rounds in which all is well are the most, change the least, and cost less the more share a transaction. */
const WELL_GATHER_FACTOR = 5;
/** A certificate in which a round found a fault is inspected at once, but not more often than this. */
const CERTIFICATE_RETRY_MS = 60_000;

export type RoundRecorder = ReturnType<typeof createRoundRecorder>;

/** Records finished rounds and what follows from them, one transaction for a whole batch. */
export function createRoundRecorder(parts: RecorderParts) {
  const { clock, log, regions, capacity = CAPACITY, gatherMs = GATHER_MS } = parts;
  const counters = {
    rounds_counted: 0,
    rounds_stale: 0,
    rounds_duplicate: 0,
    rounds_gone: 0,
    rounds_dropped: 0,
  };
  const batches = new GroupCommit<Round, RoundOutcome>({
    async flush(rounds) {
      const outcomes = await recordRounds(parts, rounds, clock.now());
      await regions?.save();
      return outcomes;
    },
    clock,
    maxBatch: 500,
    delayMs: gatherMs,
    delayOf: ({ results }) => (results.every(isWell) ? WELL_GATHER_FACTOR * gatherMs : gatherMs),
    capacity,
    isUnavailable,
    isBusy,
    keyOf: (round) => round.monitorId,
  });
  return {
    /** Takes a finished round, in order per monitor. Settles once it is on disk; never rejects. */
    async submit(round: Round): Promise<RoundOutcome> {
      try {
        const recorded = await batches.submit(round);
        counters[`rounds_${recorded.outcome}`]++;
        return recorded;
      } catch (error) {
        counters.rounds_dropped++;
        const fields = { error, monitor_id: round.monitorId };
        // Log: The time that it covered is unobserved.
        log.error(fields, 'A round could not be recorded and is lost.');
        return { outcome: 'dropped', state: null };
      }
    },
    waiting: () => batches.counts.waiting,
    counters,
    /** Records what was submitted, as far as the database answers. */
    close: () => batches.close(),
  };
}

async function recordRounds(
  { database, regions }: RecorderParts,
  rounds: readonly Round[],
  now: number,
): Promise<(RoundOutcome | typeof LOCKED)[]> {
  const times = rounds.map((round) => round.startedAt);
  await ensureDays(database, times);
  return database.transaction(async (tx) => {
    const ids = [...new Set(rounds.map((round) => round.monitorId))];
    const { states, heldIds } = await lockFreeStates(tx, ids);
    // A monitor whose row another session has locked does not delay the others.
    const free = rounds.filter((round) => !heldIds.has(round.monitorId));
    const counted = regions?.suppressVotes(free, (id) => states.get(id)?.status, now) ?? free;
    const verdicts = decideInOrder(states, counted, {
      monitorOf: (round) => round.monitorId,
      decide: (state, round) => decide(state, round, now),
    });
    const recorded = verdicts.results.flatMap((result) => result.recorded ?? []);
    const faulty = verdicts.results.flatMap((result) => result.certificateFaultId ?? []);
    await insertRounds(tx, database, recorded);
    await applyIncidentChanges(tx, verdicts.incidents, now);
    await changeSpans(tx, verdicts.spans);
    await writeStates(tx, verdicts.changes);
    await inspectionAssignments(tx).makeCertificatesDue(faulty, now, now - CERTIFICATE_RETRY_MS);
    const outcomes = verdicts.results.values().map((result) => result.outcome);
    return rounds.map((round) => (heldIds.has(round.monitorId) ? LOCKED : outcomes.next().value!));
  });
}

interface RoundResult {
  outcome: RoundOutcome;
  /** The round as the history keeps it; null for one that is kept already, or of a monitor that is gone. */
  recorded: RecordedRound | null;
  /** The monitor, when the round found a fault of its certificate that is no incident yet. */
  certificateFaultId: number | null;
}

function decide(
  state: MonitorState | undefined,
  round: Round,
  now: number,
): Decision<MonitorState, RoundResult> {
  if (state === undefined) {
    const outcome = { outcome: 'gone', state: null } as const;
    return { outcome: null, result: { outcome, recorded: null, certificateFaultId: null } };
  }
  const evaluated = evaluateRound(state, round, now);
  const { outcome, class: roundClass, state: after } = evaluated;
  const isCounted = outcome === 'counted';
  const kind = isCounted ? 'voted' : 'stale';
  const recorded = outcome === 'duplicate' ? null : ({ round, kind, class: roundClass } as const);
  const certificateFaultId =
    isCounted && isNewCertificateFault(round, after) ? round.monitorId : null;
  return {
    outcome: evaluated,
    result: { outcome: { outcome, state: after }, recorded, certificateFaultId },
  };
}

function isWell({ vote, certificateFault }: RegionResult): boolean {
  return vote === 'up' && certificateFault === undefined;
}

function isNewCertificateFault({ results }: Round, { confirmations }: MonitorState): boolean {
  return (
    results.some(({ certificateFault }) => certificateFault !== undefined) &&
    confirmations.ssl?.open !== 'ssl_invalid'
  );
}

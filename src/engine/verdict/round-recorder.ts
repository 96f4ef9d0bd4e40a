import { recordOutcomes } from '../record/record.ts';
import type { Decision } from '../record/record.ts';
import type { Clock } from '../../lib/clock.ts';
import { GroupCommit, LOCKED } from '../../lib/group-commit.ts';
import type { Log } from '../../lib/log.ts';
import type { RegionResult } from '../../model/check.ts';
import type { Round } from '../../model/round.ts';
import type { MonitorState } from '../../model/state.ts';
import type { Database } from '../../store/database/contract.ts';
import { isBusy, isUnavailable } from '../../store/database/errors.ts';
import { makeCertificatesDue } from '../../store/engine/inspection-assignments.ts';
import { lockFreeStates, writeStates } from '../../store/engine/monitor-state.ts';
import { ensureDays, insertRounds } from '../../store/engine/results.ts';
import type { RecordedRound } from '../../store/engine/round-codec.ts';
import { evaluateRound } from './evaluate.ts';
import type { RegionHealthMonitor } from './region-health-monitor.ts';

/** Result of recording a finished round. */
export interface RoundOutcome {
  /**
   * `counted`; `stale`: the monitor was edited or paused since; `duplicate`: recorded already, here or elsewhere;
   * `gone`: the monitor is; `dropped`: the database was away for so long that the buffer was full.
   */
  outcome: 'counted' | 'stale' | 'duplicate' | 'gone' | 'dropped';
  /** The stored state; null when the monitor is gone or the round was dropped. */
  state: MonitorState | null;
}

export interface RoundRecorderDependencies {
  database: Database;
  clock: Clock;
  log: Log;
  /** Keeps the votes of regions whose own network fails from counting; without it all count. */
  regions?: Pick<RegionHealthMonitor, 'withholdVotes' | 'save'>;
  /** Rounds that may wait while the database is away; beyond it the oldest is dropped. */
  capacity?: number;
  /** Milliseconds for which finished rounds are gathered into one transaction; five times as long for those in which all is well. */
  gatherMs?: number;
}

export interface RoundCounters {
  rounds_counted: number;
  rounds_stale: number;
  rounds_duplicate: number;
  rounds_gone: number;
  rounds_dropped: number;
}

export type RoundRecorder = ReturnType<typeof createRoundRecorder>;

const CAPACITY = 20_000;
const GATHER_MS = 50;
/** Rounds in which all is well are the most, change the least, and cost less the more share a transaction. */
const PATIENCE = 5;

/** Records finished rounds and what follows from them, one transaction for a whole batch. */
export function createRoundRecorder(dependencies: RoundRecorderDependencies) {
  const { database, clock, log, regions, capacity = CAPACITY, gatherMs = GATHER_MS } = dependencies;
  const counters: RoundCounters = {
    rounds_counted: 0,
    rounds_stale: 0,
    rounds_duplicate: 0,
    rounds_gone: 0,
    rounds_dropped: 0,
  };
  const batches = new GroupCommit<Round, RoundOutcome>({
    async flush(rounds) {
      const outcomes = await recordBatch(database, rounds, regions, clock.now());
      await regions?.save();
      return outcomes;
    },
    clock,
    maxBatch: 500,
    delayMs: gatherMs,
    delayOf: ({ results }) => (results.every(isWell) ? PATIENCE * gatherMs : gatherMs),
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
        log.error(
          { error, monitor_id: round.monitorId },
          'A round could not be recorded and is lost.',
        );
        return { outcome: 'dropped', state: null };
      }
    },
    /** Rounds that wait to be recorded. */
    waiting: () => batches.counts.waiting,
    counters,
    /** Records what was submitted, as far as the database answers. */
    close: () => batches.close(),
  };
}

async function recordBatch(
  database: Database,
  rounds: readonly Round[],
  regions: RoundRecorderDependencies['regions'],
  now: number,
): Promise<(RoundOutcome | typeof LOCKED)[]> {
  await ensureDays(
    database,
    rounds.map((round) => round.startedAt),
  );
  return database.transaction(async (tx) => {
    const ids = [...new Set(rounds.map((round) => round.monitorId))];
    const { states, heldIds } = await lockFreeStates(tx, ids);
    const statusOf = (id: number) => states.get(id)?.status;
    // A monitor whose row another session has locked does not delay the others.
    const free = rounds.filter((round) => !heldIds.has(round.monitorId));
    const results = await recordOutcomes(tx, now, {
      states,
      observations: regions?.withholdVotes(free, statusOf, now) ?? free,
      monitorOf: (round) => round.monitorId,
      decide: (state, round) => decide(state, round, now),
      keep(kept) {
        const recorded = kept.flatMap((result) => result.recorded ?? []);
        return insertRounds(tx, database, recorded);
      },
      write: writeStates,
    });
    const doubted = results.flatMap(({ doubtedId }) => doubtedId ?? []);
    await makeCertificatesDue(tx, doubted, now, now - CERTIFICATE_RETRY_MS);
    const outcomes = results.values().map((result) => result.outcome);
    return rounds.map((round) => (heldIds.has(round.monitorId) ? LOCKED : outcomes.next().value!));
  });
}

function isWell({ vote, certificateFault }: RegionResult): boolean {
  return vote === 'up' && certificateFault === undefined;
}

/** A certificate that a round doubts is inspected at once, but not more often than this. */
const CERTIFICATE_RETRY_MS = 60_000;

interface RoundResult {
  outcome: RoundOutcome;
  /** The round as the history keeps it; null for one that is kept already, or of a monitor that is gone. */
  recorded: RecordedRound | null;
  /** The monitor, when the round found a fault of its certificate that is no incident yet. */
  doubtedId: number | null;
}

function decide(
  state: MonitorState | undefined,
  round: Round,
  now: number,
): Decision<MonitorState, RoundResult> {
  if (state === undefined) {
    const outcome = { outcome: 'gone', state: null } as const;
    return { outcome: null, result: { outcome, recorded: null, doubtedId: null } };
  }
  const evaluated = evaluateRound(state, round, now);
  const { outcome, class: roundClass, state: after } = evaluated;
  const isCounted = outcome === 'counted';
  const kind = isCounted ? 'voted' : 'stale';
  const recorded = outcome === 'duplicate' ? null : ({ round, kind, class: roundClass } as const);
  const doubtedId = isCounted && isCertificateDoubted(round, after) ? round.monitorId : null;
  return {
    outcome: evaluated,
    result: { outcome: { outcome, state: after }, recorded, doubtedId },
  };
}

function isCertificateDoubted({ results }: Round, { tracks }: MonitorState): boolean {
  return (
    results.some(({ certificateFault }) => certificateFault !== undefined) &&
    tracks.ssl?.open !== 'ssl_invalid'
  );
}

import { recordOutcomes } from '../record/record.ts';
import type { Decision } from '../record/record.ts';
import type { Clock } from '../../lib/clock.ts';
import { GroupCommit, LOCKED } from '../../lib/group-commit.ts';
import type { Log } from '../../lib/log.ts';
import type { Round } from '../../model/round.ts';
import type { MonitorState } from '../../model/state.ts';
import type { Database } from '../../store/database/contract.ts';
import { isBusy, isUnavailable } from '../../store/database/errors.ts';
import { hastenCertificates } from '../../store/engine/inspection-assignments.ts';
import { lockFreeStates, writeStates } from '../../store/engine/monitor-state.ts';
import { ensureDays, insertRounds } from '../../store/engine/results.ts';
import type { RecordedRound } from '../../store/engine/results.ts';
import { decide } from './decide.ts';
import type { RegionTracker } from './region-tracker.ts';

/** What became of a finished round. */
export interface Judged {
  /**
   * `counted`; `stale`: the monitor was edited or paused since; `duplicate`: judged already, here or elsewhere;
   * `gone`: the monitor is; `dropped`: the database was away for so long that the buffer was full.
   */
  outcome: 'counted' | 'stale' | 'duplicate' | 'gone' | 'dropped';
  /** As it is stored now; null when the monitor is gone or the round was dropped. */
  state: MonitorState | null;
}

export interface JudgeDependencies {
  database: Database;
  clock: Clock;
  log: Log;
  /** Keeps the votes of regions whose own network fails from counting; without it all count. */
  regions?: Pick<RegionTracker, 'judge' | 'save'>;
  /** Rounds that may wait while the database is away; beyond it the oldest is dropped. */
  capacity?: number;
  /** Milliseconds for which finished rounds are gathered into one transaction. */
  gatherMs?: number;
}

export interface JudgeCounters {
  rounds_counted: number;
  rounds_stale: number;
  rounds_duplicate: number;
  rounds_gone: number;
  rounds_dropped: number;
}

export interface Judge {
  /** Takes a finished round, in order per monitor. Settles once it is on disk; never rejects. */
  submit(round: Round): Promise<Judged>;
  /** Rounds that wait to be judged. */
  waiting(): number;
  readonly counters: JudgeCounters;
  /** Judges what was submitted, as far as the database answers. */
  close(): Promise<void>;
}

const CAPACITY = 20_000;
const GATHER_MS = 50;

/** Records finished rounds, decides, and hands on what follows, one transaction for a whole batch. */
export function createJudge(dependencies: JudgeDependencies): Judge {
  const { database, clock, log, regions, capacity = CAPACITY, gatherMs = GATHER_MS } = dependencies;
  const counters: JudgeCounters = {
    rounds_counted: 0,
    rounds_stale: 0,
    rounds_duplicate: 0,
    rounds_gone: 0,
    rounds_dropped: 0,
  };
  const batches = new GroupCommit<Round, Judged>({
    async flush(rounds) {
      const judged = await judgeBatch(database, rounds, regions, clock.now());
      await regions?.save();
      return judged;
    },
    clock,
    maxBatch: 500,
    delayMs: gatherMs,
    capacity,
    isUnavailable,
    isBusy,
    keyOf: (round) => round.monitorId,
  });
  return {
    async submit(round) {
      try {
        const judged = await batches.submit(round);
        counters[`rounds_${judged.outcome}`]++;
        return judged;
      } catch (error) {
        counters.rounds_dropped++;
        log.error(
          { error, monitor_id: round.monitorId },
          'A round could not be recorded and is lost.',
        );
        return { outcome: 'dropped', state: null };
      }
    },
    waiting: () => batches.counts.waiting,
    counters,
    close: () => batches.close(),
  };
}

async function judgeBatch(
  database: Database,
  rounds: readonly Round[],
  regions: JudgeDependencies['regions'],
  now: number,
): Promise<(Judged | typeof LOCKED)[]> {
  await ensureDays(
    database,
    rounds.map((round) => round.startedAt),
  );
  return database.transaction(async (tx) => {
    const ids = [...new Set(rounds.map((round) => round.monitorId))];
    const { states, heldIds } = await lockFreeStates(tx, ids);
    const statusOf = (id: number) => states.get(id)?.status;
    // A monitor whose row another session holds holds up nobody else.
    const free = rounds.filter((round) => !heldIds.has(round.monitorId));
    const results = await recordOutcomes(tx, now, {
      states,
      observations: regions?.judge(free, statusOf, now) ?? free,
      monitorOf: (round) => round.monitorId,
      decide: (state, round) => decideRound(state, round, now),
      keep(kept) {
        const recorded = kept.flatMap((result) => result.recorded ?? []);
        return insertRounds(tx, database, recorded);
      },
      write: writeStates,
    });
    const doubted = results.flatMap(({ doubtedId }) => doubtedId ?? []);
    await hastenCertificates(tx, doubted, now, now - DOUBT_AGAIN_MS);
    const judged = results.values().map((result) => result.judged);
    return rounds.map((round) => (heldIds.has(round.monitorId) ? LOCKED : judged.next().value!));
  });
}

/** A certificate that regions doubt is inspected at once, but not again and again. */
const DOUBT_AGAIN_MS = 60_000;

interface RoundResult {
  judged: Judged;
  /** The round as the history keeps it; null for one that is kept already, or of a monitor that is gone. */
  recorded: RecordedRound | null;
  /** The monitor, when the round found a fault of its certificate that is no incident yet. */
  doubtedId: number | null;
}

function decideRound(
  state: MonitorState | undefined,
  round: Round,
  now: number,
): Decision<MonitorState, RoundResult> {
  if (state === undefined) {
    const judged = { outcome: 'gone', state: null } as const;
    return { outcome: null, result: { judged, recorded: null, doubtedId: null } };
  }
  const decision = decide(state, round, now);
  const { outcome, class: roundClass } = decision;
  const isCounted = outcome === 'counted';
  const kind = isCounted ? 'voted' : 'stale';
  const recorded = outcome === 'duplicate' ? null : ({ round, kind, class: roundClass } as const);
  const isDoubted = isCounted && isCertificateDoubted(round, decision.state);
  const judged = { outcome, state: decision.state };
  const doubtedId = isDoubted ? round.monitorId : null;
  return { outcome: decision, result: { judged, recorded, doubtedId } };
}

function isCertificateDoubted({ results }: Round, { tracks }: MonitorState): boolean {
  return (
    results.some(({ certificateFault }) => certificateFault !== undefined) &&
    tracks.ssl?.open !== 'ssl_invalid'
  );
}

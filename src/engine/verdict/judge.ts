import { applyIncidentChanges } from '../record/incidents.ts';
import type { Clock } from '../../lib/clock.ts';
import { GroupCommit, LOCKED } from '../../lib/group-commit.ts';
import type { Log } from '../../lib/log.ts';
import type { IncidentChange, SpanChange } from '../../model/incident.ts';
import type { Round } from '../../model/round.ts';
import type { MonitorState } from '../../model/state.ts';
import type { Database } from '../../store/database/contract.ts';
import { isBusy, isUnavailable } from '../../store/database/errors.ts';
import { hastenCertificates } from '../../store/engine/inspection-assignments.ts';
import { lockFreeStates, writeStates } from '../../store/engine/monitor-state.ts';
import { ensureDays, insertRounds } from '../../store/engine/results.ts';
import type { RecordedRound } from '../../store/engine/results.ts';
import { changeSpans } from '../../store/engine/spans.ts';
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
    const counted = regions?.judge(free, statusOf, now) ?? free;
    const batch = decideAll(states, counted, now);
    await insertRounds(tx, database, batch.recorded);
    await applyIncidentChanges(tx, batch.incidents, now);
    await changeSpans(tx, batch.spans);
    await writeStates(tx, [...batch.changed.values()]);
    await hastenCertificates(tx, batch.doubted, now, now - DOUBT_AGAIN_MS);
    const judged = batch.judged.values();
    return rounds.map((round) => (heldIds.has(round.monitorId) ? LOCKED : judged.next().value!));
  });
}

/** A certificate that regions doubt is inspected at once, but not again and again. */
const DOUBT_AGAIN_MS = 60_000;

interface Batch {
  judged: Judged[];
  recorded: RecordedRound[];
  incidents: IncidentChange[];
  spans: SpanChange[];
  changed: Map<number, MonitorState>;
  /** Monitors of whose certificate a round told a fault that is no incident yet. */
  doubted: number[];
}

/** The rounds one after another, each on the state that the one before it left. */
function decideAll(
  states: Map<number, MonitorState>,
  rounds: readonly Round[],
  now: number,
): Batch {
  const batch: Batch = {
    judged: [],
    recorded: [],
    incidents: [],
    spans: [],
    changed: new Map(),
    doubted: [],
  };
  for (const round of rounds) {
    const state = batch.changed.get(round.monitorId) ?? states.get(round.monitorId);
    if (!state) {
      batch.judged.push({ outcome: 'gone', state: null });
      continue;
    }
    const decision = decide(state, round, now);
    batch.judged.push({ outcome: decision.outcome, state: decision.state });
    if (decision.outcome === 'duplicate') continue;
    const kind = decision.outcome === 'counted' ? 'voted' : 'stale';
    batch.recorded.push({ round, kind, class: decision.class });
    if (decision.outcome === 'stale') continue;
    batch.changed.set(round.monitorId, decision.state);
    if (isCertificateDoubted(round, decision.state)) batch.doubted.push(round.monitorId);
    batch.incidents.push(...decision.incidents);
    batch.spans.push(...decision.spans);
  }
  return batch;
}

function isCertificateDoubted({ results }: Round, { tracks }: MonitorState): boolean {
  return (
    results.some(({ certificateFault }) => certificateFault !== undefined) &&
    tracks.ssl?.open !== 'ssl_invalid'
  );
}

import type { CheckResult } from '../../src/model/check.ts';
import {
  CONDITIONS,
  type ConfirmationName,
  type Confirmations,
} from '../../src/model/condition.ts';
import type { Region } from '../../src/model/monitor.ts';
import type { RoundClass } from '../../src/model/round.ts';
import type { NewestResult } from '../../src/model/state.ts';
import { IDLE } from '../../src/engine/record/confirmations.ts';
import { nextSlot } from '../../src/engine/schedule/grid.ts';
import type { Database } from '../../src/store/database/contract.ts';
import type { RecordedRound } from '../../src/store/engine/round-codec.ts';
import { changeSpans } from '../../src/store/engine/spans.ts';
import { storeRounds } from '../support/history.ts';
import { settingsOf } from '../support/rounds.ts';
import { updateRows } from '../support/rows.ts';
import { problemResult, upResult, type Target } from './latency.ts';
import { DAY_MS, type Problem } from './northwind/problems.ts';
import type { StatusTime } from './timeline.ts';

/** A monitor as it is stored, with its own part of the story. */
export interface DemoMonitor extends Target {
  id: number;
  teamId: number;
  revision: number;
  regions: readonly Region[];
  isPush: boolean;
  isPaused: boolean;
  /** Milliseconds; 0 for push monitors. */
  intervalMs: number;
  problems: readonly Problem[];
  statuses: readonly StatusTime[];
}

/** Days of single results: fewer than RAW_RETENTION_DAYS keeps. */
const RAW_DAYS = 2;
const ROUNDS_AT_ONCE = 4_000;
/** Time from the failing round of a problem to the recheck that confirms it (engine/record/condition.ts). */
const RECHECK_MS = 10_000;

/** Start of the day from which on single results are stored, epoch milliseconds. */
export const rawFrom = (now: number) => Math.floor((now - RAW_DAYS * DAY_MS) / DAY_MS) * DAY_MS;

/** Answers of a monitor at any time of its history; null while nothing was checked. */
export function answersOf(monitor: DemoMonitor, now: number) {
  return (region: Region, at: number): CheckResult | null => {
    const time = monitor.statuses.find(({ from, to }) => from <= at && at < to);
    if (time === undefined || time.status === 'unobserved') return null;
    const problem = monitor.problems.find(
      ({ beganAgo, endedAgo }) => now - beganAgo <= at && at < now - (endedAgo ?? -1),
    );
    return problem === undefined
      ? upResult(monitor, region, at)
      : problemResult(monitor, region, at, problem);
  };
}

/** Stores the statuses of monitors over time. */
export async function storeSpans(
  database: Database,
  monitors: readonly DemoMonitor[],
): Promise<void> {
  const changes = monitors.flatMap(({ id, teamId, statuses }) =>
    statuses.map(({ status, from }) => ({ monitorId: id, teamId, status, at: from })),
  );
  await database.transaction((tx) => changeSpans(tx, changes));
}

/** Stores the rounds of the last days as the recorder does, and what is known of each monitor now. */
export async function storeResults(
  database: Database,
  monitors: readonly DemoMonitor[],
  now: number,
): Promise<void> {
  for (const monitor of monitors) {
    const rounds = roundsOf(monitor, now);
    for (let index = 0; index < rounds.length; index += ROUNDS_AT_ONCE)
      await storeRounds(database, rounds.slice(index, index + ROUNDS_AT_ONCE));
    await storeState(database, monitor, { last: rounds.at(-1), now });
  }
}

/** The rounds on the monitor's grid, with the first failing ones of open problems and their rechecks. */
function roundsOf(monitor: DemoMonitor, now: number): RecordedRound[] {
  const { id, intervalMs } = monitor;
  const slots: number[] = [];
  for (
    let at = nextSlot(id, intervalMs, rawFrom(now));
    at < now - 2_000;
    at = nextSlot(id, intervalMs, at)
  )
    slots.push(at);
  const begun = monitor.problems
    .map(({ beganAgo }) => now - beganAgo)
    .filter((at) => at >= rawFrom(now));
  // Rechecks take the place of the slots beside them.
  const isFree = (slot: number) => !begun.some((at) => Math.abs(slot - at) <= RECHECK_MS);
  const all = new Set([...slots.filter(isFree), ...begun.flatMap((at) => [at, at + RECHECK_MS])]);
  const answers = answersOf(monitor, now);
  return [...all]
    .toSorted((a, b) => a - b)
    .flatMap((at) => {
      const round = roundAt(monitor, at, answers);
      return round === null ? [] : [round];
    });
}

function roundAt(
  { id, teamId, revision, regions, intervalMs }: DemoMonitor,
  at: number,
  answers: (region: Region, at: number) => CheckResult | null,
): RecordedRound | null {
  const results = regions.flatMap((region, index) => {
    const result = answers(region, at);
    const of = { region, vantage: `probe-${region}`, checkedAt: at + index };
    return result === null ? [] : [{ ...result, ...of }];
  });
  if (results.length === 0) return null;
  const round = {
    monitorId: id,
    teamId,
    revision,
    slot: at,
    startedAt: at,
    finishedAt: at + 400,
    settings: settingsOf({ intervalMs }),
    knownRegions: [...regions],
    results,
  };
  return { round, kind: 'voted', class: classOf(results) };
}

function classOf(results: readonly CheckResult[]): RoundClass {
  const down = results.filter(({ vote }) => vote === 'down').length;
  const known = results.filter(({ vote }) => vote !== 'unknown').length;
  if (known === 0) return 'unknown';
  if (down === 0) return 'up';
  return down * 2 > known ? 'down' : 'regional';
}

/** Time for which a verdict holds beyond the next round (engine/verdict). */
const SLACK_MS = 30_000;

async function storeState(
  database: Database,
  monitor: DemoMonitor,
  { last, now }: { last: RecordedRound | undefined; now: number },
): Promise<void> {
  const { id, intervalMs, problems, isPaused, revision } = monitor;
  if (isPaused) return storePaused(database, monitor);
  const open = problems.filter(({ endedAgo }) => endedAgo === null);
  const lastAt = last?.round.startedAt ?? now;
  const state = {
    status: statusNow(monitor),
    last_slot: lastAt,
    last_checked_at: lastAt,
    run_at: null,
    observed_until: lastAt + intervalMs + SLACK_MS,
    evaluated_revision: revision,
    tracks: JSON.stringify(confirmationsOf(open, now)),
    newest: JSON.stringify(newestOf(last, open, now)),
  };
  await updateRows(database, 'monitor_state', state, { monitor_id: id });
}

/** As it was when it was paused: it shows its last results. */
async function storePaused(database: Database, monitor: DemoMonitor): Promise<void> {
  const pausedAt = monitor.statuses.at(-1)!.from;
  const newest = monitor.regions.map((region) => {
    const { responseTimeMs, statusCode } = upResult(monitor, region, pausedAt);
    return [region, { responseTimeMs, statusCode, checkedAt: pausedAt - 60_000, failure: null }];
  });
  const state = {
    status: 'online',
    last_slot: pausedAt - 60_000,
    last_checked_at: pausedAt - 60_000,
    observed_until: pausedAt,
    newest: JSON.stringify(Object.fromEntries(newest)),
  };
  await updateRows(database, 'monitor_state', state, { monitor_id: monitor.id });
}

const statusNow = ({ statuses }: DemoMonitor): string => statuses.at(-1)!.status;

/** The confirmed conditions of problems that last. */
export function confirmationsOf(open: readonly Problem[], now: number): Confirmations {
  return Object.fromEntries(
    open.map(({ condition, beganAgo }) => [
      trackOf(condition),
      {
        ...IDLE,
        open: condition,
        badRun: 2,
        candidateRun: 2,
        candidate: condition,
        firstFailedAt: now - beganAgo,
        candidateSince: now - beganAgo,
      },
    ]),
  );
}

function trackOf(condition: Problem['condition']): ConfirmationName {
  const { type } = CONDITIONS[condition];
  if (type === 'uptime' || type === 'regional') return 'reachability';
  return type as ConfirmationName;
}

/** Time since the last sign of a lost probe. */
const LOST_MS = 6 * 60_000;

function newestOf(
  last: RecordedRound | undefined,
  open: readonly Problem[],
  now: number,
): Record<Region, NewestResult> {
  const lost = new Set(open.flatMap(({ lostRegions = [] }) => lostRegions));
  const results = last?.round.results ?? [];
  return Object.fromEntries(
    results.map(({ region, responseTimeMs, statusCode, checkedAt, failure }) => [
      region,
      {
        responseTimeMs,
        statusCode,
        checkedAt: lost.has(region) ? now - LOST_MS : checkedAt,
        failure: failure?.code ?? null,
      },
    ]),
  );
}

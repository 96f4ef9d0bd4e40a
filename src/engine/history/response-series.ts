import type { Region } from '../../model/monitor.ts';
import type { CountedRound, PackedPeriod } from './availability.ts';
import {
  percentile,
  addResult,
  allResponseTimes,
  decodeSummaryInto,
  PHASE_NAMES,
  type PhaseName,
  type Summary,
} from './summary.ts';
import { overlapOf, type Interval } from './uptime.ts';
import type { Database } from '../../store/database/contract.ts';
import { listDays, startOf } from '../../store/engine/results.ts';
import { readRounds } from '../../store/engine/result-history.ts';
import { readRolledUpUntil, readRollups, type Rollup } from '../../store/engine/rollups.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Lengths of a step. Each divides a day, so that steps begin at the same times on every day. */
const STEPS_MS = [
  ...[10, 15, 30].map((seconds) => seconds * SECOND_MS),
  ...[1, 2, 3, 5, 10, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 3, 4, 6, 12].map((hours) => hours * HOUR_MS),
  DAY_MS,
  2 * DAY_MS,
];

/** Maximum number of points: more do not fit side by side on a screen. */
export const MAX_POINTS = 400;

/** Shortest step that the stored data allows: single results, hours or days. */
const FINEST_STEP_MS = { results: STEPS_MS[0]!, hours: HOUR_MS, days: DAY_MS } as const;
type Resolution = keyof typeof FINEST_STEP_MS;

/** Length of a step, ms, so that a period has at most MAX_POINTS of them. */
export function stepOf({ from, to }: Interval, resolution: Resolution): number {
  const fits = (step: number) =>
    step >= FINEST_STEP_MS[resolution] &&
    Math.ceil(to / step) - Math.floor(from / step) <= MAX_POINTS;
  return STEPS_MS.find(fits) ?? STEPS_MS.at(-1)!;
}

interface StoredTimes {
  rounds: readonly CountedRound[];
  hours: readonly PackedPeriod[];
  days: readonly PackedPeriod[];
}

const PERCENTILES = [50, 95, 99] as const;
type Percentile = `p${(typeof PERCENTILES)[number]}`;
type Percentiles = Record<Percentile, number | null>;

/** Response times of the checks of one step that were up, ms; null where there were none. */
export interface ResponsePoint {
  at: number;
  all: Percentiles;
  regions: ReadonlyMap<Region, Percentiles>;
  /** Means over all checks, so that the phases add up. */
  phases: Record<PhaseName, number | null>;
}

/**
 * Points of a chart in chronological order: one for each step in which a check ran. Where nothing was measured for a
 * step or longer between two points, one without values stands between them, so that a chart draws no line there.
 *
 * @param unobserved in order, without overlaps.
 */
export function responsePoints(
  stored: StoredTimes,
  stepMs: number,
  unobserved: readonly Interval[],
): ResponsePoint[] {
  const floor = (at: number) => Math.floor(at / stepMs) * stepMs;
  const points =
    stepMs < HOUR_MS ? exactPoints(stored.rounds, floor) : summarizedPoints(stored, floor);
  return withBreaks(points, stepMs, unobserved);
}

function exactPoints(
  rounds: readonly CountedRound[],
  floor: (at: number) => number,
): ResponsePoint[] {
  const steps = Map.groupBy(rounds, ({ startedAt }) => floor(startedAt));
  return inOrder(steps).map(([at, ofStep]) => {
    const results = ofStep.flatMap((round) => round.results);
    const byRegion = Map.groupBy(results, ({ region }) => region);
    const summary: Summary = new Map();
    for (const result of results) addResult(summary, result);
    return {
      at,
      all: exactPercentiles(results),
      regions: new Map([...byRegion].map(([region, own]) => [region, exactPercentiles(own)])),
      phases: phaseMeans(summary),
    };
  });
}

function exactPercentiles(results: CountedRound['results']): Percentiles {
  const times = results
    .flatMap(({ vote, responseTimeMs }) =>
      vote === 'up' && responseTimeMs !== null ? [responseTimeMs] : [],
    )
    .toSorted((a, b) => a - b);
  return percentiles((percent) => times[Math.ceil((percent / 100) * times.length) - 1] ?? null);
}

/** Points of an hour or longer, from roll-ups and the results that are not rolled up yet. */
function summarizedPoints(
  { rounds, hours, days }: StoredTimes,
  floor: (at: number) => number,
): ResponsePoint[] {
  const steps = new Map<number, Summary>();
  const summaryAt = (at: number) => {
    const start = floor(at);
    const known = steps.get(start) ?? new Map();
    steps.set(start, known);
    return known;
  };
  for (const { at, data } of [...days, ...hours]) decodeSummaryInto(summaryAt(at), data);
  for (const { startedAt, results } of rounds)
    for (const result of results) addResult(summaryAt(startedAt), result);
  return inOrder(steps).map(([at, summary]) => {
    const all = allResponseTimes(summary);
    const regions = [...summary].map(
      ([region, { responseTimes: own }]) =>
        [region, percentiles((percent) => percentile(own, percent))] as const,
    );
    return {
      at,
      all: percentiles((percent) => percentile(all, percent)),
      regions: new Map(regions),
      phases: phaseMeans(summary),
    };
  });
}

function percentiles(of: (percent: number) => number | null): Percentiles {
  return { p50: of(50), p95: of(95), p99: of(99) };
}

function phaseMeans(summary: Summary): ResponsePoint['phases'] {
  const regions = [...summary.values()];
  const meanOf = (name: PhaseName) => {
    const count = sum(regions.map(({ phases }) => phases[name].count));
    const tenths = sum(regions.map(({ phases }) => phases[name].sumTenths));
    return count === 0 ? null : tenths / count / 10;
  };
  return Object.fromEntries(
    PHASE_NAMES.map((name) => [name, meanOf(name)]),
  ) as ResponsePoint['phases'];
}

/** Adds a point without values after each one that a step or more of unobserved time follows. */
function withBreaks(
  points: readonly ResponsePoint[],
  stepMs: number,
  unobserved: readonly Interval[],
): ResponsePoint[] {
  return points.flatMap((point, index) => {
    const end = point.at + stepMs;
    const next = points[index + 1]?.at ?? end;
    const isBroken = next > end && overlapOf({ from: point.at, to: next }, unobserved) >= stepMs;
    return isBroken ? [point, { at: end, ...NOTHING_MEASURED }] : [point];
  });
}

const NOTHING_MEASURED: Omit<ResponsePoint, 'at'> = {
  all: percentiles(() => null),
  regions: new Map(),
  phases: { dns: null, tcp: null, tls: null, ttfb: null },
};

function inOrder<Value>(steps: ReadonlyMap<number, Value>): [number, Value][] {
  return [...steps].toSorted(([a], [b]) => a - b);
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);

/** Longest period of which single results are read: 11,520 results of four regions at 30 s take 50 ms. */
const MAX_RESULTS_MS = DAY_MS;

/**
 * Reads the response times of a monitor in a period, and the length of a step (ms) that they and the period allow. Reads
 * single results where they are kept for the whole period and it is short, else roll-ups. Does not check permissions.
 */
export async function readResponseTimes(
  database: Database,
  monitorId: number,
  { from, to }: Interval,
): Promise<{ stored: StoredTimes; stepMs: number }> {
  const rolledUpUntil = (await readRolledUpUntil(database.read)) ?? from;
  const keptFrom = startOf((await listDays(database))[0] ?? '99991231');
  const read = (table: 'rollup_hour' | 'rollup_day', range: Interval) =>
    readRollups(database.scan, table, [monitorId], range);
  const [allHours, days] = await Promise.all([
    read('rollup_hour', { from: floorTo(HOUR_MS, from), to: Math.min(to, rolledUpUntil) }),
    read('rollup_day', { from: floorTo(DAY_MS, from), to }),
  ]);
  const hours = withoutDays(allHours, days);
  const isKept = days.length === 0 && hours.every(({ at }) => at >= keptFrom);
  const resolution: Resolution =
    days.length > 0 ? 'days' : isKept && to - from <= MAX_RESULTS_MS ? 'results' : 'hours';
  const stepMs = stepOf({ from, to }, resolution);
  const isExact = stepMs < HOUR_MS;
  const firstRaw = isExact ? from : Math.max(from, rolledUpUntil);
  const rounds =
    firstRaw < to ? await readRounds(database, [monitorId], { from: firstRaw, to }) : [];
  return {
    stored: { rounds: rounds.filter(({ kind }) => kind === 'voted'), hours, days },
    stepMs,
  };
}

/** Hours that are rolled up into a day between the two reads are in both. */
function withoutDays(hours: readonly Rollup[], days: readonly Rollup[]): Rollup[] {
  const known = new Set(days.map(({ at }) => at));
  return hours.filter(({ at }) => !known.has(floorTo(DAY_MS, at)));
}

const floorTo = (unit: number, at: number) => Math.floor(at / unit) * unit;

import {
  emptyHistogram,
  mergeInto,
  addResponseTime,
  decodeResponseTimesInto,
  type Histogram,
  type SummarisedResult,
} from './summary.ts';
import { union, uptime, type Interval, type Span, type Uptime } from './uptime.ts';

const UNIT_MS = { hour: 3_600_000, day: 86_400_000 } as const;
export type Unit = keyof typeof UNIT_MS;

export interface StoredHistory {
  spans: readonly Span[];
  observedUntil: number | null;
  /** Maintenance of the monitor, in any order; may overlap, and reach beyond what is asked for. */
  excluded: readonly Interval[];
  hours: readonly PackedPeriod[];
  /** Days that are not in `hours`. */
  days: readonly PackedPeriod[];
  /** Votes of the hours that have not been rolled up. */
  rounds: readonly CountedRound[];
}

/** A roll-up: `at` is the beginning of its UTC hour or day, epoch milliseconds; `data` is packed by summary.ts. */
export interface PackedPeriod {
  at: number;
  data: Uint8Array;
}

export interface CountedRound {
  startedAt: number;
  results: readonly SummarisedResult[];
}

export interface Availability extends Interval, Uptime {
  /**
   * Times it was offline, those within maintenance left out. A gap of ours within an outage does not make two of it.
   */
  outages: number;
  /** Mean length of the parts of outages that lie in the period; null without any. */
  mttrMs: number | null;
  /** Mean time up for each outage; null without any. */
  mtbfMs: number | null;
  /** Response times of checks that were up. An hour or day that the period only touches is counted whole. */
  responseTimes: Histogram;
}

export interface Period extends Interval {
  now: number;
}

export function availability(history: StoredHistory, period: Period): Availability {
  return { ...timesOnlyAvailability(history, period), responseTimes: responseTimesOf(history) };
}

type HistoryTimes = Pick<StoredHistory, 'spans' | 'observedUntil' | 'excluded'>;

export type TimesOnlyAvailability = Omit<Availability, 'responseTimes'>;

function timesOnlyAvailability(history: HistoryTimes, period: Period): TimesOnlyAvailability {
  const { spans, observedUntil } = history;
  const { from, to, now } = period;
  const excluded = union(history.excluded);
  const times = uptime({ spans, observedUntil, from, to, now, excluded });
  const observedEnd = Math.min(to, now, observedUntil ?? from);
  const outages = countOutages(spans, excluded, { from, to: observedEnd });
  return {
    from,
    to,
    ...times,
    outages,
    mttrMs: outages === 0 ? null : times.downMs / outages,
    mtbfMs: outages === 0 ? null : (times.upMs + times.degradedMs) / outages,
  };
}

/** Availability in a period, and in each UTC hour or day of it, the first and the last one cut off at its edges. */
export function availabilityBy(unit: Unit, history: StoredHistory, period: Period) {
  const { from, to, now } = period;
  const size = UNIT_MS[unit];
  const floor = (at: number) => Math.floor(at / size) * size;
  const responseTimes = responseTimesBy(unit, history);
  const at: Interval[] = [];
  for (let start = floor(from); start < to; start += size)
    at.push({ from: Math.max(from, start), to: Math.min(to, start + size) });
  const pieces = timesOnlyAvailabilityIn(at, history, now).map((times) => ({
    ...times,
    responseTimes: responseTimes.pieces.get(floor(times.from)) ?? emptyHistogram(),
  }));
  const times = timesOnlyAvailability(history, period);
  return { whole: { ...times, responseTimes: responseTimes.whole }, pieces };
}

/** Availability without response times in each of these periods, which are in chronological order without overlaps. */
export function timesOnlyAvailabilityIn(
  periods: readonly Interval[],
  history: HistoryTimes,
  now: number,
): TimesOnlyAvailability[] {
  return timesOf(history, periods).map((times, index) =>
    timesOnlyAvailability(times, { ...periods[index]!, now }),
  );
}

/** The times that concern each of these periods, which are in chronological order without overlaps. */
function timesOf(history: HistoryTimes, periods: readonly Interval[]): HistoryTimes[] {
  const excluded = union(history.excluded);
  let first = 0;
  let firstExcluded = 0;
  return periods.map((period) => {
    while ((history.spans[first]?.toAt ?? Infinity) <= period.from) first += 1;
    let last = first;
    while ((history.spans[last]?.fromAt ?? Infinity) < period.to) last += 1;
    while ((excluded[firstExcluded]?.to ?? Infinity) <= period.from) firstExcluded += 1;
    let lastExcluded = firstExcluded;
    while ((excluded[lastExcluded]?.from ?? Infinity) < period.to) lastExcluded += 1;
    return {
      spans: history.spans.slice(first, last),
      observedUntil: history.observedUntil,
      excluded: excluded.slice(firstExcluded, lastExcluded),
    };
  });
}

/** @param excluded in order, without overlaps. */
function countOutages(
  spans: readonly Span[],
  excluded: readonly Interval[],
  { from, to }: Interval,
): number {
  let count = 0;
  let isOffline = false;
  for (const span of spans) {
    const [begin, end] = [Math.max(span.fromAt, from), Math.min(span.toAt ?? to, to)];
    if (span.status === 'unobserved' || begin >= end) continue;
    // All of it is maintenance: it is no outage, and one that went on before goes on.
    if (span.status === 'offline' && excluded.some((one) => one.from <= begin && one.to >= end))
      continue;
    if (span.status === 'offline' && !isOffline) count += 1;
    isOffline = span.status === 'offline';
  }
  return count;
}

function responseTimesOf({ hours, days, rounds }: StoredHistory): Histogram {
  const all = emptyHistogram();
  for (const { results } of rounds) for (const result of results) addResponseTime(all, result);
  for (const { data } of days) decodeResponseTimesInto(all, data);
  for (const { data } of hours) decodeResponseTimesInto(all, data);
  return all;
}

/** Response times of each UTC hour or day by its start, and of all together, where each is read once. */
function responseTimesBy(unit: Unit, { hours, days, rounds }: StoredHistory) {
  const size = UNIT_MS[unit];
  const pieces = new Map<number, Histogram>();
  const pieceAt = (at: number) => {
    const start = Math.floor(at / size) * size;
    let piece = pieces.get(start);
    if (piece === undefined) pieces.set(start, (piece = emptyHistogram()));
    return piece;
  };
  const whole = emptyHistogram();
  for (const { startedAt, results } of rounds) {
    const piece = pieceAt(startedAt);
    for (const result of results) addResponseTime(piece, result);
  }
  for (const { at, data } of hours) decodeResponseTimesInto(pieceAt(at), data);
  // A day is no part of any of its hours.
  for (const { at, data } of days)
    decodeResponseTimesInto(unit === 'day' ? pieceAt(at) : whole, data);
  for (const piece of pieces.values()) mergeInto(whole, piece);
  return { whole, pieces };
}

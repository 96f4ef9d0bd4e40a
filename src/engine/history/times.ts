import type { Correction, CorrectionKind } from '../../model/correction.ts';
import type { StoredHistory } from './availability.ts';
import { union, type Interval, type Span } from './uptime.ts';

export type Times = Pick<StoredHistory, 'spans' | 'observedUntil' | 'excluded'>;

export interface StoredTimes extends Times {
  /** The times as recorded, where corrections of the period were applied; else null. */
  uncorrected: Times | null;
}

interface TimeFacts extends Times {
  /** Times in which Tocsin received no pings; empty for monitors that it checks. */
  gaps: readonly Interval[];
  /** In force, in any order. */
  corrections: readonly Correction[];
}

/** Applies gaps and corrections to what was recorded: the one way in which everything reads the times of a monitor. */
export function timesOf({
  spans,
  observedUntil,
  excluded,
  gaps,
  corrections,
}: TimeFacts): StoredTimes {
  const seen = gaps.length === 0 ? spans : withGaps(spans, gaps);
  const times = { spans: seen, observedUntil, excluded };
  if (corrections.length === 0) return { ...times, uncorrected: null };
  return { ...applyCorrections(times, corrections), uncorrected: times };
}

/**
 * The same spans, with what of them lies in a gap `unobserved`: a job's silence means nothing while nobody listens.
 * `spans` are in the order of time, the gaps in any, and they may overlap.
 */
export function withGaps(spans: readonly Span[], gaps: readonly Interval[]): Span[] {
  const windows = union(gaps);
  return windows.length === 0 ? [...spans] : spans.flatMap((span) => divide(span, windows));
}

/** `windows` are in order and don't overlap. */
function divide(span: Span, windows: readonly Interval[]): Span[] {
  if (span.status === 'unobserved') return [span];
  const end = span.toAt ?? Infinity;
  const parts: Span[] = [];
  let at = span.fromAt;
  for (let index = firstEndingAfter(windows, at); index < windows.length; index++) {
    const { from, to } = windows[index]!;
    if (from >= end) break;
    if (at < from) parts.push({ ...span, fromAt: at, toAt: from });
    const fromAt = Math.max(at, from);
    at = Math.min(to, end);
    parts.push({ ...span, status: 'unobserved', fromAt, toAt: at });
  }
  if (at < end) parts.push({ ...span, fromAt: at });
  return parts;
}

function firstEndingAfter(windows: readonly Interval[], at: number): number {
  let [low, high] = [0, windows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (windows[middle]!.to > at) high = middle;
    else low = middle + 1;
  }
  return low;
}

interface Piece extends Interval {
  as: CorrectionKind;
}

/**
 * Applies corrections to what was recorded. Where several overlap, the newest one (by id) decides alone:
 * - `maintenance` and `excluded`: downtime is left out, as in a maintenance window.
 * - `false_alarm`: offline and degraded time counts as online.
 * - `up` and `down`: the time counts so, also where nothing was observed, and `down` also in maintenance.
 */
export function applyCorrections<Recorded extends Times>(
  times: Recorded,
  corrections: readonly Correction[],
): Recorded {
  const pieces = decidingPieces(corrections);
  if (pieces.length === 0) return times;
  const stated = pieces.filter(({ as }) => as === 'up' || as === 'down');
  const alarms = pieces.filter(({ as }) => as === 'false_alarm');
  const leftOut = pieces.filter(({ as }) => as === 'maintenance' || as === 'excluded');
  const down = stated.filter(({ as }) => as === 'down');
  const { spans, observedUntil } = extend(times, stated.at(-1)?.to ?? -Infinity);
  const overlaid = stated.length === 0 ? spans : overlay(spans, stated);
  return {
    ...times,
    spans: alarms.length === 0 ? overlaid : silence(overlaid, alarms),
    observedUntil,
    excluded: [...without(times.excluded, down), ...leftOut.map(({ from, to }) => ({ from, to }))],
  };
}

/** Divides the time of all corrections into pieces that each the newest of them decides, in order and without overlaps. */
function decidingPieces(corrections: readonly Correction[]): Piece[] {
  let decided: Interval[] = [];
  const pieces: Piece[] = [];
  for (const { from, to, as } of corrections.toSorted((a, b) => b.id - a.id)) {
    for (const left of without([{ from, to }], decided)) pieces.push({ ...left, as });
    decided = union([...decided, { from, to }]);
  }
  return pieces.toSorted((a, b) => a.from - b.from);
}

/** What is left of intervals without others. @param others in order, without overlaps. */
function without(intervals: readonly Interval[], others: readonly Interval[]): Interval[] {
  return intervals.flatMap((interval) => {
    const left: Interval[] = [];
    let at = interval.from;
    for (const { from, to } of others) {
      if (to <= at) continue;
      if (from >= interval.to) break;
      if (at < from) left.push({ from: at, to: from });
      at = to;
    }
    if (at < interval.to) left.push({ from: at, to: interval.to });
    return left;
  });
}

/** Extends the observed time. A status that lasts ends where its verdict does, so that the added time is unobserved. */
function extend({ spans, observedUntil }: Times, to: number) {
  if (observedUntil !== null && to <= observedUntil) return { spans, observedUntil };
  if (to === -Infinity) return { spans, observedUntil };
  const end = observedUntil ?? -Infinity;
  const seen = spans.filter(({ fromAt }) => fromAt < end);
  return {
    spans: seen.map((span) => ({ ...span, toAt: Math.min(span.toAt ?? end, end) })),
    observedUntil: to,
  };
}

function overlay(spans: readonly Span[], pieces: readonly Piece[]): Span[] {
  const kept = spans.flatMap((span) =>
    without([{ from: span.fromAt, to: span.toAt ?? Infinity }], pieces).map(({ from, to }) => ({
      ...span,
      fromAt: from,
      toAt: to === Infinity ? null : to,
    })),
  );
  const stated = pieces.map(({ as, from, to }): Span => ({
    status: as === 'up' ? 'online' : 'offline',
    fromAt: from,
    toAt: to,
  }));
  return [...kept, ...stated].toSorted((a, b) => a.fromAt - b.fromAt);
}

function silence(spans: readonly Span[], pieces: readonly Piece[]): Span[] {
  return spans.flatMap((span) => {
    if (span.status !== 'offline' && span.status !== 'degraded') return [span];
    const whole = { from: span.fromAt, to: span.toAt ?? Infinity };
    const kept = without([whole], pieces);
    const silenced = without([whole], kept);
    const part = (status: Span['status']) => (interval: Interval) => ({
      ...span,
      status,
      fromAt: interval.from,
      toAt: interval.to === Infinity ? null : interval.to,
    });
    const parts = [...kept.map(part(span.status)), ...silenced.map(part('online'))];
    return parts.toSorted((a, b) => a.fromAt - b.fromAt);
  });
}

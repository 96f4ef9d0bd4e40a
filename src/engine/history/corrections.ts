import type { Correction, CorrectionKind } from '../../model/correction.ts';
import { union } from './uptime.ts';
import type { Interval, Span } from './uptime.ts';

/** Recorded times of one monitor. */
export interface RecordedTimes {
  /** In chronological order; where two overlap, the first one counts. */
  spans: readonly Span[];
  /** Until when the last verdict holds; null when there never was one. */
  observedUntil: number | null;
  /** Maintenance, in any order; may overlap. */
  excluded: readonly Interval[];
}

/** A time that one correction decides. */
interface Piece extends Interval {
  as: CorrectionKind;
}

/**
 * Applies corrections to what was recorded. Where several overlap, the newest one (by id) decides alone:
 * - `maintenance` and `excluded`: downtime is left out, as in a maintenance window.
 * - `false_alarm`: offline and degraded time counts as online.
 * - `up` and `down`: the time counts so, also where nothing was observed, and `down` also in maintenance.
 */
export function applyCorrections<Times extends RecordedTimes>(
  times: Times,
  corrections: readonly Correction[],
): Times {
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
function extend({ spans, observedUntil }: RecordedTimes, to: number) {
  if (observedUntil !== null && to <= observedUntil) return { spans, observedUntil };
  if (to === -Infinity) return { spans, observedUntil };
  const end = observedUntil ?? -Infinity;
  const seen = spans.filter(({ fromAt }) => fromAt < end);
  return {
    spans: seen.map((span) => ({ ...span, toAt: Math.min(span.toAt ?? end, end) })),
    observedUntil: to,
  };
}

/** Replaces the parts of spans that lie in these pieces. */
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

/** Offline and degraded time in these pieces becomes online. */
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

import type { Times } from '../../engine/history/times.ts';
import { union, type Interval, type Span } from '../../engine/history/uptime.ts';
import { SEVERITIES, type Severity } from '../../model/condition.ts';
import { UNKNOWN_CODES } from '../../model/failure.ts';
import type { NewestResult } from '../../model/state.ts';
import type { OverviewIncident } from '../../store/resources/monitor-overview.ts';

const MINUTE_MS = 60_000;
export const SLOT_MINUTES = 30;
export const SLOT_MS = SLOT_MINUTES * MINUTE_MS;
/** Slots of a bar: a day. */
export const SLOTS = 48;

/** Letters of a bar. */
export const BAR_LETTERS = {
  d: 'down at some time outside of maintenance',
  m: 'in maintenance at some time',
  w: 'degraded at some time',
  u: 'up',
  p: 'paused, in a pause that lasts',
  '?': 'not observed',
  '-': 'before the monitor was created',
} as const;

/** Letters of the regions of a monitor. */
export const REGION_LETTERS = {
  u: 'up',
  d: 'down',
  '?': 'unknown, or no result yet',
  '-': 'not checked from there',
} as const;

/** Start of the first slot of a bar whose last slot contains `now` (epoch ms). */
export function barStart(now: number): number {
  return Math.floor(now / SLOT_MS) * SLOT_MS - (SLOTS - 1) * SLOT_MS;
}

export interface BarQuestion extends Times {
  createdAt: number;
  isPaused: boolean;
  /** Start of the first slot. */
  from: number;
  now: number;
}

const [UP, DEGRADED, MAINTENANCE, DOWN] = [1, 2, 4, 8];

/**
 * Bar of the last 24 hours: a letter of `BAR_LETTERS` for each half hour. The first that applies of d, m, w and u counts,
 * however short it was.
 */
export function barOf(question: BarQuestion): string {
  const { createdAt, isPaused, from, now } = question;
  const seen = seenIn(question);
  let bar = '';
  for (let slot = 0; slot < SLOTS; slot += 1) {
    const [begin, end] = [from + slot * SLOT_MS, from + (slot + 1) * SLOT_MS];
    const flags = seen[slot]!;
    if (end <= createdAt || begin > now) bar += '-';
    else if (flags & DOWN) bar += 'd';
    else if (flags & MAINTENANCE) bar += 'm';
    else if (flags & DEGRADED) bar += 'w';
    else if (flags & UP) bar += 'u';
    else bar += isPaused && isAfterLast(question, begin) ? 'p' : '?';
  }
  return bar;
}

/** Flags of what was seen in each slot. Where two spans overlap, the first one counts, as in `uptime`. */
function seenIn({ spans, observedUntil, excluded, from, now }: BarQuestion): Uint8Array {
  const seen = new Uint8Array(SLOTS);
  const observedEnd = Math.min(now, observedUntil ?? from);
  const windows = union(excluded);
  const mark = (begin: number, end: number, flag: number): void => {
    if (end <= begin) return;
    const last = Math.min(SLOTS - 1, Math.ceil((end - from) / SLOT_MS) - 1);
    for (let slot = Math.max(0, Math.floor((begin - from) / SLOT_MS)); slot <= last; slot += 1)
      seen[slot]! |= flag;
  };
  for (const window of windows)
    mark(Math.max(window.from, from), Math.min(window.to, now), MAINTENANCE);
  let seenUntil = from;
  for (const span of spans) {
    if (span.status === 'unobserved') continue;
    const begin = Math.max(span.fromAt, seenUntil);
    const end = Math.min(span.toAt ?? observedEnd, observedEnd);
    if (end <= begin) continue;
    seenUntil = end;
    if (span.status !== 'offline') mark(begin, end, span.status === 'online' ? UP : DEGRADED);
    else
      for (const part of outside({ from: begin, to: end }, windows)) mark(part.from, part.to, DOWN);
  }
  return seen;
}

/** Parts of an interval outside of windows, which are in order and without overlaps. */
function outside({ from, to }: Interval, windows: readonly Interval[]): Interval[] {
  const parts: Interval[] = [];
  let at = from;
  for (const window of windows) {
    if (window.to <= at) continue;
    if (window.from >= to) break;
    if (window.from > at) parts.push({ from: at, to: window.from });
    at = window.to;
  }
  return at < to ? [...parts, { from: at, to }] : parts;
}

/** Whether nothing was observed from that time on. */
function isAfterLast({ observedUntil }: Pick<Times, 'observedUntil'>, at: number): boolean {
  return observedUntil === null || observedUntil <= at;
}

/**
 * Time since which a monitor has its status (epoch ms). Unobserved time in between does not end a status.
 *
 * @param spans as recorded, in the order of time.
 */
export function statusSince(spans: readonly Span[], status: string, createdAt: number): number {
  let since: number | null = null;
  for (const span of spans.toReversed()) {
    if (span.status === 'unobserved') continue;
    if (span.status !== status) break;
    since = span.fromAt;
  }
  return since ?? createdAt;
}

const UNKNOWN: ReadonlySet<string> = new Set(UNKNOWN_CODES);

/** Newest results of a monitor, as one letter per region and the median response time of those that are up. */
export function viewNewest(
  newest: Readonly<Record<string, Pick<NewestResult, 'failure' | 'responseTimeMs'> | undefined>>,
  monitored: readonly string[],
  regions: readonly string[],
): { letters: string; responseMs: number | null } {
  const letters = regions.map((region) => {
    if (!monitored.includes(region)) return '-';
    const result = newest[region];
    if (result === undefined || UNKNOWN.has(result.failure ?? '')) return '?';
    return result.failure === null ? 'u' : 'd';
  });
  const times = monitored
    .flatMap((region) => {
      const { failure, responseTimeMs } = newest[region] ?? { failure: null, responseTimeMs: null };
      return failure === null && responseTimeMs !== null ? responseTimeMs : [];
    })
    .toSorted((one, other) => one - other);
  const half = Math.floor(times.length / 2);
  const median =
    times.length % 2 === 1 ? times[half]! : ((times[half - 1] ?? 0) + (times[half] ?? 0)) / 2;
  return { letters: letters.join(''), responseMs: times.length === 0 ? null : Math.round(median) };
}

const rank = ({ severity }: OverviewIncident) => SEVERITIES.indexOf(severity as Severity);

/** The incident to show of several open ones: by severity, then those that nobody acknowledged, then the oldest. */
export function worstIncident(incidents: readonly OverviewIncident[]): OverviewIncident | null {
  const [worst = null] = incidents.toSorted(
    (one, other) =>
      rank(one) - rank(other) ||
      Number(one.acknowledged_at !== null) - Number(other.acknowledged_at !== null) ||
      one.started_at - other.started_at ||
      one.id - other.id,
  );
  return worst;
}

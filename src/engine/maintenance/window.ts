import { parseRecurrence, type RecurrenceRule, type Recurrences } from '../../lib/recurrence.ts';

/** Monitors a window covers: all of the team when the three lists are empty, else those that match any of them. */
export interface MaintenanceScope {
  monitors: readonly number[];
  /** Includes the subgroups of each group. */
  groups: readonly number[];
  /** Exact, case-sensitive tags. */
  tags: readonly string[];
}

export interface ScopedMonitor {
  id: number;
  /** Its group and the group's parent; empty without a group. */
  groupIds: readonly number[];
  tags: readonly string[];
}

/** One occurrence of a maintenance window, `[from, to)` in epoch milliseconds: past, active or scheduled. */
export interface MaintenanceWindow extends MaintenanceScope {
  windowId: number;
  teamId: number;
  from: number;
  to: number;
}

/** Schedule of a window: start and end of its first occurrence (epoch ms), and its recurrence. */
interface MaintenanceSchedule {
  startsAt: number;
  endsAt: number;
  /** Null for a window with a single occurrence. */
  rule: RecurrenceRule | null;
  /** IANA time zone in which the rule recurs. */
  timezone: string;
}

/** Throws when the stored recurrence rule is invalid. */
export function scheduleOf(window: {
  starts_at: number;
  ends_at: number;
  rrule: string | null;
  timezone: string;
}): MaintenanceSchedule {
  const { starts_at: startsAt, ends_at: endsAt, rrule, timezone } = window;
  const parsed = rrule === null ? { rule: null } : parseRecurrence(rrule);
  if ('fault' in parsed) throw new Error(`The stored recurrence rule ${parsed.fault}.`);
  return { startsAt, endsAt, rule: parsed.rule, timezone };
}

interface Interval {
  from: number;
  to: number;
}

export function isInScope(scope: MaintenanceScope, monitor: ScopedMonitor): boolean {
  const { monitors, groups, tags } = scope;
  if (monitors.length + groups.length + tags.length === 0) return true;
  return (
    monitors.includes(monitor.id) ||
    monitor.groupIds.some((id) => groups.includes(id)) ||
    monitor.tags.some((tag) => tags.includes(tag))
  );
}

/**
 * Time until which alerts of a monitor are held (epoch ms): the end of its current maintenance, including occurrences
 * that follow without a gap. Null outside maintenance.
 *
 * @param windows of the monitor's team, in any order.
 */
export function heldUntil(
  windows: readonly MaintenanceWindow[],
  monitor: ScopedMonitor,
  now: number,
): number | null {
  return endOfChain(
    windows.filter((window) => isInScope(window, monitor)),
    now,
  );
}

/** End of the gapless run of intervals that contains `at`; null when none does. */
export function endOfChain(times: readonly Interval[], at: number): number | null {
  let end = at;
  for (const { from, to } of times.toSorted((a, b) => a.from - b.from)) {
    if (from > end) break;
    end = Math.max(end, to);
  }
  return end > at ? end : null;
}

/**
 * Yields the occurrences of a window that start after an instant, in order; endless for an endless rule. Each lasts as
 * long as the first, also across changes of daylight saving time.
 *
 * @param recurrences required for a recurring window.
 */
export function* occurrencesAfter(
  schedule: MaintenanceSchedule,
  after: number,
  recurrences: Recurrences | null,
): Generator<Interval> {
  const { startsAt, endsAt, rule } = schedule;
  const length = endsAt - startsAt;
  if (rule === null) {
    if (startsAt > after) yield { from: startsAt, to: endsAt };
    return;
  }
  if (recurrences === null) throw new Error('A recurring window requires `recurrences`.');
  for (const from of recurrences.startsAfter(rule, schedule, after))
    yield { from, to: from + length };
}

/** Returns the leading intervals that have started, at most `most`, and the first that has not. */
export function startedAndNext(times: Iterable<Interval>, now: number, most: number): Interval[] {
  const taken: Interval[] = [];
  for (const time of times) {
    taken.push(time);
    if (time.from > now || taken.length >= most) break;
  }
  return taken;
}

/**
 * `activeUntil` is the end of the current activity, including overlapping occurrences; null while inactive.
 *
 * @param times occurrences of the window, at least those that have not ended.
 */
export function stateOf(times: readonly Interval[], now: number) {
  const [next = null] = times.filter(({ from }) => from > now).toSorted((a, b) => a.from - b.from);
  const activeUntil = endOfChain(
    times.filter(({ from }) => from <= now),
    now,
  );
  const status = activeUntil !== null ? 'active' : next !== null ? 'scheduled' : 'over';
  return { status, activeUntil, next };
}

/** Interval at which an active window is checked for an early end. */
const EARLY_END_CHECK_MS = 2_000;

/**
 * Time at which the scheduler processes a window next (epoch ms): its next start or end, or its next early end check.
 * Null after the last occurrence.
 *
 * @param times occurrences that have not ended.
 */
export function nextRunAt(times: readonly Interval[], now: number, endsEarly: boolean) {
  const instants = times.flatMap(({ from, to }) => [from, to]).filter((at) => at > now);
  if (instants.length === 0) return null;
  const isActive = times.some(({ from, to }) => from <= now && to > now);
  return Math.min(...instants, endsEarly && isActive ? now + EARLY_END_CHECK_MS : Infinity);
}

/** True when the last `goodRounds` rounds of a monitor were all up; unknown rounds are skipped. */
export function hasGoodRounds(
  rounds: readonly { class: 'up' | 'regional' | 'down' | 'unknown' }[],
  goodRounds: number,
): boolean {
  const seen = rounds.filter((round) => round.class !== 'unknown').slice(-goodRounds);
  return seen.length === goodRounds && seen.every((round) => round.class === 'up');
}

export type Coverage = (scope: MaintenanceScope) => number;

/** Counts by an index, so that a page of windows looks at each monitor of the team once. */
export function coverageOf(monitors: readonly ScopedMonitor[]): Coverage {
  const ids = new Set<number>();
  const byGroup = new Map<number, number[]>();
  const byTag = new Map<string, number[]>();
  for (const { id, groupIds, tags } of monitors) {
    ids.add(id);
    for (const group of groupIds) add(byGroup, group, id);
    for (const tag of tags) add(byTag, tag, id);
  }
  return (scope) => {
    if (scope.monitors.length + scope.groups.length + scope.tags.length === 0) return ids.size;
    const covered = new Set(scope.monitors.filter((id) => ids.has(id)));
    for (const group of scope.groups) for (const id of byGroup.get(group) ?? []) covered.add(id);
    for (const tag of scope.tags) for (const id of byTag.get(tag) ?? []) covered.add(id);
    return covered.size;
  };
}

function add<Key>(index: Map<Key, number[]>, key: Key, id: number): void {
  const list = index.get(key);
  if (list === undefined) index.set(key, [id]);
  else list.push(id);
}

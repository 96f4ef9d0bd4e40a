import type { RecurrenceRule, Recurrences } from '../../lib/recurrence.ts';

/** Which monitors are meant: all of the team when the three lists are empty, else those that any of them names. */
export interface MaintenanceScope {
  monitors: readonly number[];
  /** A group means its subgroups, too. */
  groups: readonly number[];
  /** Whole tags, in the case in which they are written. */
  tags: readonly string[];
}

/** What a scope looks at of a monitor. */
export interface ScopedMonitor {
  id: number;
  /** Its group and that one's parent; empty when it lies in none. */
  groupIds: readonly number[];
  tags: readonly string[];
}

/** One time of maintenance, `[from, to)` in epoch milliseconds: over, running or announced. */
export interface MaintenanceWindow extends MaintenanceScope {
  windowId: number;
  teamId: number;
  from: number;
  to: number;
}

/** When a window comes. Times are epoch milliseconds; those of the first time, if it recurs. */
export interface MaintenanceSchedule {
  startsAt: number;
  endsAt: number;
  /** Null for a window that comes once. */
  rule: RecurrenceRule | null;
  /** IANA name, in whose wall time it recurs. */
  timezone: string;
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
 * Until when what there is to tell of a monitor is held (epoch ms): the end of the maintenance that it is in, with all
 * that follows without a pause. Null when it is in none.
 *
 * @param windows of its team, in any order.
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

/** The end of the time without a pause in which an instant lies; null when it lies in none. */
export function endOfChain(times: readonly Interval[], at: number): number | null {
  let end = at;
  for (const { from, to } of times.toSorted((a, b) => a.from - b.from)) {
    if (from > end) break;
    end = Math.max(end, to);
  }
  return end > at ? end : null;
}

/**
 * The times of a window that begin after an instant, in order; of one that recurs without an end there is no last.
 * Each lasts as long as the first, whatever the clocks do meanwhile.
 *
 * @param recurrences needed for one that recurs.
 */
export function* timesAfter(
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
  if (recurrences === null) throw new Error('A window that recurs needs what finds its times.');
  for (const from of recurrences.startsAfter(rule, schedule, after))
    yield { from, to: from + length };
}

/** The times of `times` that have begun, and the first that has not. At most so many that have begun. */
export function begunAndNext(times: Iterable<Interval>, now: number, most: number): Interval[] {
  const taken: Interval[] = [];
  for (const time of times) {
    taken.push(time);
    if (time.from > now || taken.length >= most) break;
  }
  return taken;
}

/** How a window stands. Times are epoch milliseconds. */
export interface WindowState {
  status: 'scheduled' | 'active' | 'over';
  /** Until when it is active; of times that overlap, the end of all that are known. */
  activeUntil: number | null;
  /** The next time that has not begun. */
  next: Interval | null;
}

/** @param times of the window, those that have not ended at least. */
export function stateOf(times: readonly Interval[], now: number): WindowState {
  const [next = null] = times.filter(({ from }) => from > now).toSorted((a, b) => a.from - b.from);
  const activeUntil = endOfChain(
    times.filter(({ from }) => from <= now),
    now,
  );
  const status = activeUntil !== null ? 'active' : next !== null ? 'scheduled' : 'over';
  return { status, activeUntil, next };
}

/** So often it is seen whether an active window may end early. */
const EARLY_LOOK_MS = 2_000;

/**
 * When a window is to be looked at next (epoch ms): it begins or ends then, or may end early. Null when it is over for
 * good.
 *
 * @param times those that have not ended.
 */
export function nextLook(
  times: readonly Interval[],
  now: number,
  endsEarly: boolean,
): number | null {
  const instants = times.flatMap(({ from, to }) => [from, to]).filter((at) => at > now);
  if (instants.length === 0) return null;
  const isActive = times.some(({ from, to }) => from <= now && to > now);
  return Math.min(...instants, endsEarly && isActive ? now + EARLY_LOOK_MS : Infinity);
}

/** Whether the newest rounds of a monitor are so many good ones in a row. Rounds that saw nothing don't count. */
export function isGood(
  rounds: readonly { class: 'up' | 'regional' | 'down' | 'unknown' }[],
  goodRounds: number,
): boolean {
  const seen = rounds.filter((round) => round.class !== 'unknown').slice(-goodRounds);
  return seen.length === goodRounds && seen.every((round) => round.class === 'up');
}

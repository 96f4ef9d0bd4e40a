import type { Clock } from '../../lib/clock.ts';
import type { MonitorFilter } from './monitors.ts';

/** A filter that is answered from indexes: without texts. */
export type CountedFilter = Pick<MonitorFilter, 'status' | 'type' | 'interval'>;

/** Totals by status above that may be two seconds old. */
const BIG = 10_000;
const BIG_HOLDS_MS = 2_000;
/** Filters whose totals are kept; the oldest go. */
const KEPT = 1_000;

interface Counted {
  total: Promise<number>;
  edits: number | null;
  /** Whether it changes by itself: until then it is taken for right, by the monotonic clock. */
  holdsUntil: number;
}

/** Cached counts of a team's matching monitors. */
export function createMonitorTotals(deps: {
  countMonitors(teamId: number, filter: CountedFilter): Promise<number>;
  clock: Pick<Clock, 'monotonic'>;
}) {
  const { countMonitors, clock } = deps;
  const kept = new Map<string, Counted>();

  async function settle(key: string, counted: Counted, filter: CountedFilter): Promise<void> {
    try {
      const total = await counted.total;
      if (filter.status === null) return;
      counted.holdsUntil = total > BIG ? clock.monotonic() + BIG_HOLDS_MS : -Infinity;
    } catch {
      // Those who wait for it get the error; those who come later count again.
      if (kept.get(key) === counted) kept.delete(key);
    }
  }

  function count(key: string, teamId: number, filter: CountedFilter, edits: number | null) {
    const total = countMonitors(teamId, filter);
    // While it is under way, those who ask at the same number of edits wait for the same count.
    const counted: Counted = { total, edits, holdsUntil: Infinity };
    kept.delete(key);
    kept.set(key, counted);
    for (const oldest of kept.keys()) {
      if (kept.size <= KEPT) break;
      kept.delete(oldest);
    }
    void settle(key, counted, filter);
    return total;
  }

  return {
    /** The cached count, which may be outdated; counts if there is none. For choosing an access path. */
    estimate(teamId: number, filter: CountedFilter): Promise<number> {
      const key = keyOf(teamId, filter);
      return kept.get(key)?.total ?? count(key, teamId, filter, null);
    },
    /**
     * The current count. `edits` is the number of edits so far, of all monitors: a total that was counted at that number is
     * still valid, since only an edit creates or removes a monitor, or changes its type or interval. Statuses change by
     * themselves, so a total by status is counted each time, a large one at most every two seconds.
     */
    exact(teamId: number, filter: CountedFilter, edits: number): Promise<number> {
      const key = keyOf(teamId, filter);
      const known = kept.get(key);
      const holds = known?.edits === edits && clock.monotonic() < known.holdsUntil;
      return holds ? known.total : count(key, teamId, filter, edits);
    },
  };
}

const keyOf = (teamId: number, { status, type, interval }: CountedFilter) =>
  `${teamId} ${status} ${type} ${interval}`;

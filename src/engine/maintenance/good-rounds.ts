import type { Database } from '../../store/database/contract.ts';
import type { MaintenanceWindowRow } from '../../store/resources/maintenance-windows.ts';
import { readRounds } from '../../store/engine/result-history.ts';
import { checkedMonitorsOf } from '../../store/resources/scoped-monitors.ts';
import { isGood, isInScope } from './window.ts';

export interface GoodRounds {
  /**
   * Whether each monitor of a window that we check ourselves, and that is not paused, had so many good rounds in a row
   * since then (epoch ms). False where there is none: then time alone ends it.
   */
  areThere(
    window: MaintenanceWindowRow,
    goodRounds: number,
    since: number,
    now: number,
  ): Promise<boolean>;
}

/** Monitors whose rounds are read in one go. */
const AT_ONCE = 20;
const MOST_AWAITED = 1_000;
const MINUTE_MS = 60_000;

export function createGoodRounds(database: Database): GoodRounds {
  /** By window, the monitor that was waited for last: it is asked first, since most often it is not ready yet. */
  const awaited = new Map<number, number>();

  async function firstWithout(
    ids: readonly number[],
    goodRounds: number,
    range: { from: number; to: number },
  ): Promise<number | null> {
    const rounds = await readRounds(database, ids, range);
    const voted = Map.groupBy(
      rounds.filter(({ kind }) => kind === 'voted'),
      ({ monitorId }) => monitorId,
    );
    return ids.find((id) => !isGood(voted.get(id) ?? [], goodRounds)) ?? null;
  }

  return {
    async areThere(window, goodRounds, since, now) {
      const scope = {
        monitors: JSON.parse(window.monitors) as number[],
        groups: JSON.parse(window.groups) as number[],
        tags: JSON.parse(window.tags) as string[],
      };
      const monitors = (await checkedMonitorsOf(database.read, window.team_id)).filter((one) =>
        isInScope(scope, one),
      );
      if (monitors.length === 0) return false;
      const first = awaited.get(window.id);
      const sorted = monitors.toSorted((a, b) => Number(b.id === first) - Number(a.id === first));
      for (let index = 0; index < sorted.length; index += AT_ONCE) {
        const some = sorted.slice(index, index + AT_ONCE);
        // Rounds come at least once an interval; twice as many leave room for those that saw nothing.
        const longest = Math.max(...some.map(({ checkInterval }) => checkInterval)) * MINUTE_MS;
        const from = Math.max(since, now - 2 * (goodRounds + 1) * longest);
        const ids = some.map(({ id }) => id);
        const waiting = await firstWithout(ids, goodRounds, { from, to: now + 1 });
        if (waiting === null) continue;
        // Windows that ended otherwise leave theirs behind.
        if (awaited.size >= MOST_AWAITED) awaited.clear();
        awaited.set(window.id, waiting);
        return false;
      }
      awaited.delete(window.id);
      return true;
    },
  };
}

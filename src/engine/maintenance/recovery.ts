import type { Database } from '../../store/database/contract.ts';
import type { MaintenanceWindowRow } from '../../store/resources/maintenance-windows.ts';
import { readRounds } from '../../store/engine/result-history.ts';
import { checkedMonitorsOf } from '../../store/resources/scoped-monitors.ts';
import { hasGoodRounds, isInScope } from './window.ts';

/** Monitors per query. */
const BATCH_SIZE = 20;
const MAX_REMEMBERED = 1_000;
const MINUTE_MS = 60_000;

/** Decides whether a maintenance window may end early. */
export function createRecoveryDetector(database: Database) {
  /** By window, the monitor that had not recovered last time: checked first, since it most likely still has not. */
  const pending = new Map<number, number>();

  async function firstUnrecovered(
    ids: readonly number[],
    goodRounds: number,
    range: { from: number; to: number },
  ): Promise<number | null> {
    const rounds = await readRounds(database, ids, range);
    const voted = Map.groupBy(
      rounds.filter(({ kind }) => kind === 'voted'),
      ({ monitorId }) => monitorId,
    );
    return ids.find((id) => !hasGoodRounds(voted.get(id) ?? [], goodRounds)) ?? null;
  }

  return {
    /**
     * True when every active pull monitor of the window had `goodRounds` good rounds in a row since `since` (epoch ms).
     * False for a window without such monitors, which ends at its scheduled time.
     */
    async hasRecovered(
      window: MaintenanceWindowRow,
      goodRounds: number,
      since: number,
      now: number,
    ) {
      const scope = {
        monitors: JSON.parse(window.monitors) as number[],
        groups: JSON.parse(window.groups) as number[],
        tags: JSON.parse(window.tags) as string[],
      };
      const monitors = (await checkedMonitorsOf(database.read, window.team_id)).filter((one) =>
        isInScope(scope, one),
      );
      if (monitors.length === 0) return false;
      const first = pending.get(window.id);
      const sorted = monitors.toSorted((a, b) => Number(b.id === first) - Number(a.id === first));
      for (let index = 0; index < sorted.length; index += BATCH_SIZE) {
        const batch = sorted.slice(index, index + BATCH_SIZE);
        // There is at least one round per interval; reading twice as far leaves room for unknown rounds.
        const longest = Math.max(...batch.map(({ checkInterval }) => checkInterval)) * MINUTE_MS;
        const from = Math.max(since, now - 2 * (goodRounds + 1) * longest);
        const ids = batch.map(({ id }) => id);
        const unrecovered = await firstUnrecovered(ids, goodRounds, { from, to: now + 1 });
        if (unrecovered === null) continue;
        // Windows that ended at their scheduled time leave entries behind.
        if (pending.size >= MAX_REMEMBERED) pending.clear();
        pending.set(window.id, unrecovered);
        return false;
      }
      pending.delete(window.id);
      return true;
    },
  };
}

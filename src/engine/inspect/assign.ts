import type { Database } from '../../store/database/contract.ts';
import { assignInspections } from '../../store/engine/inspection-assignments.ts';
import { getProgress, setProgress } from '../../store/database/settings.ts';
import { unassignedMonitors } from '../../store/engine/unassigned-monitors.ts';
import { assignedTargets } from './target.ts';

const PROGRESS = 'inspections_assigned';
const AT_ONCE = 20;
/** Higher than any id: all monitors have been handled. */
const DONE = Number.MAX_SAFE_INTEGER;

/**
 * Assigns inspections to monitors that were created by a version without inspections, once in the life of a database.
 * Since then, creating or editing a monitor assigns them in the same transaction.
 */
export async function assignOldMonitors(database: Database, now: number): Promise<void> {
  for (;;) {
    const afterId = (await getProgress(database.read, PROGRESS)) ?? 0;
    if (afterId === DONE) return;
    await database.transaction(async (tx) => {
      const rows = await unassignedMonitors(tx, afterId, AT_ONCE);
      for (const { id, check_types, ...monitor } of rows) {
        const targets = assignedTargets({ ...monitor, checkTypes: JSON.parse(check_types) });
        if (targets.length > 0) await assignInspections(tx, id, targets, now);
      }
      await setProgress(tx, PROGRESS, rows.length < AT_ONCE ? DONE : rows.at(-1)!.id);
    });
  }
}

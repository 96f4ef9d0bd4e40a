import type { Kysely, Selectable, Transaction } from 'kysely';
import { sql } from 'kysely';
import type { Schema } from '../database/schema.ts';
import type { ProbeOverloadTable } from '../database/schema-alerts.ts';

export type ProbeOverloadRow = Selectable<ProbeOverloadTable>;

export function readProbeOverload(
  db: Kysely<Schema>,
  probe: string,
): Promise<ProbeOverloadRow | undefined> {
  return db.selectFrom('probe_overload').selectAll().where('probe', '=', probe).executeTakeFirst();
}

/**
 * A probe can't keep up, or can again. A change that undoes one of which nobody was notified leaves nothing to say.
 *
 * @param reason a sentence for people.
 */
export async function writeProbeOverload(
  tx: Transaction<Schema>,
  change: { probe: string; overloadedAt: number | null; reason: string; changedAt: number },
): Promise<void> {
  const { probe, overloadedAt, reason, changedAt } = change;
  const notified = sql<number | null>`case
    when (probe_overload.overloaded_at is null) = (excluded.overloaded_at is null) then probe_overload.notified_at
    when probe_overload.notified_at is null then excluded.changed_at
    else null end`;
  await tx
    .insertInto('probe_overload')
    .values({
      probe,
      overloaded_at: overloadedAt,
      reason,
      changed_at: changedAt,
      // Of a probe that was never overloaded nobody needs to hear that it keeps up.
      notified_at: overloadedAt === null ? changedAt : null,
    })
    .onConflict((conflict) =>
      conflict.column('probe').doUpdateSet((set) => ({
        overloaded_at: set.ref('excluded.overloaded_at'),
        reason: set.ref('excluded.reason'),
        changed_at: set.ref('excluded.changed_at'),
        notified_at: notified,
      })),
    )
    .execute();
}

/** Changes of which the admins are still to be notified, made at that time (epoch ms) or before. */
export function pendingProbeOverloads(
  db: Kysely<Schema>,
  before: number,
): Promise<ProbeOverloadRow[]> {
  return db
    .selectFrom('probe_overload')
    .selectAll()
    .where('notified_at', 'is', null)
    .where('changed_at', '<=', before)
    .orderBy('probe')
    .execute();
}

/** False when another process was faster, or the probe changed again since it was read. */
export async function markOverloadNotified(
  tx: Transaction<Schema>,
  row: ProbeOverloadRow,
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('probe_overload')
    .set({ notified_at: now })
    .where('probe', '=', row.probe)
    .where('changed_at', '=', row.changed_at)
    .where('notified_at', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

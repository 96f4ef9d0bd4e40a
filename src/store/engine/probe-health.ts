import type { Kysely, Selectable, Transaction } from 'kysely';
import { sql } from 'kysely';
import type { Schema } from '../database/schema.ts';
import type { RegionHealthTable, ProbeOverloadTable } from '../database/schema-alerts.ts';

export type RegionHealthRow = Selectable<RegionHealthTable>;

export function readRegionHealth(db: Kysely<Schema>): Promise<RegionHealthRow[]> {
  return db.selectFrom('region_health').selectAll().orderBy('region').execute();
}

/**
 * A region was quarantined, or is no more. A change that undoes one of which nobody was told leaves nothing to tell.
 *
 * @param reason a sentence for people.
 */
export async function writeRegionHealth(
  tx: Transaction<Schema>,
  change: { region: string; quarantinedAt: number | null; reason: string; changedAt: number },
): Promise<void> {
  const { region, quarantinedAt, reason, changedAt } = change;
  const told = sql<number | null>`case
    when (region_health.quarantined_at is null) = (excluded.quarantined_at is null) then region_health.notified_at
    when region_health.notified_at is null then excluded.changed_at
    else null end`;
  await tx
    .insertInto('region_health')
    .values({
      region,
      quarantined_at: quarantinedAt,
      reason,
      changed_at: changedAt,
      notified_at: null,
    })
    .onConflict((conflict) =>
      conflict.column('region').doUpdateSet((set) => ({
        quarantined_at: set.ref('excluded.quarantined_at'),
        reason: set.ref('excluded.reason'),
        changed_at: set.ref('excluded.changed_at'),
        notified_at: told,
      })),
    )
    .execute();
}

/** The changes of which the operators are still to be told, made at that time (epoch ms) or before. */
export function pendingRegionChanges(
  db: Kysely<Schema>,
  before: number,
): Promise<RegionHealthRow[]> {
  return db
    .selectFrom('region_health')
    .selectAll()
    .where('notified_at', 'is', null)
    .where('changed_at', '<=', before)
    .orderBy('region')
    .execute();
}

/** Whether it was still to be told: a change since then, or another process, may have been faster. */
export async function markRegionNotified(
  tx: Transaction<Schema>,
  row: RegionHealthRow,
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('region_health')
    .set({ notified_at: now })
    .where('region', '=', row.region)
    .where('changed_at', '=', row.changed_at)
    .where('notified_at', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** The team that was there first, which is that of whoever runs this; null when there is none. */
export async function oldestTeam(db: Kysely<Schema>): Promise<number | null> {
  const row = await db
    .selectFrom('team')
    .select('id')
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

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

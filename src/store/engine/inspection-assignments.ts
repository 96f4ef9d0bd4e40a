import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import { INSPECTION_KINDS } from '../../model/inspection.ts';
import type { InspectionKind } from '../../model/inspection.ts';
import { engineOf, forUpdate, idTable } from '../database/dialect.ts';
import type { Schema } from '../database/schema.ts';

/**
 * Assigns these inspections to the monitor, and no others. Each runs at once, or after a run in progress, as facts do not
 * depend on settings. A registry that asked for a pause keeps it.
 */
export async function assignInspections(
  tx: Transaction<Schema>,
  monitorId: number,
  targets: readonly Target[],
  now: number,
): Promise<void> {
  const left = await unassign(tx, monitorId);
  const wanted = new Set(targets.map(keyOf));
  for (const one of inLockOrder([...targets, ...left.filter((each) => !wanted.has(keyOf(each)))])) {
    await (wanted.has(keyOf(one)) ? assign(tx, monitorId, one, now) : makeDue(tx, one));
  }
}

type Target = readonly [kind: InspectionKind, target: string];

const keyOf = ([kind, target]: Target) => `${kind} ${target}`;

/** Sorts inspections into the order in which they are locked, so that two transactions never wait for each other. */
function inLockOrder(targets: readonly Target[]): Target[] {
  const place = ([kind, target]: Target) => `${INSPECTION_KINDS.indexOf(kind)} ${target}`;
  return targets.toSorted((one, other) => (place(one) < place(other) ? -1 : 1));
}

async function assign(
  tx: Transaction<Schema>,
  monitorId: number,
  [kind, target]: Target,
  now: number,
): Promise<void> {
  await tx
    .insertInto('monitor_inspection')
    .values({ monitor_id: monitorId, kind, target })
    .onConflict((conflict) => conflict.columns(['monitor_id', 'kind']).doUpdateSet({ target }))
    .execute();
  await tx
    .insertInto('inspection')
    .values({ kind, target, next_at: now, claim: 0, unknown_run: 0, is_recheck: 0, is_open: 0 })
    .onConflict((conflict) =>
      conflict.columns(['kind', 'target']).doUpdateSet(({ ref }) => ({
        next_at: sql<number>`case
          when ${ref('inspection.kind')} = 'domain' and ${ref('inspection.unknown_run')} > 0
            and ${ref('inspection.next_at')} is not null then ${ref('inspection.next_at')}
          else cast(${now} as bigint) end`,
      })),
    )
    .execute();
}

/** Removes the inspections of a monitor. One without monitors is deleted when it is next due; a suspended one is due now. */
export async function unassignInspections(
  tx: Transaction<Schema>,
  monitorId: number,
): Promise<void> {
  for (const one of inLockOrder(await unassign(tx, monitorId))) await makeDue(tx, one);
}

async function unassign(tx: Transaction<Schema>, monitorId: number): Promise<Target[]> {
  const rows = await tx
    .deleteFrom('monitor_inspection')
    .where('monitor_id', '=', monitorId)
    .returning(['kind', 'target'])
    .execute();
  return rows.map((row) => [row.kind as InspectionKind, row.target]);
}

/** Makes a suspended inspection due: without its last monitor it would never run again. */
async function makeDue(tx: Transaction<Schema>, [kind, target]: Target): Promise<void> {
  await tx
    .updateTable('inspection')
    .set({ next_at: sql<number>`coalesce(next_at, 0)` })
    .where((eb) => eb.and({ kind, target }))
    .execute();
}

/** Makes the inspections of a monitor due now: all of them, or those of some kinds. */
export async function makeInspectionsDue(
  tx: Transaction<Schema>,
  monitorId: number,
  now: number,
  kinds: readonly InspectionKind[] = INSPECTION_KINDS,
): Promise<void> {
  const rows = await tx
    .selectFrom('monitor_inspection')
    .select(['kind', 'target'])
    .where('monitor_id', '=', monitorId)
    .where('kind', 'in', [...kinds])
    .execute();
  const targets = rows.map((row): Target => [row.kind as InspectionKind, row.target]);
  for (const [kind, target] of inLockOrder(targets)) {
    await tx
      .updateTable('inspection')
      .set({ next_at: now })
      .where((eb) => eb.and({ kind, target }))
      .where((eb) => eb.or([eb('next_at', 'is', null), eb('next_at', '>', now)]))
      .where((eb) => eb.or([eb('kind', '<>', 'domain'), eb('unknown_run', '=', 0)]))
      .execute();
  }
}

/**
 * Makes the certificates of these monitors due unless they were inspected since `notSince` (epoch ms). Skips what another
 * session has locked: it is being claimed, ended or made due right now.
 */
export async function makeCertificatesDue(
  tx: Transaction<Schema>,
  monitorIds: readonly number[],
  now: number,
  notSince: number,
): Promise<void> {
  if (monitorIds.length === 0) return;
  await tx
    .updateTable('inspection')
    .set({ next_at: now })
    .where('kind', '=', 'ssl')
    .where('target', 'in', (eb) =>
      eb
        .selectFrom('inspection as doubted')
        .select('doubted.target')
        .where('doubted.kind', '=', 'ssl')
        .where('doubted.next_at', '>', now)
        .where((or) =>
          or.or([
            or('doubted.inspected_at', 'is', null),
            or('doubted.inspected_at', '<', notSince),
          ]),
        )
        .where('doubted.target', 'in', (of) =>
          of
            .selectFrom(idTable(tx, monitorIds).as('wanted'))
            .innerJoin('monitor_inspection as assigned', (join) =>
              join.onRef('assigned.monitor_id', '=', 'wanted.id').on('assigned.kind', '=', 'ssl'),
            )
            .select('assigned.target'),
        )
        .$call(forUpdate(engineOf(tx), 'skipLocked')),
    )
    .execute();
}

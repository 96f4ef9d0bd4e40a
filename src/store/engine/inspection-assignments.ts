import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import { INSPECTION_KINDS } from '../../model/inspection.ts';
import type { InspectionKind } from '../../model/inspection.ts';
import { engineOf, forUpdate, jsonTable } from '../database/dialect.ts';
import type { Schema } from '../database/schema.ts';

/**
 * From now on these inspections run for the monitor, and no others; each runs at once, after the one that is under way,
 * if there is one: facts do not depend on settings. A registry that asked to be left alone is left alone.
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

/** The order in which several inspections are locked, so that two of them never wait for each other. */
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
    .values({ kind, target, next_at: now, claim: 0, ...NOTHING_KNOWN })
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

const NOTHING_KNOWN = {
  leased_until: null,
  known_at: null,
  facts: null,
  inspected_at: null,
  result: null,
  unknown_run: 0,
  is_recheck: 0,
  is_open: 0,
};

/** What no monitor wants any more is forgotten when it is due; one that rests is due at once. */
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

/** Makes an inspection due: with its last monitor gone, a suspended one would never run again. */
async function makeDue(tx: Transaction<Schema>, [kind, target]: Target): Promise<void> {
  await tx
    .updateTable('inspection')
    .set({ next_at: sql<number>`coalesce(next_at, 0)` })
    .where('kind', '=', kind)
    .where('target', '=', target)
    .execute();
}

/** Makes the inspections of a monitor due now, those of some kinds only where they are given. */
export async function makeInspectionsDue(
  tx: Transaction<Schema>,
  monitorId: number,
  now: number,
  kinds: readonly InspectionKind[] = ['ssl', 'dns', 'domain'],
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
      .where('kind', '=', kind)
      .where('target', '=', target)
      .where((eb) => eb.or([eb('next_at', 'is', null), eb('next_at', '>', now)]))
      .where((eb) => eb.or([eb('kind', '<>', 'domain'), eb('unknown_run', '=', 0)]))
      .execute();
  }
}

/**
 * The certificates of these monitors are inspected at once, unless that was done since `notSince` (epoch ms). One that
 * another transaction has locked is being claimed, ended or made due right now: it is skipped.
 */
export async function makeCertificatesDue(
  tx: Transaction<Schema>,
  monitorIds: readonly number[],
  now: number,
  notSince: number,
): Promise<void> {
  const engine = engineOf(tx);
  if (monitorIds.length === 0) return;
  const wanted = jsonTable(engine, JSON.stringify(monitorIds.map((id) => [id])), { id: 'integer' });
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
            .selectFrom(wanted.as('wanted'))
            .innerJoin('monitor_inspection as assigned', (join) =>
              join.onRef('assigned.monitor_id', '=', 'wanted.id').on('assigned.kind', '=', 'ssl'),
            )
            .select('assigned.target'),
        )
        .$call(forUpdate(engine, 'skipLocked')),
    )
    .execute();
}

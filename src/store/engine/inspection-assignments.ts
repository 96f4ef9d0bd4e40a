import { sql } from 'kysely';
import { INSPECTION_KINDS, type InspectionKind } from '../../model/inspection.ts';
import { engineOf, forUpdate, idList, idTable, rowTable } from '../database/dialect.ts';
import type { Tx } from '../database/contract.ts';

interface Assignment {
  monitorId: number;
  targets: readonly Target[];
}

/** Which inspections are run for a monitor. */
export function inspectionAssignments(tx: Tx) {
  return {
    /**
     * Assigns these inspections to the monitors, and no others. Each runs at once, or after a run in progress, as facts do not
     * depend on settings. A registry that asked for a pause keeps it.
     */
    async assignAll(assignments: readonly Assignment[], now: number) {
      const left = await unassign(
        tx,
        assignments.map(({ monitorId }) => monitorId),
      );
      const rows = assignments.flatMap(({ monitorId, targets }) =>
        targets.map(([kind, target]) => [monitorId, kind, target] as const),
      );
      await insertAssignments(tx, rows);
      const wanted = unique(rows.map(([, kind, target]): Target => [kind, target]));
      const wantedKeys = new Set(wanted.map(keyOf));
      const unwanted = left.filter((each) => !wantedKeys.has(keyOf(each)));
      await lockInOrder(tx, [...wanted, ...unwanted]);
      await insertOrMakeDue(
        tx,
        inLockOrder(wanted).map(([kind, target]) => [kind, target, now]),
      );
      await makeDue(tx, unwanted);
    },

    assign(monitorId: number, targets: readonly Target[], now: number) {
      return this.assignAll([{ monitorId, targets }], now);
    },

    /** Removes the inspections of monitors. One without monitors is deleted when it is next due; a suspended one is due now. */
    async unassign(monitorIds: readonly number[]) {
      const left = unique(await unassign(tx, monitorIds));
      await lockInOrder(tx, left);
      await makeDue(tx, left);
    },

    /** Makes the inspections of a monitor due now: all of them, or those of some kinds. */
    async makeDue(
      monitorId: number,
      now: number,
      kinds: readonly InspectionKind[] = INSPECTION_KINDS,
    ) {
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
    },

    /**
     * Makes the certificates of these monitors due unless they were inspected since `notSince` (epoch ms). Skips what another
     * session has locked: it is being claimed, ended or made due right now.
     */
    async makeCertificatesDue(monitorIds: readonly number[], now: number, notSince: number) {
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
                  join
                    .onRef('assigned.monitor_id', '=', 'wanted.id')
                    .on('assigned.kind', '=', 'ssl'),
                )
                .select('assigned.target'),
            )
            .$call(forUpdate(engineOf(tx), 'skipLocked')),
        )
        .execute();
    },
  };
}

type Target = readonly [kind: InspectionKind, target: string];

const keyOf = ([kind, target]: Target) => `${kind} ${target}`;

function unique(targets: readonly Target[]): Target[] {
  return [...new Map(targets.map((target) => [keyOf(target), target])).values()];
}

/** Sorts inspections into the order in which they are locked, so that two transactions never wait for each other. */
function inLockOrder(targets: readonly Target[]): Target[] {
  const place = ([kind, target]: Target) => `${INSPECTION_KINDS.indexOf(kind)} ${target}`;
  return targets.toSorted((one, other) => (place(one) < place(other) ? -1 : 1));
}

async function lockInOrder(tx: Tx, targets: readonly Target[]): Promise<void> {
  if (engineOf(tx) === 'sqlite' || targets.length < 2) return;
  const rows = inLockOrder(targets).map(([kind, target], place) => [kind, target, place]);
  await tx
    .selectFrom(rowTable(tx, rows, { kind: 'text', target: 'text', place: 'integer' }).as('wanted'))
    .innerJoin('inspection', (join) =>
      join
        .onRef('inspection.kind', '=', 'wanted.kind')
        .onRef('inspection.target', '=', 'wanted.target'),
    )
    .select('inspection.kind')
    .orderBy('wanted.place')
    .forNoKeyUpdate('inspection')
    .execute();
}

async function insertAssignments(
  tx: Tx,
  assigned: readonly (readonly [monitorId: number, kind: string, target: string])[],
): Promise<void> {
  if (assigned.length === 0) return;
  const rows = rowTable(tx, assigned, { monitor_id: 'integer', kind: 'text', target: 'text' });
  // The condition keeps SQLite from taking "on conflict" for that of a join.
  await sql`
    insert into monitor_inspection (monitor_id, kind, target)
    select monitor_id, kind, target from ${rows} as v where true
    on conflict (monitor_id, kind) do update set target = excluded.target`.execute(tx);
}

async function insertOrMakeDue(
  tx: Tx,
  targets: readonly (readonly [kind: string, target: string, now: number])[],
): Promise<void> {
  if (targets.length === 0) return;
  const rows = rowTable(tx, targets, { kind: 'text', target: 'text', next_at: 'integer' });
  await sql`
    insert into inspection (kind, target, next_at, claim, unknown_run, is_recheck, is_open)
    select kind, target, next_at, 0, 0, 0, 0 from ${rows} as v where true
    on conflict (kind, target) do update set next_at = case
      when inspection.kind = 'domain' and inspection.unknown_run > 0 and inspection.next_at is not null
      then inspection.next_at else excluded.next_at end`.execute(tx);
}

async function unassign(tx: Tx, monitorIds: readonly number[]): Promise<Target[]> {
  const rows = await tx
    .deleteFrom('monitor_inspection')
    .where('monitor_id', 'in', idList(tx, monitorIds))
    .returning(['kind', 'target'])
    .execute();
  return rows.map((row) => [row.kind as InspectionKind, row.target]);
}

/** Makes suspended inspections due: without its last monitor one would never run again. */
async function makeDue(tx: Tx, targets: readonly Target[]): Promise<void> {
  if (targets.length === 0) return;
  const rows = rowTable(tx, targets, { kind: 'text', target: 'text' });
  await sql`
    update inspection set next_at = coalesce(next_at, 0)
    from ${rows} as v where inspection.kind = v.kind and inspection.target = v.target`.execute(tx);
}

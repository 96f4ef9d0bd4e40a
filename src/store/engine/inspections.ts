import { INSPECTION_FIELDS } from '../../monitor-types/fields.ts';
import type { InspectionRow } from '../../monitor-types/settings.ts';
import { sql } from 'kysely';
import {
  INSPECTION_KINDS,
  type FactsOf,
  type InspectionKind,
  type InspectionResult,
} from '../../model/inspection.ts';
import { engineOf, forUpdate, rowTable } from '../database/dialect.ts';
import type { Db, Row, Tx } from '../database/contract.ts';
import { hasRow } from '../database/rows.ts';

interface Inspection<Kind extends InspectionKind = InspectionKind> {
  kind: Kind;
  target: string;
  facts: FactsOf[Kind] | null;
  knownAt: number | null;
  result: InspectionResult<Kind> | null;
  inspectedAt: number | null;
  /** Number of unknown results in a row. */
  unknownRun: number;
  /** Whether the next run confirms what the last one found. */
  isRecheck: boolean;
  /** Whether a monitor of the target has a condition of this kind. */
  isOpen: boolean;
  nextAt: number | null;
}

/** An inspection that this process runs while the row has this `claim`. */
export interface ClaimedInspection<
  Kind extends InspectionKind = InspectionKind,
> extends Inspection<Kind> {
  claim: number;
}

export interface InspectedMonitorRow extends InspectionRow {
  id: number;
  team_id: number;
  /** Minutes. */
  check_interval: number | null;
}

/** Finds the kinds that have a due inspection without a lease (`now` in epoch ms). */
export async function dueKinds(db: Db, now: number): Promise<InspectionKind[]> {
  const distant = now + DISTANT_MS;
  const isFree = sql`(leased_until is null or leased_until < ${now} or leased_until > ${distant})`;
  // Two ranges of the index `inspection_next`: one condition over both would read all inspections of a kind.
  const isDue = (kind: InspectionKind) =>
    sql`(exists (select 1 from inspection where kind = ${kind} and next_at <= ${now} and ${isFree})
      or exists (select 1 from inspection where kind = ${kind} and next_at > ${distant} and ${isFree}))`;
  const dueOf = INSPECTION_KINDS.map((kind) => sql`select ${kind} as kind where ${isDue(kind)}`);
  const { rows } = await sql<{
    kind: InspectionKind;
  }>`${sql.join(dueOf, sql` union all `)}`.execute(db);
  return rows.map((row) => row.kind);
}

/** Runs of inspections. */
export function inspectionRuns(tx: Tx) {
  return {
    /** Claims due inspections of a kind until `leasedUntil`, the longest due first. */
    async claim(
      ofKind: InspectionKind,
      now: number,
      limit: number,
      leasedUntil: number,
    ): Promise<ClaimedInspection[]> {
      const longestDue = due(tx, ofKind, now).limit(limit);
      const rows = await longestDue.$call(forUpdate(engineOf(tx), 'skipLocked')).execute();
      if (rows.length === 0) return [];
      const pairs = rows.map(({ kind, target }) => [kind, target]);
      const keys = rowTable(tx, pairs, { kind: 'text', target: 'text' });
      await sql`update inspection set claim = claim + 1, leased_until = ${leasedUntil}
    from ${keys} as v where inspection.kind = v.kind and inspection.target = v.target`.execute(tx);
      return rows.map((row) => ({ ...inspectionOf(row), claim: row.claim + 1 }));
    },

    /** Locks a claimed inspection. @returns null when another process has claimed it. */
    async lock(claimed: ClaimedInspection): Promise<LockedInspection | null> {
      const { kind, target, claim, nextAt } = claimed;
      const row = await tx
        .selectFrom('inspection')
        .select(['claim', 'next_at'])
        .where((eb) => eb.and({ kind, target }))
        .$call(forUpdate(engineOf(tx)))
        .executeTakeFirst();
      if (row?.claim !== claim) return null;
      return { ...claimed, isRequestedSince: row.next_at !== nextAt };
    },

    /** Stores the result and ends the lease. The caller has locked the inspection. */
    async end(
      { kind, target }: ClaimedInspection,
      seen: { result: InspectionResult; at: number },
      end: InspectionEnd,
    ) {
      const { result, at } = seen;
      await tx
        .updateTable('inspection')
        .set({
          next_at: end.nextAt,
          is_recheck: end.isRecheck ? 1 : 0,
          is_open: end.isOpen ? 1 : 0,
          unknown_run: end.unknownRun,
          leased_until: null,
          inspected_at: at,
          result: JSON.stringify(result.state === 'known' ? { state: 'known' } : result),
          ...(result.state === 'known'
            ? { facts: JSON.stringify(result.facts), known_at: at }
            : {}),
        })
        .where((eb) => eb.and({ kind, target }))
        .execute();
    },

    /** Postpones an inspection whose result could not be recorded, so that it does not delay others. */
    async postpone({ kind, target, claim }: ClaimedInspection, nextAt: number) {
      await tx
        .updateTable('inspection')
        .set({ next_at: nextAt, leased_until: null })
        .where((eb) => eb.and({ kind, target, claim }))
        .execute();
    },

    /**
     * Suspends an inspection whose monitors are all paused, and deletes it when it has no monitor. One for which a run was
     * requested since stays due.
     */
    async suspend({ kind, target, isRequestedSince }: LockedInspection) {
      const assigned = tx.selectFrom('monitor_inspection').where((eb) => eb.and({ kind, target }));
      if (!(await hasRow(assigned))) return deleteInspection(tx, kind, target);
      await tx
        .updateTable('inspection')
        .set({ ...(isRequestedSince ? {} : { next_at: null }), leased_until: null })
        .where((eb) => eb.and({ kind, target }))
        .execute();
    },
  };
}

/** Runs and leases that lie further ahead were written before the clock was set back, milliseconds. */
const DISTANT_MS = 3 * 24 * 3_600_000;

function due(db: Db, kind: InspectionKind, now: number) {
  return db
    .selectFrom('inspection')
    .selectAll()
    .where('kind', '=', kind)
    .where((eb) => eb.or([eb('next_at', '<=', now), eb('next_at', '>', now + DISTANT_MS)]))
    .where((eb) =>
      eb.or([
        eb('leased_until', 'is', null),
        eb('leased_until', '<', now),
        eb('leased_until', '>', now + DISTANT_MS),
      ]),
    )
    .orderBy('next_at');
}

/** An inspection that is locked until the transaction ends. */
export interface LockedInspection extends ClaimedInspection {
  /** Another run was requested since this one was claimed. */
  isRequestedSince: boolean;
}

/** Reads monitors of the inspection that are not paused, by id after `afterId`. */
export function inspectedMonitors(
  db: Db,
  { kind, target }: Inspection,
  afterId: number,
  limit: number,
): Promise<InspectedMonitorRow[]> {
  return db
    .selectFrom('monitor_inspection as assigned')
    .innerJoin('monitor', 'monitor.id', 'assigned.monitor_id')
    .select([
      'monitor.id',
      'monitor.team_id',
      'monitor.check_interval',
      ...INSPECTION_FIELDS.map((name) => `monitor.${name}` as const),
    ])
    .where('assigned.kind', '=', kind)
    .where('assigned.target', '=', target)
    .where('assigned.monitor_id', '>', afterId)
    .where('monitor.is_paused', '=', 0)
    .where('monitor.deleted_at', 'is', null)
    .orderBy('assigned.monitor_id')
    .limit(limit)
    .execute();
}

export interface InspectionEnd {
  nextAt: number;
  isRecheck: boolean;
  isOpen: boolean;
  unknownRun: number;
}

async function deleteInspection(tx: Tx, kind: InspectionKind, target: string) {
  await tx
    .deleteFrom('inspection')
    .where((eb) => eb.and({ kind, target }))
    .execute();
  if (kind === 'dns') await tx.deleteFrom('dns_record_set').where('host', '=', target).execute();
  if (kind === 'ssl') await tx.deleteFrom('certificate').where('target', '=', target).execute();
}

/** Reads the inspection of a target; undefined without one. */
export async function findInspection<Kind extends InspectionKind>(
  db: Db,
  kind: Kind,
  target: string,
): Promise<Inspection<Kind> | undefined> {
  const row = await db
    .selectFrom('inspection')
    .selectAll()
    .where((eb) => eb.and({ kind, target }))
    .executeTakeFirst();
  return row && (inspectionOf(row) as Inspection<Kind>);
}

function inspectionOf(row: Row<'inspection'>): Inspection {
  const facts = row.facts === null ? null : JSON.parse(row.facts);
  const result = row.result === null ? null : JSON.parse(row.result);
  return {
    kind: row.kind as InspectionKind,
    target: row.target,
    facts,
    knownAt: row.known_at,
    // The facts of a known result are stored once.
    result: result?.state === 'known' ? { state: 'known', facts } : result,
    inspectedAt: row.inspected_at,
    unknownRun: row.unknown_run,
    isRecheck: row.is_recheck === 1,
    isOpen: row.is_open === 1,
    nextAt: row.next_at,
  };
}

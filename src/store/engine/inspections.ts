import { sql } from 'kysely';
import type { Kysely, Selectable, Transaction } from 'kysely';
import { INSPECTION_KINDS } from '../../model/inspection.ts';
import type { FactsOf, InspectionKind, InspectionResult } from '../../model/inspection.ts';
import { engineOf, forUpdate, jsonTable } from '../database/dialect.ts';
import type { InspectionTable, Schema } from '../database/schema.ts';

/** What is known of a target. Times are epoch milliseconds. */
export interface Inspection<Kind extends InspectionKind = InspectionKind> {
  kind: Kind;
  target: string;
  /** The newest facts, and when they were found; null before the first. */
  facts: FactsOf[Kind] | null;
  knownAt: number | null;
  /** The newest result, and its time. */
  result: InspectionResult<Kind> | null;
  inspectedAt: number | null;
  /** Results in a row that found nothing out. */
  unknownRun: number;
  /** Whether the next run is to confirm what the last one found. */
  isRecheck: boolean;
  /** Whether a monitor of the target has a condition of this kind. */
  isOpen: boolean;
  nextAt: number | null;
}

/** An inspection that is ours to make, for as long as `claim` is the row's. */
export interface ClaimedInspection<
  Kind extends InspectionKind = InspectionKind,
> extends Inspection<Kind> {
  claim: number;
}

/** Of a monitor, what its own verdict on a finding depends on. */
export interface InspectedMonitorRow {
  id: number;
  team_id: number;
  /** Minutes. */
  check_interval: number | null;
  ssl_expiry_threshold: number;
  domain_expiry_threshold: number;
  verify_ssl: number;
}

/** The kinds of which an inspection is due that is not leased (epoch ms). */
export async function dueKinds(db: Kysely<Schema>, now: number): Promise<InspectionKind[]> {
  const distant = now + DISTANT_MS;
  const isFree = sql`(leased_until is null or leased_until < ${now} or leased_until > ${distant})`;
  // Two ranges of the index `inspection_next` each: with one condition over both, all of a kind would be read.
  const isDue = (kind: InspectionKind) =>
    sql`(exists (select 1 from inspection where kind = ${kind} and next_at <= ${now} and ${isFree})
      or exists (select 1 from inspection where kind = ${kind} and next_at > ${distant} and ${isFree}))`;
  const dueOf = INSPECTION_KINDS.map((kind) => sql`select ${kind} as kind where ${isDue(kind)}`);
  const { rows } = await sql<{
    kind: InspectionKind;
  }>`${sql.join(dueOf, sql` union all `)}`.execute(db);
  return rows.map((row) => row.kind);
}

/** Takes up what is due of a kind, the longest due first: ours until `leasedUntil`. */
export async function claimInspections(
  tx: Transaction<Schema>,
  ofKind: InspectionKind,
  now: number,
  limit: number,
  leasedUntil: number,
): Promise<ClaimedInspection[]> {
  const engine = engineOf(tx);
  const longestDue = due(tx, ofKind, now).limit(limit);
  const rows = await longestDue.$call(forUpdate(engine, 'skipLocked')).execute();
  if (rows.length === 0) return [];
  const keys = jsonTable(engine, JSON.stringify(rows.map(({ kind, target }) => [kind, target])), {
    kind: 'text',
    target: 'text',
  });
  await sql`update inspection set claim = claim + 1, leased_until = ${leasedUntil}
    from ${keys} as v where inspection.kind = v.kind and inspection.target = v.target`.execute(tx);
  return rows.map((row) => ({ ...inspectionOf(row), claim: row.claim + 1 }));
}

/** No run is scheduled and no lease ends later than this, except by a clock that was ahead and has stepped back since. */
const DISTANT_MS = 3 * 24 * 3_600_000;

function due(db: Kysely<Schema>, kind: InspectionKind, now: number) {
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

/** Held by us until the transaction ends. */
export interface LockedInspection extends ClaimedInspection {
  /** Another run was requested since this one was claimed. */
  isRequestedSince: boolean;
}

/** Null when the inspection is not ours any more; else nobody takes it from us before the transaction ends. */
export async function lockInspection(
  tx: Transaction<Schema>,
  claimed: ClaimedInspection,
): Promise<LockedInspection | null> {
  const { kind, target, claim, nextAt } = claimed;
  const row = await tx
    .selectFrom('inspection')
    .select(['claim', 'next_at'])
    .where('kind', '=', kind)
    .where('target', '=', target)
    .$call(forUpdate(engineOf(tx)))
    .executeTakeFirst();
  if (row?.claim !== claim) return null;
  return { ...claimed, isRequestedSince: row.next_at !== nextAt };
}

/** Monitors that the inspection is for, those that are paused left out, by id after `afterId`. */
export function inspectedMonitors(
  db: Kysely<Schema>,
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
      'monitor.ssl_expiry_threshold',
      'monitor.domain_expiry_threshold',
      'monitor.verify_ssl',
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

/** What becomes of an inspection once it is recorded for all its monitors. */
export interface InspectionEnd {
  /** Epoch milliseconds. */
  nextAt: number;
  isRecheck: boolean;
  isOpen: boolean;
  unknownRun: number;
}

/** Stores what was found. The caller holds the inspection. */
export async function endInspection(
  tx: Transaction<Schema>,
  { kind, target }: ClaimedInspection,
  seen: { result: InspectionResult; at: number },
  end: InspectionEnd,
): Promise<void> {
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
      ...(result.state === 'known' ? { facts: JSON.stringify(result.facts), known_at: at } : {}),
    })
    .where('kind', '=', kind)
    .where('target', '=', target)
    .execute();
}

/** Postpones an inspection that could not be ended, so that it does not delay others. */
export async function postponeInspection(
  tx: Transaction<Schema>,
  { kind, target, claim }: ClaimedInspection,
  nextAt: number,
): Promise<void> {
  await tx
    .updateTable('inspection')
    .set({ next_at: nextAt, leased_until: null })
    .where('kind', '=', kind)
    .where('target', '=', target)
    .where('claim', '=', claim)
    .execute();
}

/**
 * No monitor of the target runs: it rests until one does, and is forgotten when there is none at all. Where somebody
 * requested a run since, it stays due.
 */
export async function suspendInspection(
  tx: Transaction<Schema>,
  { kind, target, isRequestedSince: isAskedSince }: LockedInspection,
): Promise<void> {
  const paused = await tx
    .selectFrom('monitor_inspection')
    .select('monitor_id')
    .where('kind', '=', kind)
    .where('target', '=', target)
    .limit(1)
    .executeTakeFirst();
  if (paused === undefined) return deleteInspection(tx, kind, target);
  await tx
    .updateTable('inspection')
    .set({ ...(isAskedSince ? {} : { next_at: null }), leased_until: null })
    .where('kind', '=', kind)
    .where('target', '=', target)
    .execute();
}

/** With its history: no monitor is there to show it. */
async function deleteInspection(
  tx: Transaction<Schema>,
  kind: InspectionKind,
  target: string,
): Promise<void> {
  await tx.deleteFrom('inspection').where('kind', '=', kind).where('target', '=', target).execute();
  if (kind === 'dns') await tx.deleteFrom('dns_record_set').where('host', '=', target).execute();
  if (kind === 'ssl') await tx.deleteFrom('certificate').where('target', '=', target).execute();
}

/** What is known of a target; undefined when it is not inspected. */
export async function findInspection<Kind extends InspectionKind>(
  db: Kysely<Schema>,
  kind: Kind,
  target: string,
): Promise<Inspection<Kind> | undefined> {
  const row = await db
    .selectFrom('inspection')
    .selectAll()
    .where('kind', '=', kind)
    .where('target', '=', target)
    .executeTakeFirst();
  return row && (inspectionOf(row) as Inspection<Kind>);
}

function inspectionOf(row: Selectable<InspectionTable>): Inspection {
  const facts = row.facts === null ? null : JSON.parse(row.facts);
  const result = row.result === null ? null : JSON.parse(row.result);
  return {
    kind: row.kind as InspectionKind,
    target: row.target,
    facts,
    knownAt: row.known_at,
    // The facts of one that is known are stored once.
    result: result?.state === 'known' ? { state: 'known', facts } : result,
    inspectedAt: row.inspected_at,
    unknownRun: row.unknown_run,
    isRecheck: row.is_recheck === 1,
    isOpen: row.is_open === 1,
    nextAt: row.next_at,
  };
}

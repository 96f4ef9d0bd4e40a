import { sql } from 'kysely';
import type { Kysely, Selectable, Transaction } from 'kysely';
import { INSPECTION_KINDS } from '../model/inspection.ts';
import type { FactsOf, InspectionKind, InspectionResult } from '../model/inspection.ts';
import type { Database } from './contract.ts';
import { forUpdate, jsonTable } from './dialect.ts';
import type { InspectionTable, Schema } from './schema.ts';

type Engine = Database['engine'];

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
  /** Whether the next look is to confirm what the last one found. */
  isRecheck: boolean;
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
  ssl_expiry_threshold: number;
  domain_expiry_threshold: number;
  verify_ssl: number;
}

/**
 * From now on these inspections run for the monitor, and no others; each looks at once. One that is under way does not
 * count any more: it is taken up again. A registry that asked to be left alone is left alone.
 */
export async function assignInspections(
  tx: Transaction<Schema>,
  monitorId: number,
  targets: readonly Target[],
  now: number,
): Promise<void> {
  const left = await takeOff(tx, monitorId);
  const wanted = new Set(targets.map(keyOf));
  for (const one of inLockOrder([...targets, ...left.filter((each) => !wanted.has(keyOf(each)))])) {
    await (wanted.has(keyOf(one)) ? assign(tx, monitorId, one, now) : wake(tx, one));
  }
}

type Target = readonly [kind: InspectionKind, target: string];

const keyOf = ([kind, target]: Target) => `${kind} ${target}`;

/** Whoever touches several inspections does it in this order, so that two of them never wait for each other. */
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
    .execute();
  await tx
    .insertInto('inspection')
    .values({ kind, target, next_at: now, claim: 0, ...NOTHING_KNOWN })
    .onConflict((conflict) =>
      conflict.columns(['kind', 'target']).doUpdateSet(({ ref, eb }) => ({
        next_at: sql<number>`case
          when ${ref('inspection.kind')} = 'domain' and ${ref('inspection.unknown_run')} > 0
            and ${ref('inspection.next_at')} is not null then ${ref('inspection.next_at')}
          else cast(${now} as bigint) end`,
        claim: eb('inspection.claim', '+', 1),
        leased_until: null,
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
};

/** What no monitor wants any more is forgotten when it is due; one that rests is due at once. */
export async function unassignInspections(
  tx: Transaction<Schema>,
  monitorId: number,
): Promise<void> {
  for (const one of inLockOrder(await takeOff(tx, monitorId))) await wake(tx, one);
}

async function takeOff(tx: Transaction<Schema>, monitorId: number): Promise<Target[]> {
  const rows = await tx
    .deleteFrom('monitor_inspection')
    .where('monitor_id', '=', monitorId)
    .returning(['kind', 'target'])
    .execute();
  return rows.map((row) => [row.kind as InspectionKind, row.target]);
}

/** Where its last monitor goes, nobody else would ever look at one that rests: it is long due. */
async function wake(tx: Transaction<Schema>, [kind, target]: Target): Promise<void> {
  await tx
    .updateTable('inspection')
    .set({ next_at: sql<number>`coalesce(next_at, 0)` })
    .where('kind', '=', kind)
    .where('target', '=', target)
    .execute();
}

/** The inspections of a monitor look at once, those of some kinds only where they are given. */
export async function hastenInspections(
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
 * somebody holds is taken up, ended or hastened right now: nobody waits for it.
 */
export async function hastenCertificates(
  tx: Transaction<Schema>,
  engine: Engine,
  monitorIds: readonly number[],
  now: number,
  notSince: number,
): Promise<void> {
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

/** Whether one is due that nobody looks at (epoch ms). */
export async function isInspectionDue(db: Kysely<Schema>, now: number): Promise<boolean> {
  const row = await due(db, now).limit(1).executeTakeFirst();
  return row !== undefined;
}

/** Takes up what is due, the longest due first: ours until `leasedUntil`. */
export async function claimInspections(
  tx: Transaction<Schema>,
  engine: Engine,
  now: number,
  limit: number,
  leasedUntil: number,
): Promise<ClaimedInspection[]> {
  const rows = await due(tx, now).limit(limit).$call(forUpdate(engine, 'skipLocked')).execute();
  if (rows.length === 0) return [];
  const keys = jsonTable(engine, JSON.stringify(rows.map(({ kind, target }) => [kind, target])), {
    kind: 'text',
    target: 'text',
  });
  await sql`update inspection set claim = claim + 1, leased_until = ${leasedUntil}
    from ${keys} as v where inspection.kind = v.kind and inspection.target = v.target`.execute(tx);
  return rows.map((row) => ({ ...inspectionOf(row), claim: row.claim + 1 }));
}

function due(db: Kysely<Schema>, now: number) {
  return db
    .selectFrom('inspection')
    .selectAll()
    .where('next_at', '<=', now)
    .where((eb) => eb.or([eb('leased_until', 'is', null), eb('leased_until', '<', now)]))
    .orderBy('next_at');
}

/** Whether the inspection is still ours; if so, nobody takes it from us before the transaction ends. */
export async function holdInspection(
  tx: Transaction<Schema>,
  engine: Engine,
  { kind, target, claim }: ClaimedInspection,
): Promise<boolean> {
  const row = await tx
    .selectFrom('inspection')
    .select('claim')
    .where('kind', '=', kind)
    .where('target', '=', target)
    .$call(forUpdate(engine))
    .executeTakeFirst();
  return row?.claim === claim;
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

/** What becomes of an inspection once all its monitors are judged. */
export interface InspectionEnd {
  /** Epoch milliseconds. */
  nextAt: number;
  isRecheck: boolean;
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

/** Puts an inspection that could not be ended off, so that others get their turn. */
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

/** No monitor of the target runs: it rests until one does, and is forgotten when there is none at all. */
export async function restInspection(
  tx: Transaction<Schema>,
  { kind, target }: Inspection,
): Promise<void> {
  const paused = await tx
    .selectFrom('monitor_inspection')
    .select('monitor_id')
    .where('kind', '=', kind)
    .where('target', '=', target)
    .limit(1)
    .executeTakeFirst();
  if (paused === undefined) return forgetInspection(tx, kind, target);
  await tx
    .updateTable('inspection')
    .set({ next_at: null, leased_until: null })
    .where('kind', '=', kind)
    .where('target', '=', target)
    .execute();
}

/** With its history: no monitor is there to show it. */
async function forgetInspection(
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
    nextAt: row.next_at,
  };
}

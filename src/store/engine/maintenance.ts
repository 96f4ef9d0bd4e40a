import { sql, type Kysely, type Selectable, type Transaction } from 'kysely';
import { engineOf, forUpdate, idList, jsonTable, rowTable } from '../database/dialect.ts';
import type { Schema } from '../database/schema.ts';
import { idsParameter, prepareQuery } from '../database/prepared-statements.ts';

export interface MaintenanceOccurrence {
  from: number;
  to: number;
}

/** Occurrence with the window's scope as of when it was stored. */
export interface ScopedOccurrence extends MaintenanceOccurrence {
  windowId: number;
  teamId: number;
  monitors: number[];
  groups: number[];
  tags: string[];
}

/** Reads the occurrences of these windows that have not ended, by window, in order. */
export async function openOccurrences(
  db: Kysely<Schema>,
  windowIds: readonly number[],
  now: number,
): Promise<Map<number, MaintenanceOccurrence[]>> {
  const rows = await db
    .selectFrom('maintenance_occurrence')
    .select(['window_id', 'from_at', 'to_at'])
    .where('window_id', 'in', idList(db, windowIds))
    .where('to_at', '>', now)
    .orderBy('from_at')
    .execute();
  const times = new Map<number, MaintenanceOccurrence[]>();
  for (const { window_id: id, from_at: from, to_at: to } of rows)
    times.set(id, [...(times.get(id) ?? []), { from, to }]);
  return times;
}

/** Reads the start of a window's latest stored occurrence (epoch ms); null without one. */
export async function newestStart(db: Kysely<Schema>, windowId: number): Promise<number | null> {
  const row = await db
    .selectFrom('maintenance_occurrence')
    .select((eb) => eb.fn.max('from_at').as('newest'))
    .where('window_id', '=', windowId)
    .executeTakeFirst();
  return row?.newest ?? null;
}

/** Adds occurrences to a window, with its current scope. */
export async function insertOccurrences(
  tx: Transaction<Schema>,
  windowId: number,
  times: readonly MaintenanceOccurrence[],
): Promise<void> {
  if (times.length === 0) return;
  const values = times.map(({ from, to }) => [from, to]);
  const rows = rowTable(tx, values, { from_at: 'integer', to_at: 'integer' });
  await sql`
    insert into maintenance_occurrence (window_id, team_id, monitors, groups, tags, from_at, to_at)
    select maintenance_window.id, team_id, monitors, groups, tags, v.from_at, v.to_at
    from ${rows} as v join maintenance_window on maintenance_window.id = ${windowId}`.execute(tx);
}

/** Ends the active occurrences and deletes the scheduled ones. */
export async function cutOccurrences(tx: Transaction<Schema>, windowId: number, now: number) {
  await tx
    .deleteFrom('maintenance_occurrence')
    .where('window_id', '=', windowId)
    .where('from_at', '>=', now)
    .execute();
  await endActiveOccurrences(tx, windowId, now);
}

export async function endActiveOccurrences(tx: Transaction<Schema>, windowId: number, now: number) {
  await tx
    .updateTable('maintenance_occurrence')
    .set({ to_at: now })
    .where('window_id', '=', windowId)
    .where('from_at', '<=', now)
    .where('to_at', '>', now)
    .execute();
}

/** Reads the active and scheduled occurrences of these teams, in one query over an index. */
export async function openOccurrencesOfTeams(
  db: Kysely<Schema>,
  teamIds: readonly number[],
  now: number,
): Promise<ScopedOccurrence[]> {
  if (teamIds.length === 0) return [];
  const rows = await selectScoped(db)
    .where('team_id', 'in', [...new Set(teamIds)])
    .where('to_at', '>', now)
    .execute();
  return rows.map(scopedOccurrenceOf);
}

/** Reads the occurrences of the teams of these monitors that overlap `[from, to)` (epoch ms). */
export async function occurrencesWithin(
  db: Kysely<Schema>,
  monitorIds: readonly number[],
  { from, to }: MaintenanceOccurrence,
): Promise<ScopedOccurrence[]> {
  const rows = await occurrencesOfMonitors(db, { ids: idsParameter(monitorIds), from, to });
  return rows.map(scopedOccurrenceOf);
}

const occurrencesOfMonitors = prepareQuery<ScopedRow, 'ids' | 'from' | 'to'>(
  ['ids', 'from', 'to'],
  ({ ids, from, to }, engine) => sql`
    select window_id as "windowId", team_id as "teamId", from_at as "from", to_at as "to", monitors, groups, tags
    from maintenance_occurrence
    where team_id in (select monitor.team_id from monitor
        where monitor.id in (select id from ${jsonTable(engine, ids, { id: 'integer' })} as listed))
      and to_at > ${from} and from_at < ${to}
    order by from_at`,
);

function selectScoped(db: Kysely<Schema>) {
  return db
    .selectFrom('maintenance_occurrence')
    .select(['window_id as windowId', 'team_id as teamId', 'from_at as from', 'to_at as to'])
    .select(['monitors', 'groups', 'tags'])
    .orderBy('from_at');
}

type ScopedRow = Awaited<ReturnType<ReturnType<typeof selectScoped>['executeTakeFirstOrThrow']>>;

function scopedOccurrenceOf(row: ScopedRow): ScopedOccurrence {
  return {
    ...row,
    monitors: JSON.parse(row.monitors) as number[],
    groups: JSON.parse(row.groups) as number[],
    tags: JSON.parse(row.tags) as string[],
  };
}

/** Makes everything held for a team due now, after an occurrence ended early. */
export async function releaseHeld(tx: Transaction<Schema>, teamId: number, now: number) {
  await tx
    .updateTable('event')
    .set({ fan_out_at: now })
    .where('team_id', '=', teamId)
    .where('fan_out_at', '>', now)
    .execute();
  await tx
    .updateTable('alert')
    .set({ next_at: now })
    .where('team_id', '=', teamId)
    .where('next_at', '>', now)
    .where('over_at', 'is', null)
    .execute();
}

type WindowRow = Selectable<Schema['maintenance_window']>;

/** Windows that are due, the longest due first. */
export function dueWindows(db: Kysely<Schema>, now: number, limit: number): Promise<WindowRow[]> {
  return selectDue(db, now).orderBy('next_at').orderBy('id').limit(limit).execute();
}

/** Locks a due window; undefined when it is no longer due or another transaction has locked it. */
export function lockDueWindow(
  tx: Transaction<Schema>,
  id: number,
  now: number,
): Promise<WindowRow | undefined> {
  return selectDue(tx, now)
    .where('id', '=', id)
    .$call(forUpdate(engineOf(tx), 'skipLocked'))
    .executeTakeFirst();
}

function selectDue(db: Kysely<Schema>, now: number) {
  return db
    .selectFrom('maintenance_window')
    .selectAll()
    .where('next_at', '<=', now)
    .where('deleted_at', 'is', null);
}

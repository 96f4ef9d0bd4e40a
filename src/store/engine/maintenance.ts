import { sql } from 'kysely';
import { engineOf, forUpdate, idList, jsonTable, rowTable } from '../database/dialect.ts';
import type { Db, Row, Tx } from '../database/contract.ts';
import { deleteRows, updateRows } from '../database/rows.ts';
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

/** Occurrences of maintenance windows. */
export function windowOccurrences(db: Db) {
  return {
    /** Reads the occurrences of these windows that have not ended, by window, in order. */
    async open(windowIds: readonly number[], now: number) {
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
    },

    /** Reads the start of a window's latest stored occurrence (epoch ms); null without one. */
    async newestStart(windowId: number): Promise<number | null> {
      const row = await db
        .selectFrom('maintenance_occurrence')
        .select((eb) => eb.fn.max('from_at').as('newest'))
        .where('window_id', '=', windowId)
        .executeTakeFirst();
      return row?.newest ?? null;
    },

    /** Reads the active and scheduled occurrences of these teams, in one query over an index. */
    async openOfTeams(teamIds: readonly number[], now: number): Promise<ScopedOccurrence[]> {
      if (teamIds.length === 0) return [];
      const rows = await selectScoped(db)
        .where('team_id', 'in', [...new Set(teamIds)])
        .where('to_at', '>', now)
        .execute();
      return rows.map(scopedOccurrenceOf);
    },

    /** Reads the occurrences of the teams of these monitors that overlap `[from, to)` (epoch ms). */
    async within(monitorIds: readonly number[], { from, to }: MaintenanceOccurrence) {
      const rows = await occurrencesOfMonitors(db, { ids: idsParameter(monitorIds), from, to });
      return rows.map(scopedOccurrenceOf);
    },

    /** Windows that are due, the longest due first. */
    dueWindows(now: number, limit: number): Promise<WindowRow[]> {
      return selectDue(db, now).orderBy('next_at').orderBy('id').limit(limit).execute();
    },
  };
}

/** Changes of the occurrences of maintenance windows. */
export function occurrenceChanges(tx: Tx) {
  return {
    /** Adds occurrences to a window, with its current scope. */
    async insert(windowId: number, times: readonly MaintenanceOccurrence[]) {
      if (times.length === 0) return;
      const values = times.map(({ from, to }) => [from, to]);
      const rows = rowTable(tx, values, { from_at: 'integer', to_at: 'integer' });
      await sql`
    insert into maintenance_occurrence (window_id, team_id, monitors, groups, tags, from_at, to_at)
    select maintenance_window.id, team_id, monitors, groups, tags, v.from_at, v.to_at
    from ${rows} as v join maintenance_window on maintenance_window.id = ${windowId}`.execute(tx);
    },

    /** Ends the active occurrences and deletes the scheduled ones. */
    async cut(windowId: number, now: number) {
      await deleteRows(tx, 'maintenance_occurrence', { window_id: windowId, from_at: ['>=', now] });
      await this.endActive(windowId, now);
    },

    async endActive(windowId: number, now: number) {
      await updateRows(
        tx,
        'maintenance_occurrence',
        { window_id: windowId, from_at: ['<=', now], to_at: ['>', now] },
        { to_at: now },
      );
    },

    /** Makes everything held for a team due now, after an occurrence ended early. */
    async releaseHeld(teamId: number, now: number) {
      await tx
        .updateTable('event')
        .set({ fan_out_at: now })
        .where('team_id', '=', teamId)
        .where('fan_out_at', '>', now)
        .execute();
      await updateRows(
        tx,
        'alert',
        { team_id: teamId, next_at: ['>', now], over_at: null },
        { next_at: now },
      );
    },

    /** Locks a due window; undefined when it is no longer due or another transaction has locked it. */
    lockDueWindow(id: number, now: number): Promise<WindowRow | undefined> {
      return selectDue(tx, now)
        .where('id', '=', id)
        .$call(forUpdate(engineOf(tx), 'skipLocked'))
        .executeTakeFirst();
    },
  };
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

/** Occurrences of all teams with their scopes, in their order. */
export function selectScoped(db: Db) {
  return db
    .selectFrom('maintenance_occurrence')
    .select(['window_id as windowId', 'team_id as teamId', 'from_at as from', 'to_at as to'])
    .select(['monitors', 'groups', 'tags'])
    .orderBy('from_at');
}

type ScopedRow = Awaited<ReturnType<ReturnType<typeof selectScoped>['executeTakeFirstOrThrow']>>;

export function scopedOccurrenceOf(row: ScopedRow): ScopedOccurrence {
  return {
    ...row,
    monitors: JSON.parse(row.monitors) as number[],
    groups: JSON.parse(row.groups) as number[],
    tags: JSON.parse(row.tags) as string[],
  };
}

type WindowRow = Row<'maintenance_window'>;

function selectDue(db: Db, now: number) {
  return db
    .selectFrom('maintenance_window')
    .selectAll()
    .where('next_at', '<=', now)
    .where('deleted_at', 'is', null);
}

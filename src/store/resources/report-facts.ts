import { idTable } from '../database/dialect.ts';
import { hasRow } from '../database/rows.ts';
import type { Db } from '../database/contract.ts';
import { readPageImage } from './page-facts.ts';

export type ReportedMonitor = Awaited<
  ReturnType<ReturnType<typeof reportFacts>['monitorsInScope']>
>[number];

/** Selects monitors: those that match any of the three; all of the team when it names none. */
export interface ReportScope {
  monitors: readonly number[];
  groupId: number | null;
  tags: readonly string[];
}

export function reportFacts(db: Db) {
  return {
    /** Reads the monitors of a report, without deleted ones, by name. Paused ones are included: they have a past. */
    async monitorsInScope(teamId: number, scope: ReportScope) {
      const rows = await db
        .selectFrom('monitor')
        .leftJoin('monitor_group', 'monitor_group.id', 'monitor.group_id')
        .select([
          'monitor.id',
          'monitor.friendly_name as name',
          'monitor.url',
          'monitor.type',
          'monitor.group_id as groupId',
          'monitor_group.parent_id as parentId',
          'monitor.tags',
          'monitor.created_at as createdAt',
        ])
        .where('monitor.team_id', '=', teamId)
        .where('monitor.deleted_at', 'is', null)
        .execute();
      const listed = new Set(scope.monitors);
      const tags = new Set(scope.tags);
      const isWhole = listed.size === 0 && tags.size === 0 && scope.groupId === null;
      return rows
        .map(({ parentId, ...row }) => ({
          ...row,
          groupIds: [row.groupId, parentId].filter((id) => id !== null),
          tags: JSON.parse(row.tags) as string[],
        }))
        .filter(
          ({ id, groupIds, tags: own }) =>
            isWhole ||
            listed.has(id) ||
            (scope.groupId !== null && groupIds.includes(scope.groupId)) ||
            own.some((tag) => tags.has(tag)),
        );
    },
    /** Reads the newest incidents of monitors that overlap `[from, to)`, and how many there are: by the scanning connection. */
    async incidentsWithin(
      monitorIds: readonly number[],
      { from, to, limit }: { from: number; to: number; limit: number },
    ) {
      const overlapping = db
        .selectFrom(idTable(db, monitorIds).as('wanted'))
        .innerJoin('incident', 'incident.monitor_id', 'wanted.id')
        .where('incident.started_at', '<', to)
        // A burning error budget follows from the other incidents.
        .where('incident.type', '<>', 'error_budget')
        .where((or) =>
          or.or([or('incident.ended_at', 'is', null), or('incident.ended_at', '>', from)]),
        );
      const { count } = await overlapping
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      const incidents = await overlapping
        .select([
          'incident.id',
          'incident.monitor_id as monitorId',
          'incident.type',
          'incident.severity',
          'incident.root_cause as cause',
          'incident.started_at as startedAt',
          'incident.ended_at as endedAt',
        ])
        .orderBy('incident.started_at', 'desc')
        .orderBy('incident.id', 'desc')
        .limit(limit)
        .execute();
      return { incidents, total: Number(count) };
    },
    /** Reads the names of maintenance windows, deleted ones included, by id. */
    async windowNames(ids: Iterable<number>) {
      const rows = await db
        .selectFrom(idTable(db, ids).as('wanted'))
        .innerJoin('maintenance_window', 'maintenance_window.id', 'wanted.id')
        .select(['maintenance_window.id', 'maintenance_window.name'])
        .execute();
      return new Map(rows.map(({ id, name }) => [id, name]));
    },
    /** Reads the corrections in force that overlap `[from, to)`, oldest first. */
    corrections(monitorIds: readonly number[], { from, to }: { from: number; to: number }) {
      return db
        .selectFrom(idTable(db, monitorIds).as('wanted'))
        .innerJoin('correction', 'correction.monitor_id', 'wanted.id')
        .leftJoin('person', 'person.id', 'correction.person_id')
        .select([
          'correction.monitor_id as monitorId',
          'correction.from_at as from',
          'correction.to_at as to',
          'correction.counts_as as kind',
          'correction.reason',
          'person.name as author',
        ])
        .where('correction.to_at', '>', from)
        .where('correction.from_at', '<', to)
        .where('correction.removed_at', 'is', null)
        .orderBy('correction.from_at')
        .orderBy('correction.id')
        .execute();
    },
  };
}

/** Reads the logo of a status page of a team; null without one. */
export async function pageLogo(db: Db, teamId: number, pageId: number) {
  return (await isPageOf(db, teamId, pageId)) ? readPageImage(db, pageId, 'logo') : null;
}

/** True for a status page of the team. */
export async function isPageOf(db: Db, teamId: number, id: number): Promise<boolean> {
  return hasRow(db.selectFrom('status_page').where('id', '=', id).where('team_id', '=', teamId));
}

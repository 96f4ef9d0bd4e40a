import { sql } from 'kysely';
import { idList } from '../database/dialect.ts';
import type { Db } from '../database/contract.ts';
import { findRows } from '../database/rows.ts';

export async function teamsOfPages(db: Db, pageIds: readonly number[] | null) {
  const rows = await db
    .selectFrom('status_page')
    .select(['id', 'team_id'])
    .$if(pageIds !== null, (query) => query.where('id', 'in', idList(db, pageIds!)))
    .execute();
  return new Map(rows.map((row) => [row.id, row.team_id]));
}

/** What the publisher reads of a team. */
export const publishing = {
  /** The pages of a team with their services, each with its own `show_automatic` or the page's; null for a page without services, or a deleted monitor. */
  async services(db: Db, teamId: number) {
    return db
      .selectFrom('status_page')
      .leftJoin('status_page_service as service', 'service.page_id', 'status_page.id')
      .leftJoin('monitor', (join) =>
        join.onRef('monitor.id', '=', 'service.monitor_id').on('monitor.deleted_at', 'is', null),
      )
      .where('status_page.team_id', '=', teamId)
      .select(['status_page.id as page_id', 'monitor.id as monitor_id'])
      .select((select) =>
        select.fn
          .coalesce('service.show_automatic', 'status_page.show_automatic')
          .as('show_automatic'),
      )
      .orderBy('status_page.id')
      .orderBy('service.position')
      .execute();
  },

  async openIncidents(db: Db, monitorIds: readonly number[]) {
    if (monitorIds.length === 0) return [];
    const rows = await db
      .selectFrom('incident')
      .select('id')
      .where('monitor_id', 'in', idList(db, monitorIds))
      .where('ended_at', 'is', null)
      .where('type', '<>', 'manual')
      .execute();
    return rows.map((row) => row.id);
  },

  /** Ended incidents of monitors that a false alarm covers or covered, of those that were changed after a time (epoch ms). */
  async reclassifiedIncidents(db: Db, monitorIds: readonly number[], changedAfter: number) {
    if (monitorIds.length === 0) return [];
    const rows = await db
      .selectFrom('correction')
      .innerJoin('incident', 'incident.monitor_id', 'correction.monitor_id')
      .select('incident.id')
      .where('correction.monitor_id', 'in', idList(db, monitorIds))
      .where('correction.counts_as', '=', 'false_alarm')
      .where('correction.updated_at', '>', changedAfter)
      .whereRef('incident.started_at', '>=', 'correction.from_at')
      .whereRef('incident.ended_at', '<=', 'correction.to_at')
      .execute();
    return rows.map((row) => row.id);
  },

  /** Announcements of a team, deleted ones included where they are about the incidents or windows. */
  announcements(
    db: Db,
    teamId: number,
    { incidentIds, windowIds, windowsFrom, endedAfter, startedAfter }: PublishedSearch,
  ) {
    const ofTeam = db.selectFrom('announcement').select('id').where('team_id', '=', teamId);
    const open = ofTeam.where('ended_at', 'is', null).where('deleted_at', 'is', null);
    const ended = ofTeam.where('started_at', '>', startedAfter).where('ended_at', '>', endedAfter);
    const ofIncidents = db
      .selectFrom('announcement_incident')
      .select('announcement_id as id')
      .where('incident_id', 'in', idList(db, incidentIds));
    const ofWindows = db
      .selectFrom('announcement')
      .select('id')
      .where('window_id', 'in', idList(db, windowIds))
      // Also those that began before: what a person deleted or ended may go on without a gap.
      .where((either) =>
        either.or([
          either('window_from', '>=', windowsFrom),
          either('planned_until', '>=', windowsFrom),
        ]),
      );
    return db
      .selectFrom('announcement')
      .selectAll()
      .where(
        'id',
        'in',
        open
          .union(ended)
          .$if(incidentIds.length > 0, (query) => query.union(ofIncidents))
          .$if(windowIds.length > 0, (query) => query.union(ofWindows)),
      )
      .where('team_id', '=', teamId)
      .orderBy('id')
      .execute();
  },

  /**
   * Incidents by their ids. One of a deleted monitor has ended with it; `isFalseAlarm` is true for an ended one that a
   * correction in force covers, however old that is.
   */
  async incidents(db: Db, ids: readonly number[]) {
    if (ids.length === 0) return [];
    return db
      .selectFrom('incident')
      .innerJoin('monitor', 'monitor.id', 'incident.monitor_id')
      .where('incident.id', 'in', idList(db, ids))
      .select([
        'incident.id',
        'incident.monitor_id as monitorId',
        'incident.started_at as startedAt',
      ])
      .select(['incident.type', 'incident.severity'])
      .select((select) =>
        select.fn.coalesce('incident.ended_at', 'monitor.deleted_at').as('endedAt'),
      )
      .select((select) =>
        select
          .exists(
            select
              .selectFrom('correction')
              .select('correction.id')
              .whereRef('correction.monitor_id', '=', 'incident.monitor_id')
              .where('correction.counts_as', '=', 'false_alarm')
              .where('correction.removed_at', 'is', null)
              .whereRef('correction.from_at', '<=', 'incident.started_at')
              .whereRef('correction.to_at', '>=', 'incident.ended_at'),
          )
          .as('isFalseAlarm'),
      )
      .execute();
  },

  /** Beginning of the oldest occurrence that an open announcement follows (epoch ms); null without one. */
  async oldestFollowed(db: Db, teamId: number) {
    const { oldest } = await db
      .selectFrom('announcement')
      .select((select) => select.fn.min<number | null>('window_from').as('oldest'))
      .where('team_id', '=', teamId)
      .where('ended_at', 'is', null)
      .where('deleted_at', 'is', null)
      .executeTakeFirstOrThrow();
    return oldest;
  },

  /** Occurrences of a team's windows that are announced and end after a time (epoch ms), with what the windows say. */
  occurrences(db: Db, teamId: number, endedAfter: number) {
    return db
      .selectFrom('maintenance_occurrence as occurrence')
      .innerJoin('maintenance_window as window', 'window.id', 'occurrence.window_id')
      .where('occurrence.team_id', '=', teamId)
      .where('occurrence.to_at', '>', endedAfter)
      .where('window.announce', '=', 1)
      .select([
        'occurrence.window_id',
        'occurrence.from_at',
        'occurrence.to_at',
        'occurrence.monitors',
        'occurrence.groups',
        'occurrence.tags',
        'window.name',
        'window.description',
        'window.starts_at',
        'window.ends_at',
        'window.rrule',
        'window.timezone',
      ])
      .orderBy('occurrence.from_at')
      .execute();
  },

  /** Pages that updates were sent to, by update. */
  async notifiedPages(db: Db, updateIds: readonly number[]) {
    if (updateIds.length === 0) return new Map();
    const rows = await db
      .selectFrom('mailing')
      .select(['update_id', 'page_id'])
      // The index begins with the page, so that the pages of the updates are asked for, too.
      .where('page_id', 'in', (select) =>
        select
          .selectFrom('announcement_update as written')
          .innerJoin(
            'announcement_page as shown',
            'shown.announcement_id',
            'written.announcement_id',
          )
          .select('shown.page_id')
          .where(sql<number>`written.id`, 'in', idList(db, updateIds)),
      )
      .where('update_id', 'in', idList(db, updateIds))
      .execute();
    const pages = new Map<number, number[]>();
    for (const row of rows)
      pages.set(row.update_id, [...(pages.get(row.update_id) ?? []), row.page_id]);
    return pages;
  },
};

/** Which announcements the publisher looks at beside the open ones. */
export interface PublishedSearch {
  incidentIds: readonly number[];
  windowIds: readonly number[];
  /** Beginning of the oldest occurrence of these windows, epoch ms. */
  windowsFrom: number;
  /** Epoch ms. */
  endedAfter: number;
  /** Epoch ms: announcements that began earlier were not ended after `endedAfter` for long. */
  startedAfter: number;
}

export async function pagesOfMonitor(db: Db, teamId: number, monitorId: number) {
  const rows = await db
    .selectFrom('status_page_service')
    .innerJoin('status_page', 'status_page.id', 'status_page_service.page_id')
    .select('status_page.id')
    .where('status_page_service.monitor_id', '=', monitorId)
    .where('status_page.team_id', '=', teamId)
    .orderBy('status_page.id')
    .execute();
  return rows.map((row) => row.id);
}

export async function namesOfMonitors(db: Db, ids: readonly number[]) {
  if (ids.length === 0) return [];
  return findRows(
    db,
    'monitor',
    { id: ['in', idList(db, ids)] },
    ['id', 'friendly_name', 'url'],
    ['id'],
  );
}

export type PublishedServiceRow = Awaited<ReturnType<typeof publishing.services>>[number];

import { sql } from 'kysely';
import { PULL_TYPES } from '../../monitor-types/registry.ts';
import { idList, idTable } from '../database/dialect.ts';
import type { Db } from '../database/contract.ts';
import { scopedOccurrenceOf, selectScoped } from '../engine/maintenance.ts';

/** State of a monitor as event streams send it. Times are epoch milliseconds. */
export interface LiveMonitor {
  id: number;
  status: string;
  isPaused: boolean;
  /** Start of the newest span of one status; null before the first result. */
  since: number | null;
  /** Cause of the worst open incident; null without one. */
  cause: string | null;
}

/** Reads the current states of these monitors, in one statement. Deleted ones are missing. */
export async function readLiveMonitors(db: Db, ids: Iterable<number>) {
  const { rows } = await sql<Omit<LiveMonitor, 'isPaused'> & { is_paused: number }>`
    select monitor.id, monitor_state.status, monitor.is_paused,
      (select max(status_span.from_at) from status_span where status_span.monitor_id = monitor.id) as since,
      (select incident.root_cause from incident
        where incident.monitor_id = monitor.id and incident.ended_at is null and incident.root_cause is not null
        order by case incident.severity when 'critical' then 0 when 'warning' then 1 else 2 end,
          incident.started_at, incident.id limit 1) as cause
    from ${idTable(db, ids)} as wanted
    join monitor on monitor.id = wanted.id
    join monitor_state on monitor_state.monitor_id = wanted.id
    where monitor.deleted_at is null`.execute(db);
  return new Map(
    rows.map(({ is_paused, ...monitor }) => [
      monitor.id,
      { ...monitor, isPaused: is_paused === 1 },
    ]),
  );
}

/** Reads the occurrences of these teams that began before `now` and end after `since` (epoch ms). */
export async function readBegunOccurrences(
  db: Db,
  teamIds: Iterable<number>,
  { since, now }: { since: number; now: number },
) {
  const rows = await selectScoped(db)
    .where('team_id', 'in', idList(db, teamIds))
    .where('to_at', '>', since)
    .where('from_at', '<=', now)
    .execute();
  return rows.map(scopedOccurrenceOf);
}

/** An occurrence of a maintenance window that has begun, with the window's scope as of when it was stored. */
export type BegunOccurrence = Awaited<ReturnType<typeof readBegunOccurrences>>[number];

/** Filters ids down to monitors of the team that are not deleted, with whether jobs call them. */
export async function findWatchable(db: Db, teamId: number, ids: readonly number[]) {
  const rows = await db
    .selectFrom('monitor')
    .select(['id', 'type'])
    .where('id', 'in', idList(db, ids))
    .where('team_id', '=', teamId)
    .where('deleted_at', 'is', null)
    .execute();
  return rows.map(({ id, type }) => ({ id, isPush: !PULL_TYPES.includes(type as never) }));
}

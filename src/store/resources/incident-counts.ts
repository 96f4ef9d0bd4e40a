import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../database/contract.ts';
import { DAY_MS } from '../engine/results.ts';

/**
 * The incidents that a list is about. Times are whole UTC days: counts are kept by day. They began at or after the
 * first, and before the second (epoch milliseconds).
 */
export interface IncidentFilter {
  monitorId: number | null;
  status: IncidentStatus | null;
  type: string | null;
  severity: string | null;
  startedFrom: number | null;
  startedBefore: number | null;
}

export type IncidentStatus = 'open' | 'resolved';

/** Incidents of one type and severity. */
export interface IncidentKind {
  type: string;
  severity: string;
  total: number;
  open: number;
}

export interface IncidentCounts {
  /** Kinds of the incidents of the team, or of the monitor, that began within the filter's days. */
  kinds: IncidentKind[];
  /** Incidents of the team whose monitor was deleted: lists leave them out. */
  hidden: number;
}

/**
 * Kept counts by type and severity; reads no incident. Of a monitor that was deleted, or that another team has, there are
 * none.
 */
export async function readCounts(
  { read }: Pick<Database, 'read'>,
  teamId: number,
  filter: IncidentFilter,
): Promise<IncidentCounts> {
  const { rows } = await sql<IncidentKind & { is_shown: number }>`
    select kept.type, kept.severity, kept.is_shown, sum(kept.total) as total, sum(kept.open) as open
    from ${countedDays(teamId, filter)} as kept
    group by kept.type, kept.severity, kept.is_shown`.execute(read);
  return {
    kinds: rows
      .filter((row) => row.is_shown === 1 && row.total > 0)
      .map(({ type, severity, total, open }) => ({ type, severity, total, open })),
    hidden: rows.reduce((sum, row) => sum + (row.is_shown === 0 ? row.total : 0), 0),
  };
}

/** The number of incidents that began on a day; days without any are left out. */
export interface IncidentDay {
  day: number;
  total: number;
  open: number;
}

/** Incidents of this filter's types and severities by the day on which they began, oldest first. */
export async function readDays(
  { read }: Pick<Database, 'read'>,
  teamId: number,
  filter: IncidentFilter,
): Promise<IncidentDay[]> {
  const ofKind = [
    ...(filter.type === null ? [] : [sql`kept.type = ${filter.type}`]),
    ...(filter.severity === null ? [] : [sql`kept.severity = ${filter.severity}`]),
  ];
  const { rows } = await sql<IncidentDay>`
    select kept.day, sum(kept.total) as total, sum(kept.open) as open
    from ${countedDays(teamId, filter)} as kept
    where ${sql.join([sql`kept.is_shown = 1`, ...ofKind], sql` and `)}
    group by kept.day order by kept.day`.execute(read);
  return rows;
}

function countedDays(teamId: number, filter: IncidentFilter): RawBuilder<unknown> {
  const { monitorId, startedFrom, startedBefore } = filter;
  const days = [
    ...(startedFrom === null ? [] : [sql`day >= ${Math.floor(startedFrom / DAY_MS)}`]),
    ...(startedBefore === null ? [] : [sql`day < ${Math.ceil(startedBefore / DAY_MS)}`]),
  ];
  if (monitorId === null) {
    const owner = [sql`team_id = ${teamId}`, sql`is_shown in (0, 1)`];
    return sql`(select is_shown, day, type, severity, total, open from incident_team_day
      where ${sql.join([...owner, ...days], sql` and `)})`;
  }
  const isTheirs = sql`exists (select 1 from monitor
    where id = ${monitorId} and team_id = ${teamId} and deleted_at is null)`;
  return sql`(select 1 as is_shown, day, type, severity, total, open from incident_monitor_day
    where ${sql.join([sql`monitor_id = ${monitorId}`, isTheirs, ...days], sql` and `)})`;
}

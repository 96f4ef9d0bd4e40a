import { sql, type Expression, type Kysely, type Selectable } from 'kysely';
import type { Database } from './contract.ts';
import type { Paging } from './monitors.ts';
import type { IncidentTable, Schema } from './schema.ts';
import { prepareStatement } from './statement.ts';

/** An incident with the monitor that it is about. */
export type IncidentRow = Selectable<IncidentTable> & {
  monitor_url: string;
  /** Sealed by the secret box; push monitors only. */
  monitor_ping_token: string | null;
  monitor_friendly_name: string | null;
};

export const INCIDENT_SORTS = ['started_at', 'ended_at', 'duration', 'status'] as const;
export type IncidentSort = (typeof INCIDENT_SORTS)[number];

export interface IncidentFilter {
  monitorId: number | null;
  status: 'open' | 'resolved' | null;
  type: string | null;
  severity: string | null;
  /** Epoch milliseconds: started at or after the first, and before the second. */
  startedFrom: number | null;
  startedBefore: number | null;
}

export interface ActivityRow {
  id: number;
  type: string;
  description: string;
  created_at: number;
  person_id: number | null;
  person_name: string | null;
}

/** Incidents of deleted monitors are never shown. */
export function findIncident(
  db: Kysely<Schema>,
  teamId: number,
  id: number,
): Promise<IncidentRow | undefined> {
  return selectIncidents(db, teamId).where('incident.id', '=', id).executeTakeFirst();
}

/** To step over more rows than that takes milliseconds. */
const QUICK_STEPS = 2_000;

/**
 * One page and how many there are in all. Ties are ordered by id, nulls come last. Where there are so many that it takes
 * a while, it runs away from the quick reads.
 */
export async function listIncidents(
  database: Database,
  teamId: number,
  filter: IncidentFilter,
  paging: Paging<IncidentSort>,
): Promise<{ rows: IncidentRow[]; total: number }> {
  const isQuick = await hasFew(database.read, teamId, filter.monitorId);
  const matching = matchIncidents(isQuick ? database.read : database.scan, teamId, filter);
  const counted = await matching
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const total = Number(counted.total);
  if (paging.offset >= total) return { rows: [], total };
  // Whole rows would make sorting many of them three times as slow.
  const page = await matching
    .select('incident.id')
    .orderBy(SORT_EXPRESSIONS[paging.sort], (order) => {
      const directed = paging.direction === 'asc' ? order.asc() : order.desc();
      // Where none can be null it would keep Postgres from its index.
      return paging.sort === 'started_at' ? directed : directed.nullsLast();
    })
    .orderBy('incident.id', paging.direction)
    .limit(paging.limit)
    .offset(paging.offset)
    .execute();
  const ids = page.map(({ id }) => id);
  if (ids.length === 0) return { rows: [], total };
  const rows = await selectIncidents(database.read, teamId)
    .where('incident.id', 'in', ids)
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  // One that was deleted since is left out.
  return { rows: ids.flatMap((id) => byId.get(id) ?? []), total };
}

/** Whether the incidents of a team, or of one of its monitors, are soon looked through. */
async function hasFew(
  db: Kysely<Schema>,
  teamId: number,
  monitorId: number | null,
): Promise<boolean> {
  const first = db
    .selectFrom('incident')
    .select('incident.id')
    .where('incident.team_id', '=', teamId)
    .$if(monitorId !== null, (query) => query.where('incident.monitor_id', '=', monitorId))
    .limit(QUICK_STEPS + 1);
  const { count } = await db
    .selectFrom(first.as('first'))
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count) <= QUICK_STEPS;
}

/** The newest incidents of one monitor, newest first. */
export type NewestIncidents = (teamId: number, monitorId: number) => Promise<IncidentRow[]>;

export function createNewestIncidents(db: Kysely<Schema>, limit: number): NewestIncidents {
  const newest = prepareStatement<IncidentRow, 'team' | 'monitor'>(
    db,
    ['team', 'monitor'],
    ({ team, monitor }) =>
      selectIncidents(db, sql<number>`${team}`)
        .where('incident.monitor_id', '=', sql<number>`${monitor}`)
        .orderBy('incident.started_at', 'desc')
        .orderBy('incident.id', 'desc')
        .limit(sql<number>`${sql.lit(limit)}`),
  );
  return (team, monitor) => newest({ team, monitor });
}

/** The log of one incident, oldest first. */
export function listActivities(
  db: Kysely<Schema>,
  teamId: number,
  incidentId: number,
): Promise<ActivityRow[]> {
  return db
    .selectFrom('activity')
    .leftJoin('person', 'person.id', 'activity.person_id')
    .where('activity.team_id', '=', teamId)
    .where('activity.incident_id', '=', incidentId)
    .select([
      'activity.id',
      'activity.type',
      'activity.description',
      'activity.created_at',
      'activity.person_id',
      'person.name as person_name',
    ])
    .orderBy('activity.id')
    .execute();
}

/** What each failing region saw, as JSON of `RegionEvidence`. */
export async function listEvidence(
  db: Kysely<Schema>,
  teamId: number,
  incidentId: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('incident_evidence')
    .innerJoin('incident', 'incident.id', 'incident_evidence.incident_id')
    .where('incident.team_id', '=', teamId)
    .where('incident.id', '=', incidentId)
    .select('incident_evidence.evidence')
    .orderBy('incident_evidence.region')
    .execute();
  return rows.map((row) => row.evidence);
}

const MONITOR_COLUMNS = [
  'monitor.url as monitor_url',
  'monitor.ping_token as monitor_ping_token',
  'monitor.friendly_name as monitor_friendly_name',
] as const;

const SORT_EXPRESSIONS = {
  started_at: sql`incident.started_at`,
  ended_at: sql`incident.ended_at`,
  duration: sql`incident.ended_at - incident.started_at`,
  status: sql`case when incident.ended_at is null then 0 else 1 end`,
} as const;

function joinMonitor(db: Kysely<Schema>, teamId: number | Expression<number>) {
  return db
    .selectFrom('incident')
    .innerJoin('monitor', 'monitor.id', 'incident.monitor_id')
    .where('incident.team_id', '=', teamId)
    .where('monitor.deleted_at', 'is', null);
}

function selectIncidents(db: Kysely<Schema>, teamId: number | Expression<number>) {
  return joinMonitor(db, teamId).selectAll('incident').select(MONITOR_COLUMNS);
}

function matchIncidents(db: Kysely<Schema>, teamId: number, filter: IncidentFilter) {
  let query = joinMonitor(db, teamId);
  if (filter.monitorId !== null) query = query.where('incident.monitor_id', '=', filter.monitorId);
  if (filter.status === 'open') query = query.where('incident.ended_at', 'is', null);
  if (filter.status === 'resolved') query = query.where('incident.ended_at', 'is not', null);
  if (filter.type !== null) query = query.where('incident.type', '=', filter.type);
  if (filter.severity !== null) query = query.where('incident.severity', '=', filter.severity);
  if (filter.startedFrom !== null)
    query = query.where('incident.started_at', '>=', filter.startedFrom);
  if (filter.startedBefore !== null)
    query = query.where('incident.started_at', '<', filter.startedBefore);
  return query;
}

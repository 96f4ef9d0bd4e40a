import { sql, type Kysely } from 'kysely';
import type { Severity } from '../../model/condition.ts';
import type { Schema } from '../database/schema.ts';
import type { MonitorLabel } from './overview.ts';

/** The first rows of what needs attention, and how many there are in all. */
export interface Found<Row> {
  rows: Row[];
  total: number;
}

/** An open incident. Times are epoch milliseconds. */
export interface OpenIncident {
  id: number;
  type: string;
  severity: Severity;
  rootCause: string | null;
  startedAt: number;
  acknowledgedAt: number | null;
  monitor: MonitorLabel;
}

interface MonitorColumns {
  monitor_id: number;
  friendly_name: string | null;
  url: string;
  monitor_type: string;
}

const MONITOR_COLUMNS = sql`monitor.id as monitor_id, monitor.friendly_name, monitor.url, monitor.type as monitor_type`;

/** Reads open incidents: critical ones first, then unacknowledged ones, then the oldest. */
export async function openIncidentsOf(
  db: Kysely<Schema>,
  teamId: number,
  limit: number,
): Promise<Found<OpenIncident>> {
  const { rows } = await sql<MonitorColumns & Omit<OpenIncident, 'monitor'> & { total: number }>`
    select incident.id, incident.type, incident.severity, incident.root_cause as "rootCause",
      incident.started_at as "startedAt", incident.acknowledged_at as "acknowledgedAt", ${MONITOR_COLUMNS},
      count(*) over () as total
    from incident join monitor on monitor.id = incident.monitor_id
    where incident.team_id = ${teamId} and incident.ended_at is null and monitor.deleted_at is null
    order by case incident.severity when 'critical' then 0 when 'warning' then 1 else 2 end,
      case when incident.acknowledged_at is null then 0 else 1 end, incident.started_at, incident.id
    limit ${limit}`.execute(db);
  return foundIn(
    rows,
    ({ id, type, severity, rootCause, startedAt, acknowledgedAt, ...monitor }) => ({
      id,
      type,
      severity,
      rootCause,
      startedAt,
      acknowledgedAt,
      monitor: labelOf(monitor),
    }),
  );
}

/** A paused monitor and the time of its last change, which pausing is one of (epoch ms). */
export interface PausedMonitor {
  monitor: MonitorLabel;
  changedAt: number;
}

/** Reads monitors that were paused, and not changed since, before that time (epoch ms); the longest first. */
export async function pausedMonitors(
  db: Kysely<Schema>,
  teamId: number,
  before: number,
  limit: number,
): Promise<Found<PausedMonitor>> {
  const { rows } = await sql<MonitorColumns & { changedAt: number; total: number }>`
    select ${MONITOR_COLUMNS}, monitor.updated_at as "changedAt", count(*) over () as total from monitor
    where monitor.team_id = ${teamId} and monitor.deleted_at is null and monitor.is_paused = 1
      and monitor.updated_at < ${before}
    order by monitor.updated_at, monitor.id limit ${limit}`.execute(db);
  return foundIn(rows, ({ changedAt, ...monitor }) => ({ monitor: labelOf(monitor), changedAt }));
}

/** A status page whose custom domain could not be verified. */
export interface FailingDomain {
  page: string;
  domain: string;
  /** A sentence. */
  error: string;
  failingSince: number | null;
  /** True for a domain that was verified before, and still serves the page. */
  isServed: boolean;
}

export async function failingDomains(db: Kysely<Schema>, teamId: number): Promise<FailingDomain[]> {
  const rows = await db
    .selectFrom('status_page')
    .select(['name', 'custom_domain', 'domain_error', 'domain_failing_since', 'domain_verified_at'])
    .where('team_id', '=', teamId)
    .where('custom_domain', 'is not', null)
    .where('domain_error', 'is not', null)
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    page: row.name,
    domain: row.custom_domain!,
    error: row.domain_error!,
    failingSince: row.domain_failing_since,
    isServed: row.domain_verified_at !== null,
  }));
}

/** A webhook endpoint that the system switched off. */
export interface DeactivatedEndpoint {
  name: string;
  /** A sentence. */
  reason: string;
  /** Time of its last change (epoch ms). */
  changedAt: number;
}

export function deactivatedEndpoints(
  db: Kysely<Schema>,
  teamId: number,
): Promise<DeactivatedEndpoint[]> {
  return db
    .selectFrom('webhook_endpoint')
    .select(['name', 'deactivated_reason as reason', 'updated_at as changedAt'])
    .where('team_id', '=', teamId)
    .where('is_active', '=', 0)
    .where('deactivated_reason', 'is not', null)
    .orderBy('id')
    .$narrowType<{ reason: string }>()
    .execute();
}

/** A channel whose messages keep failing. */
export interface FailingChannel {
  name: string;
  type: string;
  /** Failed attempts in a row. */
  failures: number;
  failingSince: number;
  /** True for a channel of the team, false for one of the person. */
  isOfTeam: boolean;
}

/**
 * Reads the enabled channels of a person, and of a team if there is one, that failed at least `failures` times in a row.
 *
 * @param teamId null to leave out the channels of the team.
 */
export async function failingChannels(
  db: Kysely<Schema>,
  of: { teamId: number | null; personId: number },
  failures: number,
): Promise<FailingChannel[]> {
  const rows = await db
    .selectFrom('alert_channel')
    .innerJoin('destination', 'destination.id', 'alert_channel.destination_id')
    .select(['alert_channel.name', 'alert_channel.type', 'alert_channel.team_id'])
    .select(['destination.failures', 'destination.failing_since as failingSince'])
    .where((or) =>
      or.or([
        or('alert_channel.person_id', '=', of.personId),
        ...(of.teamId === null ? [] : [or('alert_channel.team_id', '=', of.teamId)]),
      ]),
    )
    .where('alert_channel.enabled', '=', 1)
    .where('destination.failures', '>=', failures)
    .where('destination.failing_since', 'is not', null)
    .orderBy('alert_channel.id')
    .$narrowType<{ failingSince: number }>()
    .execute();
  return rows.map(({ team_id: team, ...row }) => ({ ...row, isOfTeam: team !== null }));
}

function foundIn<Row extends { total: number }, Value>(
  rows: readonly Row[],
  valueOf: (row: Row) => Value,
): Found<Value> {
  return { rows: rows.map(valueOf), total: Number(rows[0]?.total ?? 0) };
}

function labelOf({ monitor_id, friendly_name, url, monitor_type }: MonitorColumns): MonitorLabel {
  return { id: monitor_id, name: friendly_name, url, type: monitor_type };
}

import { sql } from 'kysely';
import type { Db } from '../database/contract.ts';
import { findRows } from '../database/rows.ts';

/** What needs attention: the first rows, and how many there are in all. */
export interface Found<Row> {
  rows: Row[];
  total: number;
}

/** A `MonitorLabel` beside what is wrong with the monitor. */
const MONITOR = [
  'monitor.id',
  'monitor.friendly_name as name',
  'monitor.url',
  'monitor.type',
] as const;
const TOTAL = sql<number>`count(*) over ()`.as('total');

function foundIn<Row extends { total: number }>(rows: Row[]): Found<Row> {
  return { rows, total: Number(rows[0]?.total ?? 0) };
}

/** What needs attention of a team. */
export function attentionRows(db: Db, teamId: number) {
  return {
    /** Reads open incidents: critical ones first, then unacknowledged ones, then the oldest. */
    async openIncidents(limit: number) {
      const rows = await db
        .selectFrom('incident')
        .innerJoin('monitor', 'monitor.id', 'incident.monitor_id')
        .select(['incident.id as incident_id', 'incident.severity', 'incident.root_cause'])
        .select(['incident.started_at', 'incident.acknowledged_at', ...MONITOR, TOTAL])
        .where('incident.team_id', '=', teamId)
        .where('incident.ended_at', 'is', null)
        .where('monitor.deleted_at', 'is', null)
        .orderBy(
          sql`case incident.severity when 'critical' then 0 when 'warning' then 1 else 2 end`,
        )
        .orderBy(sql`case when incident.acknowledged_at is null then 0 else 1 end`)
        .orderBy('incident.started_at')
        .orderBy('incident.id')
        .limit(limit)
        .execute();
      return foundIn(rows);
    },

    /** Reads monitors that were paused, and not changed since, before that time (epoch ms); the longest first. */
    async pausedMonitors(before: number, limit: number) {
      const rows = await db
        .selectFrom('monitor')
        .select([...MONITOR, 'monitor.updated_at', TOTAL])
        .where('team_id', '=', teamId)
        .where('deleted_at', 'is', null)
        .where('is_paused', '=', 1)
        .where('updated_at', '<', before)
        .orderBy('updated_at')
        .orderBy('id')
        .limit(limit)
        .execute();
      return foundIn(rows);
    },

    /** Reads the status pages whose custom domain could not be verified. */
    failingDomains() {
      return findRows(
        db,
        'status_page',
        { team_id: teamId, custom_domain: ['is not', null], domain_error: ['is not', null] },
        ['name', 'custom_domain', 'domain_error', 'domain_failing_since', 'domain_verified_at'],
        ['id'],
      );
    },

    /** Reads the webhook endpoints that the system switched off. */
    deactivatedEndpoints() {
      return findRows(
        db,
        'webhook_endpoint',
        { team_id: teamId, is_active: 0, deactivated_reason: ['is not', null] },
        ['name', 'deactivated_reason', 'updated_at'],
        ['id'],
      );
    },
  };
}

/**
 * Reads the enabled channels of a person, and of a team if there is one, that failed at least `failures` times in a row.
 *
 * @param teamId null to leave out the channels of the team.
 */
export function failingChannels(
  db: Db,
  of: { teamId: number | null; personId: number },
  failures: number,
) {
  return db
    .selectFrom('alert_channel')
    .innerJoin('destination', 'destination.id', 'alert_channel.destination_id')
    .select(['alert_channel.name', 'alert_channel.type', 'alert_channel.team_id'])
    .select(['destination.failures', 'destination.failing_since'])
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
    .execute();
}

type RowOf<Read extends (...given: never) => Promise<unknown>> =
  Awaited<ReturnType<Read>> extends { rows: (infer Row)[] } | (infer Row)[] ? Row : never;

type Attention = ReturnType<typeof attentionRows>;

export type OpenIncident = Omit<RowOf<Attention['openIncidents']>, 'total'>;
export type PausedMonitor = Omit<RowOf<Attention['pausedMonitors']>, 'total'>;
export type FailingDomain = RowOf<Attention['failingDomains']>;
export type DeactivatedEndpoint = RowOf<Attention['deactivatedEndpoints']>;
export type FailingChannel = RowOf<typeof failingChannels>;

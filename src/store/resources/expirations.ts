import { sql, type RawBuilder } from 'kysely';
import { engineOf, jsonText } from '../database/dialect.ts';
import type { Db } from '../database/contract.ts';
import type { MonitorLabel } from './overview.ts';

const DAY_MS = 86_400_000;

/** Kinds of inspections whose facts have a date of expiry. */
export const EXPIRING_KINDS = ['ssl', 'domain'] as const;
export type ExpiringKind = (typeof EXPIRING_KINDS)[number];

/** A certificate or a registration that expires, with the label of its monitor. Times are epoch milliseconds. */
export interface Expiration extends MonitorLabel {
  kind: ExpiringKind;
  /** `host:port` or domain. */
  target: string;
  expires_at: number;
  /** When the facts were found; a target that another monitor has may have been known before this one was created. */
  known_at: number;
  created_at: number;
  /** Days before the expiry from which on an incident opens. */
  threshold_days: number;
}

/** An expiration with the facts of its inspection, as JSON (model/inspection.ts). */
export type ListedExpiration = Expiration & { facts: string };

/** Lists a page of what expires until that time (epoch ms), soonest first, and counts all. */
export async function listExpirations(
  db: Db,
  teamId: number,
  wanted: {
    kinds: readonly ExpiringKind[];
    until: number;
    limit: number;
    offset: number;
  },
): Promise<{ rows: ListedExpiration[]; total: number }> {
  const { kinds, until, limit, offset } = wanted;
  const { rows } = await sql<Omit<ListedExpiration, 'id'> & { id: number | null; total: number }>`
    with matching as materialized (
      select dated.*, row_number() over (order by expires_at, kind desc, id) as position
      from ${datedTargets(db, teamId, kinds)} as dated where expires_at <= ${until})
    select counted.total, page.*, monitor.friendly_name as name, monitor.url, monitor.type, monitor.created_at, inspection.facts
    from (select count(*) as total from matching) as counted
    left join matching as page on page.position > ${offset} and page.position <= ${offset + limit}
    left join monitor on monitor.id = page.id
    left join inspection on inspection.kind = page.kind and inspection.target = page.target
    order by page.position`.execute(db);
  return {
    total: Number(rows[0]?.total ?? 0),
    rows: rows.filter((row): row is typeof row & ListedExpiration => row.id !== null),
  };
}

/**
 * Lists what expired, or is within the threshold of its monitor, while no incident about it is open: first what expired,
 * then by kind and by the time since when. Paused monitors are left out. Counts all.
 */
export async function unreportedExpirations(
  db: Db,
  teamId: number,
  now: number,
  limit: number,
): Promise<{ rows: Expiration[]; total: number }> {
  const since = sql`case when expires_at <= ${now} then expires_at else expires_at - threshold_days * ${sql.lit(DAY_MS)} end`;
  const { rows } = await sql<Expiration & { total: number }>`
    select due.*, monitor.friendly_name as name, monitor.url, monitor.type, monitor.created_at, count(*) over () as total
    from ${datedTargets(db, teamId, EXPIRING_KINDS)} as due
    cross join monitor
    where monitor.id = due.id and due.is_paused = 0
      and due.expires_at < ${now} + due.threshold_days * ${sql.lit(DAY_MS)}
      and not exists (select 1 from incident where incident.monitor_id = due.id
        and incident.type = due.kind and incident.type <> 'manual' and incident.ended_at is null)
    order by case when expires_at <= ${now} then 0 else 1 end, kind desc, ${since}, due.id
    limit ${limit}`.execute(db);
  return { rows, total: Number(rows[0]?.total ?? 0) };
}

/** Inspections of a team's monitors whose facts have a date. Read in this order of tables, as SQLite has no statistics. */
function datedTargets(db: Db, teamId: number, kinds: readonly ExpiringKind[]): RawBuilder<unknown> {
  const engine = engineOf(db);
  const facts = sql.ref<string>('inspection.facts');
  const certificate = jsonText(engine, facts, ['certificate', 'validTo']);
  const registration = jsonText(engine, facts, ['expiresAt']);
  const known = sql`select monitor.id, monitor.is_paused, assigned.kind, assigned.target, inspection.known_at,
      case assigned.kind when 'ssl' then monitor.ssl_expiry_threshold else monitor.domain_expiry_threshold end as threshold_days,
      cast(case assigned.kind when 'ssl' then ${certificate} else ${registration} end as bigint) as expires_at
    from monitor cross join monitor_inspection as assigned cross join inspection
    where monitor.team_id = ${teamId} and monitor.deleted_at is null
      and assigned.monitor_id = monitor.id and assigned.kind in (${sql.join(kinds)})
      and inspection.kind = assigned.kind and inspection.target = assigned.target
      and inspection.facts is not null`;
  return sql`(select * from (${known}) as known where expires_at is not null)`;
}

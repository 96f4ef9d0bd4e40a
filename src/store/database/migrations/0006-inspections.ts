import { DDL, type Engine } from '../dialect.ts';

/**
 * Inspections on a slow schedule (certificates, name servers' records, registrations), one per target for all its
 * monitors, and their findings over time.
 */
export function inspections(engine: Engine): string[] {
  const { identity, integer, text, strict, strictByKey } = DDL[engine];

  return [
    `alter table monitor add column check_both_families ${integer} not null default 0`,

    `create table inspection (
      kind ${text} not null, target ${text} not null, next_at ${integer}, claim ${integer} not null,
      leased_until ${integer}, known_at ${integer}, facts ${text}, inspected_at ${integer}, result ${text},
      unknown_run ${integer} not null, is_recheck ${integer} not null,
      is_open ${integer} not null, primary key (kind, target)
    ) ${strictByKey}`,
    `create index inspection_next on inspection (kind, next_at) where next_at is not null`,

    `create table monitor_inspection (
      monitor_id ${integer} not null, kind ${text} not null, target ${text} not null, primary key (monitor_id, kind)
    ) ${strictByKey}`,
    `create index monitor_inspection_target on monitor_inspection (kind, target, monitor_id)`,

    `create table dns_record_set (
      id ${identity}, host ${text} not null, seen_at ${integer} not null, records ${text} not null,
      source ${text} not null
    ) ${strict}`,
    `create index dns_record_set_host on dns_record_set (host, seen_at, id)`,

    `create table certificate (
      id ${identity}, target ${text} not null, seen_at ${integer} not null, fingerprint ${text} not null,
      facts ${text} not null
    ) ${strict}`,
    `create index certificate_target on certificate (target, seen_at, id)`,

    `create table monitor_activity (
      id ${identity}, team_id ${integer} not null, monitor_id ${integer} not null, type ${text} not null,
      description ${text} not null, created_at ${integer} not null
    ) ${strict}`,
    `create index monitor_activity_monitor on monitor_activity (monitor_id, created_at, id)`,
  ];
}

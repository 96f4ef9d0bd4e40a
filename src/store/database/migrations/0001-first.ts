import { DDL, type Engine } from '../dialect.ts';

/**
 * The first tables. Rows of monitors that go (state, spans, incidents, roll-ups) carry no foreign keys: retention
 * purges them in slices, and a cascade over millions of rows would hold the writer.
 */
export function first(engine: Engine): string[] {
  const { identity, integer, real, text, blob, strict, strictByKey } = DDL[engine];
  const team = `team_id ${integer} not null`;
  const monitor = `monitor_id ${integer} not null`;
  const created = `created_at ${integer} not null`;
  const updated = `updated_at ${integer} not null`;
  const rollup = (name: string) => `create table ${name} (
      ${monitor}, at ${integer} not null, data ${blob} not null,
      primary key (monitor_id, at)
    ) ${strictByKey}`;

  return [
    `create table person (
      id ${identity}, name ${text} not null, email ${text} not null unique, timezone ${text} not null,
      ${created}, ${updated}
    ) ${strict}`,
    `create table team (
      id ${identity}, name ${text} not null, slug ${text} not null unique, personal_team ${integer} not null,
      ${created}, ${updated}
    ) ${strict}`,
    `create table member (
      ${team} references team (id) on delete cascade,
      person_id ${integer} not null references person (id) on delete cascade,
      role ${text} not null, status ${text} not null, added_at ${integer} not null,
      primary key (team_id, person_id)
    ) ${strictByKey}`,
    `create index member_person on member (person_id)`,
    `create table token (
      id ${identity}, person_id ${integer} not null references person (id) on delete cascade,
      ${team} references team (id) on delete cascade,
      name ${text} not null, hash ${text} not null unique, permissions ${text} not null,
      expires_at ${integer}, last_used_at ${integer}, ${created}
    ) ${strict}`,
    `create index token_person on token (person_id)`,
    `create index token_team on token (team_id)`,

    `create table monitor (
      id ${identity}, ${team}, shard ${integer} not null, type ${text} not null, url ${text} not null,
      friendly_name ${text}, check_interval ${real}, check_types ${text} not null,
      monitored_regions ${text} not null, tags ${text} not null, port ${integer}, group_id ${integer},
      is_paused ${integer} not null, http_method ${text} not null, accepted_status_codes ${text},
      follow_redirects ${integer} not null, request_timeout ${real} not null, request_headers ${text},
      request_body ${text}, verify_ssl ${integer} not null, ssl_expiry_threshold ${integer} not null,
      domain_expiry_threshold ${integer} not null, slow_response_threshold ${integer},
      error_text_detection ${integer} not null, failure_threshold ${integer} not null,
      recovery_threshold ${integer} not null, version ${integer} not null, revision ${integer} not null,
      deleted_at ${integer}, ${created}, ${updated}
    ) ${strict}`,
    `create index monitor_team on monitor (team_id, deleted_at, created_at, id)`,
    `create index monitor_shard on monitor (shard, version)`,
    `create table monitor_state (
      monitor_id ${integer} primary key, ${team}, revision ${integer} not null, status ${text} not null,
      last_slot ${integer}, last_checked_at ${integer}, run_at ${integer}, observed_until ${integer},
      is_paused ${integer} not null, judged_revision ${integer}, tracks ${text} not null, newest ${text} not null
    ) ${strict}`,
    `create index monitor_state_team on monitor_state (team_id, status)`,

    `create table shard (
      shard ${integer} primary key, version ${integer} not null, owner ${text}, lease_until ${integer} not null
    ) ${strict}`,
    `with recursive number (n) as (select 0 union all select n + 1 from number where n < 255)
      insert into shard (shard, version, lease_until) select n, 0, 0 from number`,
    `create table node (id ${text} primary key, seen_at ${integer} not null) ${strict}`,

    `create table status_span (
      id ${identity}, ${team}, ${monitor}, status ${text} not null, from_at ${integer} not null, to_at ${integer}
    ) ${strict}`,
    `create index status_span_monitor on status_span (monitor_id, from_at)`,
    `create table incident (
      id ${identity}, ${team}, ${monitor}, type ${text} not null, severity ${text} not null, root_cause ${text},
      failure_code ${text}, is_regional ${integer} not null, region ${text}, started_at ${integer} not null,
      ended_at ${integer}, acknowledged_at ${integer}, acknowledged_by ${integer}, ${created}, ${updated}
    ) ${strict}`,
    `create unique index incident_open on incident (monitor_id, type) where ended_at is null and type <> 'manual'`,
    `create index incident_team on incident (team_id, started_at, id)`,
    `create index incident_monitor on incident (monitor_id, started_at)`,
    `create table incident_evidence (
      incident_id ${integer} not null, region ${text} not null, evidence ${text} not null,
      primary key (incident_id, region)
    ) ${strict}`,
    `create table activity (
      id ${identity}, ${team}, incident_id ${integer} not null, type ${text} not null, description ${text} not null,
      person_id ${integer}, ${created}
    ) ${strict}`,
    `create index activity_incident on activity (incident_id, id)`,
    `create table event (
      id ${identity}, ${team}, ${monitor}, incident_id ${integer}, type ${text} not null, payload ${text} not null,
      ${created}
    ) ${strict}`,
    `create index event_created on event (created_at)`,
    `create index event_team on event (team_id, id)`,

    rollup('rollup_hour'),
    rollup('rollup_day'),
    `create table progress (name ${text} primary key, position ${integer} not null) ${strict}`,
    `create table setting (name ${text} primary key, value ${text} not null) ${strict}`,
  ];
}

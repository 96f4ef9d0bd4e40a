import { DDL, type Engine } from '../../dialect.ts';

/** Monitors with their settings and state, what is recorded of them, and their incidents. */
export function monitorTables(engine: Engine): string[] {
  return [
    ...settings(engine),
    ...listOrders(engine),
    ...tags(engine),
    ...state(engine),
    ...inspections(engine),
    ...incidents(engine),
    ...rollups(engine),
    ...corrections(engine),
  ];
}

function settings(engine: Engine): string[] {
  const { identity, integer, real, text, strict, strictByKey } = DDL[engine];
  const times = `created_at ${integer} not null, updated_at ${integer} not null`;
  return [
    // A team's folder of monitors; a subgroup has a parent, and none below it.
    `create table monitor_group (
      id ${identity}, team_id ${integer} not null references team (id) on delete cascade,
      -- Unique in the team.
      name ${text} not null,
      description ${text}, parent_id ${integer} references monitor_group (id) on delete set null,
      sort_order ${integer} not null, ${times}
    ) ${strict}`,
    `create unique index monitor_group_name on monitor_group (team_id, name)`,
    `create index monitor_group_parent on monitor_group (parent_id) where parent_id is not null`,

    // The columns of a monitor's settings are those of monitor-types/fields.ts.
    `create table monitor (
      id ${identity}, team_id ${integer} not null, shard ${integer} not null, type ${text} not null,
      url ${text} not null,
      -- The host of the url in canonical spelling, empty for none.
      host ${text} not null,
      friendly_name ${text}, group_id ${integer} references monitor_group (id) on delete set null,
      tags ${text} not null, check_interval ${real}, check_types ${text} not null, monitored_regions ${text} not null,
      port ${integer}, is_paused ${integer} not null, http_method ${text} not null, accepted_status_codes ${text},
      follow_redirects ${integer} not null, request_timeout ${real} not null, request_headers ${text},
      request_body ${text}, auth_type ${text}, auth_username ${text}, auth_password ${text},
      check_both_families ${integer} not null default 0, verify_ssl ${integer} not null,
      ssl_expiry_threshold ${integer} not null, domain_expiry_threshold ${integer} not null,
      slow_response_threshold ${integer}, error_text_detection ${integer} not null, keyword_settings ${text},
      json_assertion_settings ${text}, failure_threshold ${integer} not null, recovery_threshold ${integer} not null,
      heartbeat_interval ${integer}, heartbeat_cron_expression ${text}, heartbeat_timezone ${text},
      heartbeat_grace ${integer}, heartbeat_wait_for_first_ping ${integer}, heartbeat_max_runtime ${integer},
      -- The secret part of the ping URL, sealed, and its SHA-256 in hex, by which it is found.
      ping_token ${text},
      ping_token_hash ${text}, notification_settings ${text},
      -- Version of the shard at the last change that owners must load.
      version ${integer} not null,
      -- Version at the last change of the check itself, or of a pause: older rounds never vote.
      revision ${integer} not null,
      -- When it was deleted; retention purges its rows later.
      deleted_at ${integer},
      ${times}
    ) ${strict}`,
    `create index monitor_shard on monitor (shard, version)`,
    `create index monitor_by_group on monitor (group_id) where group_id is not null`,
    `create unique index monitor_ping_token on monitor (ping_token_hash) where ping_token_hash is not null`,
    // A plan may limit the monitors of a host.
    `create index monitor_by_host on monitor (team_id, host) where deleted_at is null`,
    // Retention looks for deleted monitors twice a minute: without this index it would read all monitors.
    `create index monitor_deleted on monitor (deleted_at) where deleted_at is not null`,

    // Ping URLs that were replaced and still work for a while. The SHA-256 alone: nobody needs to read them again.
    `create table former_ping_token (
      token_hash ${text} not null primary key,
      monitor_id ${integer} not null references monitor (id) on delete cascade, expires_at ${integer} not null
    ) ${strictByKey}`,
    `create index former_ping_token_monitor on former_ping_token (monitor_id)`,
    `create index former_ping_token_expiry on former_ping_token (expires_at)`,

    `create table monitor_dependency (
      monitor_id ${integer} not null,
      -- While this one is down, alerts of the other are held.
      depends_on_id ${integer} not null,
      team_id ${integer} not null, position ${integer} not null default 0, primary key (monitor_id, depends_on_id)
    ) ${strictByKey}`,
    `create index monitor_dependency_parent on monitor_dependency (depends_on_id)`,
    // A change of a monitor's target that is no problem.
    `create table monitor_activity (
      id ${identity}, team_id ${integer} not null, monitor_id ${integer} not null,
      -- dns_changed or certificate_changed.
      type ${text} not null,
      description ${text} not null, created_at ${integer} not null
    ) ${strict}`,
    `create index monitor_activity_monitor on monitor_activity (monitor_id, created_at, id)`,
  ];
}

/**
 * An index for each order of the list of monitors, so that a page costs the same however many there are. `deleted_at`
 * stands in them where null is asked for; after the id, by which ties are ordered, come the columns of the filters, so
 * that what does not match is stepped over without a look at its row. There is none by the time of the last check:
 * each round would have to move its monitor in it.
 */
function listOrders(engine: Engine): string[] {
  return [
    order('monitor_by_created', 'created_at, id, type, check_interval'),
    order('monitor_by_url', `${DDL[engine].indexedUrl}, id, type, check_interval`),
    order('monitor_by_interval', 'check_interval, id, type'),
    order('monitor_by_type', 'type, check_interval, id'),
    // Postgres walks an index backwards with nulls first; SQLite can put them last either way.
    ...(engine === 'postgres'
      ? [order('monitor_by_interval_down', 'check_interval desc nulls last, id desc, type')]
      : []),
  ];
}

const order = (name: string, key: string) =>
  `create index ${name} on monitor (team_id, deleted_at, ${key})`;

/**
 * The tags of each monitor as rows, so that a list by tag reads what matches and nothing else. Triggers keep them equal to
 * `monitor.tags`, whoever writes it. A tag may be listed there twice.
 */
function tags(engine: Engine): string[] {
  const { integer, text, strictByKey } = DDL[engine];
  const tables = [
    // A tag of a monitor. Only triggers write it.
    `create table monitor_tag (
      monitor_id ${integer} not null references monitor (id) on delete cascade, tag ${text} not null,
      team_id ${integer} not null, primary key (monitor_id, tag)
    ) ${strictByKey}`,
    `create index monitor_tag_of_team on monitor_tag (team_id, tag, monitor_id)`,
  ];
  if (engine === 'sqlite') {
    const insert = `insert into monitor_tag (monitor_id, tag, team_id)
      select distinct new.id, json_each.value, new.team_id from json_each(new.tags);`;
    return [
      ...tables,
      `create trigger monitor_tags_added after insert on monitor when new.tags <> '[]' begin
        ${insert}
      end`,
      `create trigger monitor_tags_changed after update of tags on monitor when old.tags <> new.tags begin
        delete from monitor_tag where monitor_id = new.id;
        ${insert}
      end`,
    ];
  }
  return [
    ...tables,
    `create function list_monitor_tags() returns trigger language plpgsql as $$
    begin
      if tg_op = 'UPDATE' then delete from monitor_tag where monitor_id = new.id; end if;
      insert into monitor_tag (monitor_id, tag, team_id)
        select distinct new.id, element.tag, new.team_id from jsonb_array_elements_text(new.tags::jsonb) as element (tag);
      return null;
    end $$`,
    `create trigger monitor_tags_added after insert on monitor for each row
      when (new.tags <> '[]') execute function list_monitor_tags()`,
    `create trigger monitor_tags_changed after update of tags on monitor for each row
      when (old.tags <> new.tags) execute function list_monitor_tags()`,
  ];
}

function state(engine: Engine): string[] {
  const { identity, integer, text, strict, strictByKey } = DDL[engine];
  return [
    // State of a monitor. Each evaluated round replaces it, hence it is apart from `monitor`.
    `create table monitor_state (
      monitor_id ${integer} primary key, team_id ${integer} not null, revision ${integer} not null,
      status ${text} not null, last_slot ${integer}, last_checked_at ${integer}, run_at ${integer},
      observed_until ${integer}, is_paused ${integer} not null,
      -- The revision under which 'tracks' was counted; a newer one clears a running confirmation.
      evaluated_revision ${integer},
      -- JSON of 'Tracks'.
      tracks ${text} not null,
      -- The newest result by region (store/engine/monitor-state.ts).
      newest ${text} not null,
      -- Push monitors only: the newest ping that reported a success, and when the next is expected.
      last_heartbeat_at ${integer},
      heartbeat_expected_at ${integer},
      -- Push monitors only, as are the next eight: when silence is evaluated. Never later than the next deadline,
      -- but often earlier, as a ping moves the deadline and leaves this unchanged.
      due_at ${integer},
      -- Null before the first ping of any kind.
      first_ping_at ${integer},
      -- Time since which the next ping is expected.
      armed_at ${integer},
      -- 1 when the expected time and its grace passed, and the missed ping was recorded.
      is_missed ${integer} not null default 0,
      -- 1 when the expected time was postponed since the last ping, because this service was down.
      is_postponed ${integer} not null default 0,
      -- Number of all pings so far, which is the number of the newest one.
      ping_count ${integer} not null default 0,
      -- Start of the current window of the ping limit, and the pings in it.
      ping_window_at ${integer},
      ping_window_count ${integer} not null default 0,
      -- JSON of the runs in progress (model/heartbeat.ts).
      runs ${text} not null default '[]'
    ) ${strict}`,
    `create index monitor_state_due on monitor_state (due_at) where due_at is not null`,
    ...(engine === 'sqlite'
      ? // SQLite's indexes end with the row's id by themselves.
        [`create index monitor_state_team on monitor_state (team_id, status)`]
      : [
          `create index monitor_state_team on monitor_state (team_id, status, monitor_id)`,
          // Each round updates the state of its monitor. With free space in its page, the new version needs no entry in
          // any index, and the next update of the page removes the old one without a vacuum. bench/vacuum.ts measures it.
          `alter table monitor_state set (fillfactor = 70)`,
        ]),
    // A time of one status of a monitor. Append-only; `to_at` is null in the newest row of a
    // monitor.
    `create table status_span (
      id ${identity}, team_id ${integer} not null, monitor_id ${integer} not null,
      -- online, offline, degraded or unobserved.
      status ${text} not null,
      from_at ${integer} not null, to_at ${integer}
    ) ${strict}`,
    `create index status_span_monitor on status_span (monitor_id, from_at)`,

    // Calls of jobs to their push monitors. Their number says without counting which the newest thousand are, and how many all.
    `create table ping (
      monitor_id ${integer} not null,
      -- 1 for the monitor's first ping, and so on without gaps; the oldest ones are deleted.
      number ${integer} not null,
      -- When it was received.
      at ${integer} not null,
      -- success, failure, start or log.
      kind ${text} not null,
      -- The 'rid' that pairs a start with its finish.
      run_id ${text},
      exit_code ${integer},
      -- Duration of a run whose start is known.
      duration_ms ${integer},
      source_address ${text} not null, user_agent ${text},
      -- The first 10 KiB, as text.
      body ${text},
      -- 1 when the body was longer.
      is_body_cut ${integer} not null,
      primary key (monitor_id, number)
    ) ${strictByKey}`,
  ];
}

/**
 * Inspections on a slow schedule (certificates, name servers' records, registrations), one per target for all its
 * monitors, and their findings over time.
 */
function inspections(engine: Engine): string[] {
  const { identity, integer, text, strict, strictByKey } = DDL[engine];
  return [
    // An inspection on the slow schedule, shared by all monitors of a target.
    `create table inspection (
      -- ssl, dns or domain.
      kind ${text} not null,
      -- 'host:port', host, or registrable domain (see engine/inspect/target.ts).
      target ${text} not null,
      -- Next run; null while all its monitors are paused.
      next_at ${integer},
      -- Number of times it was claimed: only the last claim may record a result.
      claim ${integer} not null,
      -- End of the current lease.
      leased_until ${integer},
      -- JSON of the newest facts (model/inspection.ts), and when they were found.
      known_at ${integer},
      facts ${text},
      -- JSON of the newest result, and its time.
      inspected_at ${integer},
      result ${text},
      -- Number of unknown results in a row.
      unknown_run ${integer} not null,
      -- 1 when the next run confirms what the last one found.
      is_recheck ${integer} not null,
      -- 1 while a monitor of the target has a condition of this kind.
      is_open ${integer} not null,
      primary key (kind, target)
    ) ${strictByKey}`,
    `create index inspection_next on inspection (kind, next_at) where next_at is not null`,
    `create table monitor_inspection (
      monitor_id ${integer} not null, kind ${text} not null, target ${text} not null, primary key (monitor_id, kind)
    ) ${strictByKey}`,
    `create index monitor_inspection_target on monitor_inspection (kind, target, monitor_id)`,
    // The DNS records of a host, one row per change.
    `create table dns_record_set (
      id ${identity}, host ${text} not null,
      -- When they were first seen.
      seen_at ${integer} not null,
      -- JSON of 'DnsRecords'.
      records ${text} not null,
      -- authoritative or resolver.
      source ${text} not null
    ) ${strict}`,
    `create index dns_record_set_host on dns_record_set (host, seen_at, id)`,
    // The certificate of a host and port, one row per change.
    `create table certificate (
      id ${identity},
      -- 'host:port'.
      target ${text} not null,
      seen_at ${integer} not null, fingerprint ${text} not null,
      -- JSON of 'SslFacts'.
      facts ${text} not null
    ) ${strict}`,
    `create index certificate_target on certificate (target, seen_at, id)`,
  ];
}

/** Incidents, and an index for each order and filter of their lists. */
function incidents(engine: Engine): string[] {
  const { identity, integer, text, blob, strict, strictByKey } = DDL[engine];
  const created = `created_at ${integer} not null`;
  // SQLite's indexes end with the row's id by themselves.
  const id = engine === 'sqlite' ? '' : ', id';
  // An index on an expression is only read alone if it holds the columns of the expression, too (Postgres's
  // documentation, "Index-Only Scans and Covering Indexes").
  const columns = engine === 'sqlite' ? '' : 'include (started_at, ended_at)';
  return [
    `create table incident (
      id ${identity}, team_id ${integer} not null, monitor_id ${integer} not null, type ${text} not null,
      severity ${text} not null, root_cause ${text}, failure_code ${text}, is_regional ${integer} not null,
      -- Region codes joined by ", ", for a regional incident.
      region ${text},
      started_at ${integer} not null, ended_at ${integer}, acknowledged_at ${integer}, acknowledged_by ${integer},
      ${created}, updated_at ${integer} not null
    ) ${strict}`,
    `create unique index incident_open on incident (monitor_id, type) where ended_at is null and type <> 'manual'`,
    `create index incident_team on incident (team_id, started_at, id)`,
    `create index incident_monitor on incident (monitor_id, started_at${id})`,
    `create index incident_kind on incident (team_id, type, severity, started_at${id})`,
    `create index incident_open_since on incident (team_id, started_at${id}) where ended_at is null`,
    `create index incident_ended on incident (team_id, ended_at${id}) where ended_at is not null`,
    `create index incident_duration on incident (team_id, (ended_at - started_at)${id}) ${columns} where ended_at is not null`,
    `create index incident_resolved on incident (team_id${id}) where ended_at is not null`,
    `create table incident_evidence (
      incident_id ${integer} not null, region ${text} not null,
      -- JSON: failure, timings, remote address, status line, headers, body, times.
      evidence ${text} not null,
      primary key (incident_id, region)
    ) ${strict}`,
    // Rounds around the start and the end of an incident, as they were in the tables of their days.
    `create table incident_round (
      incident_id ${integer} not null,
      -- When it started.
      at ${integer} not null,
      -- As in the table of the day.
      data ${blob} not null,
      -- Details of its failures, as in the table of the day; null without one.
      details ${text},
      primary key (incident_id, at)
    ) ${strictByKey}`,
    `create table activity (
      id ${identity}, team_id ${integer} not null, incident_id ${integer} not null, type ${text} not null,
      description ${text} not null, person_id ${integer}, ${created}
    ) ${strict}`,
    `create index activity_incident on activity (incident_id, id)`,
    // An event for webhooks and alerts, written in the transaction of the change that caused it.
    `create table event (
      id ${identity}, team_id ${integer} not null, monitor_id ${integer} not null, incident_id ${integer},
      -- Type of the event, such as monitor.down.
      type ${text} not null,
      -- open or resolve of an incident; notice without one; dropped for an open or resolve event that was sent to
      -- nobody.
      kind ${text} not null default 'notice',
      -- critical, warning or info; info for a recovery.
      severity ${text} not null default 'info',
      -- Reason of a resolve event: recovered, target_changed, switched_off or changed_over; also of its successor's
      -- opening.
      reason ${text},
      -- JSON: the body that webhooks send.
      payload ${text} not null,
      -- When it is fanned out to its destinations; null afterwards.
      fan_out_at ${integer},
      ${created}
    ) ${strict}`,
    `create index event_created on event (created_at)`,
    `create index event_team on event (team_id, id)`,
    `create index event_fan_out on event (fan_out_at, id) where fan_out_at is not null`,
    `create index event_incident on event (incident_id) where incident_id is not null`,
  ];
}

/**
 * Sums of rounds by hour and by day: their regions packed with mergeable histograms (store/engine/rollups.ts).
 * `rollup_recent_day` has those of days whose hours are still kept. A trigger deletes its sum with any change of its hours,
 * whatever made it, so that a sum that is there is right
 * (docs/adr/0039-recent-days-are-summed.md).
 */
function rollups(engine: Engine): string[] {
  const { integer, blob, strictByKey } = DDL[engine];
  const tables = ['rollup_hour', 'rollup_day', 'rollup_recent_day'].map(
    (name) => `create table ${name} (
      monitor_id ${integer} not null, at ${integer} not null, data ${blob} not null, primary key (monitor_id, at)
    ) ${strictByKey}`,
  );
  if (engine === 'sqlite') {
    const triggers = ['insert', 'update', 'delete'].map(
      (
        change,
      ) => `create trigger recent_day_${change} after ${change} on rollup_hour for each row begin
        ${forgetDay(change === 'delete' ? 'old' : 'new')};
      end`,
    );
    return [...tables, ...triggers];
  }
  return [
    ...tables,
    // By row: for a whole statement the planner would read all sums.
    `create function forget_recent_day() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' then ${forgetDay('old')}; else ${forgetDay('new')}; end if;
      return null;
    end $$`,
    `create trigger recent_day after insert or update or delete on rollup_hour
      for each row execute function forget_recent_day()`,
  ];
}

const forgetDay = (row: 'old' | 'new') =>
  `delete from rollup_recent_day where monitor_id = ${row}.monitor_id and at = ${row}.at - ${row}.at % 86400000`;

/** Corrections of what was recorded of monitors, and their service level objectives (SLO). */
function corrections(engine: Engine): string[] {
  const { identity, integer, real, text, strict, strictByKey } = DDL[engine];
  // Deleted with their monitors, which are deleted with their team.
  const team = `team_id ${integer} not null`;
  const monitor = `references monitor (id) on delete cascade`;
  const times = `created_at ${integer} not null, updated_at ${integer} not null`;
  return [
    // An interval of a monitor that counts otherwise than it was recorded.
    `create table correction (
      id ${identity}, ${team}, monitor_id ${integer} not null ${monitor},
      -- '[from_at, to_at)'.
      from_at ${integer} not null,
      to_at ${integer} not null,
      -- One of CORRECTION_KINDS of model/correction.ts.
      counts_as ${text} not null,
      reason ${text} not null,
      -- Text or link that supports 'up' and 'down'.
      evidence ${text},
      person_id ${integer},
      -- When it was taken back, and by whom.
      removed_at ${integer},
      removed_by ${integer}, ${times}
    ) ${strict}`,
    `create index correction_monitor on correction (monitor_id, to_at)`,
    `create index correction_end on correction (to_at)`,
    // Service level objective of a monitor.
    `create table monitor_slo (
      monitor_id ${integer} not null primary key ${monitor}, ${team}, target_percent ${real} not null,
      window_days ${integer} not null, burn_rate_alerts ${integer} not null,
      -- fast or slow while its error budget burns too fast; else null.
      burning ${text},
      -- Incident of that. A person may have resolved or deleted it.
      incident_id ${integer},
      burning_since ${integer},
      -- When its burn rate is evaluated next; null without alerts.
      next_at ${integer},
      ${times}
    ) ${strictByKey}`,
    `create index monitor_slo_next on monitor_slo (next_at) where next_at is not null`,
  ];
}

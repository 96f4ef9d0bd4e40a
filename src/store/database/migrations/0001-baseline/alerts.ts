import { DDL, type Engine } from '../../dialect.ts';

/**
 * Who is notified and what became of it: destinations with their deliveries, alerts to people, how they are routed, and
 * what holds them back. Addresses and secrets of destinations are sealed.
 */
export function alertTables(engine: Engine): string[] {
  const { identity, integer, text, strict, strictByKey } = DDL[engine];
  const team = `team_id ${integer} not null references team (id) on delete cascade`;
  const created = `created_at ${integer} not null`;
  const times = `${created}, updated_at ${integer} not null`;
  const scope = `monitors ${text} not null, groups ${text} not null, tags ${text} not null`;

  return [
    `create table destination (
      id ${identity}, team_id ${integer}, kind ${text} not null, next_at ${integer}, leased_until ${integer},
      held_until ${integer}, claim ${integer} not null, failures ${integer} not null, failing_since ${integer},
      last_error ${text}, last_delivered_at ${integer}, ${created}
    ) ${strict}`,
    `create index destination_next on destination (next_at, id) where next_at is not null`,
    `create table webhook_endpoint (
      id ${identity}, ${team}, destination_id ${integer} not null unique, name ${text} not null, url ${text} not null,
      url_host ${text} not null, auth_type ${text} not null, auth_header_name ${text}, auth_token ${text},
      signing_secret ${text}, previous_signing_secret ${text}, previous_secret_until ${integer},
      severities ${text} not null, is_active ${integer} not null, deactivated_reason ${text}, ${times}
    ) ${strict}`,
    `create index webhook_endpoint_team on webhook_endpoint (team_id, id)`,
    `create table alert_channel (
      id ${identity}, team_id ${integer} references team (id) on delete cascade,
      person_id ${integer} references person (id) on delete cascade, destination_id ${integer} not null unique,
      type ${text} not null, name ${text} not null, enabled ${integer} not null, is_default ${integer} not null,
      settings ${text}, severities ${text} not null, quiet_hours ${text}, timezone ${text}, ${times}
    ) ${strict}`,
    `create index alert_channel_team on alert_channel (team_id, id) where team_id is not null`,
    `create unique index alert_channel_person on alert_channel (person_id, type) where person_id is not null`,

    // An endpoint has an order per monitor, so a delivery names its monitor; an endpoint that fails is held as a whole.
    `create table delivery (
      id ${identity}, destination_id ${integer} not null, team_id ${integer}, message_id ${text} not null,
      kind ${text} not null, event_type ${text}, monitor_id ${integer}, incident_id ${integer}, alert_id ${integer},
      body ${text} not null, status ${text} not null, attempts ${integer} not null, next_at ${integer} not null,
      expires_at ${integer} not null, finished_at ${integer}, ${created}
    ) ${strict}`,
    `create index delivery_pending on delivery (destination_id, id) where status = 'pending'`,
    `create index delivery_test on delivery (destination_id, id) where status = 'pending' and kind = 'test'`,
    `create index delivery_destination on delivery (destination_id, id)`,
    `create index delivery_alert on delivery (alert_id) where alert_id is not null`,
    `create index delivery_created on delivery (created_at)`,
    `create table delivery_attempt (
      delivery_id ${integer} not null, number ${integer} not null, at ${integer} not null,
      duration_ms ${integer} not null, status_code ${integer}, error ${text}, response ${text},
      primary key (delivery_id, number)
    ) ${strictByKey}`,

    `create table alert (
      id ${identity}, ${team}, kind ${text} not null, severity ${text} not null, monitor_id ${integer},
      incident_type ${text}, shared_cause ${text}, opened_at ${integer} not null, groupable_until ${integer},
      notified_at ${integer}, notified_count ${integer} not null, over_at ${integer}, next_at ${integer}
    ) ${strict}`,
    `create index alert_next on alert (next_at, id) where next_at is not null`,
    `create index alert_team on alert (team_id, opened_at)`,
    `create index alert_monitor on alert (monitor_id, incident_type) where over_at is null and monitor_id is not null`,
    `create index alert_over on alert (over_at) where over_at is not null`,
    // `removed_at` is when the incident was deleted, so that those who were notified of it are notified of that, too.
    `create table alert_incident (
      alert_id ${integer} not null, incident_id ${integer} not null, monitor_id ${integer} not null,
      joined_at ${integer} not null, has_successor ${integer} not null, removed_at ${integer}, removed_severity ${text},
      primary key (alert_id, incident_id)
    ) ${strictByKey}`,
    `create index alert_incident_incident on alert_incident (incident_id)`,
    `create index alert_incident_monitor on alert_incident (monitor_id)`,
    `create table alert_recipient (
      alert_id ${integer} not null, destination_id ${integer} not null, notified_at ${integer} not null,
      last_notified_at ${integer} not null, severity ${text} not null, primary key (alert_id, destination_id)
    ) ${strictByKey}`,
    `create table alert_recipient_incidents (
      alert_id ${integer} not null, destination_id ${integer} not null, incidents ${text} not null, ends ${text} not null,
      primary key (alert_id, destination_id)
    ) ${strictByKey}`,
    // When each channel was last notified of something new of a team, so that what begins right after it is grouped.
    `create table grouping_window (
      team_id ${integer} not null, destination_id ${integer} not null, opened_at ${integer} not null,
      severity ${text} not null, primary key (team_id, destination_id)
    ) ${strictByKey}`,
    `create index grouping_window_destination on grouping_window (destination_id)`,
    `create table alert_route (
      id ${identity}, ${team}, name ${text} not null, ${scope}, severities ${text} not null,
      channels ${text} not null, users ${text} not null, reminder_minutes ${integer}, escalation ${text} not null,
      sort_order ${integer} not null, ${times}
    ) ${strict}`,
    `create index alert_route_team on alert_route (team_id, sort_order, id)`,

    `create table maintenance_window (
      id ${identity}, ${team}, name ${text} not null, starts_at ${integer} not null, ends_at ${integer} not null,
      rrule ${text}, timezone ${text} not null, ${scope}, good_rounds ${integer}, next_at ${integer},
      deleted_at ${integer}, ${times}
    ) ${strict}`,
    `create index maintenance_window_team on maintenance_window (team_id, deleted_at, starts_at, id)`,
    `create index maintenance_window_next on maintenance_window (next_at) where next_at is not null`,
    `create table maintenance_occurrence (
      id ${identity}, window_id ${integer} not null, ${team}, ${scope}, from_at ${integer} not null,
      to_at ${integer} not null
    ) ${strict}`,
    `create index maintenance_occurrence_team on maintenance_occurrence (team_id, to_at)`,
    `create index maintenance_occurrence_to on maintenance_occurrence (to_at)`,
    `create index maintenance_occurrence_window on maintenance_occurrence (window_id, from_at)`,
  ];
}

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
  const scope = `
      -- JSON arrays of ids, ids and texts; all empty for everything.
      monitors ${text} not null, groups ${text} not null, tags ${text} not null`;

  return [
    // Queue of deliveries of a webhook endpoint, a channel, a mail or a subscriber.
    `create table destination (
      id ${identity},
      -- Null for a person's own channel and for mails.
      team_id ${integer},
      -- webhook, channel, mail, subscriber or subscriber_mail. A mail is the queue of one message, and is deleted
      -- with it.
      kind ${text} not null,
      -- When its next delivery is due; null while the queue is empty.
      next_at ${integer},
      -- End of the lease of the process that sends.
      leased_until ${integer},
      -- Set for a webhook endpoint that failed: no event is sent before, and then one at a time until it answers.
      held_until ${integer},
      -- Number of times it was claimed: only the last claim may record an outcome.
      claim ${integer} not null,
      -- Failed attempts in a row, and the time of the first.
      failures ${integer} not null,
      failing_since ${integer},
      -- Error of the newest failed attempt, a sentence for people.
      last_error ${text},
      last_delivered_at ${integer}, ${created}
    ) ${strict}`,
    `create index destination_next on destination (next_at, id) where next_at is not null`,
    `create table webhook_endpoint (
      id ${identity}, ${team}, destination_id ${integer} not null unique, name ${text} not null,
      -- Sealed, as are the token and both secrets.
      url ${text} not null,
      url_host ${text} not null,
      -- none, bearer, basic or header.
      auth_type ${text} not null,
      auth_header_name ${text}, auth_token ${text}, signing_secret ${text},
      -- Former secret, which also signs until 'previous_secret_until'.
      previous_signing_secret ${text},
      previous_secret_until ${integer},
      -- JSON array.
      severities ${text} not null,
      is_active ${integer} not null,
      -- Why the system switched it off, a sentence; null when it is active or a person did.
      deactivated_reason ${text},
      ${times}
    ) ${strict}`,
    `create index webhook_endpoint_team on webhook_endpoint (team_id, id)`,
    // A way to notify people, of a team or of one person.
    `create table alert_channel (
      id ${identity},
      -- Exactly one of these two is set.
      team_id ${integer} references team (id) on delete cascade,
      person_id ${integer} references person (id) on delete cascade, destination_id ${integer} not null unique,
      -- Type from alerting/channels/index.ts.
      type ${text} not null,
      name ${text} not null, enabled ${integer} not null,
      -- 1 for a channel of a team that receives alerts without a matching route.
      is_default ${integer} not null,
      -- Sealed JSON object; null for a personal channel that was removed.
      settings ${text},
      -- JSON array.
      severities ${text} not null,
      -- JSON of 'QuietHours' (alerting/policy/routing.ts).
      quiet_hours ${text},
      -- IANA time zone of messages; null for that of the person, or UTC.
      timezone ${text},
      ${times}
    ) ${strict}`,
    `create index alert_channel_team on alert_channel (team_id, id) where team_id is not null`,
    `create unique index alert_channel_person on alert_channel (person_id, type) where person_id is not null`,

    // One message for one destination. An endpoint has an order per monitor; one that fails is held as a whole.
    `create table delivery (
      id ${identity}, destination_id ${integer} not null,
      -- Team that it is about.
      team_id ${integer},
      -- Stable over retries and repeated deliveries.
      message_id ${text} not null,
      -- event, test; alarm, update, reminder, escalation, recovery, notice (alerting/message/content.ts); for a
      -- mail its kind, such as invitation.
      kind ${text} not null,
      -- Type of the event, such as monitor.down.
      event_type ${text},
      -- Monitor whose events arrive in order; null for deliveries without an order, such as a test.
      monitor_id ${integer},
      incident_id ${integer}, alert_id ${integer},
      -- Body of a webhook request, JSON of a 'Notice', or a sealed mail with recipient, subject and text.
      body ${text} not null,
      -- pending, delivered, failed (for good), expired (not delivered in time), superseded (contained in another
      -- message).
      status ${text} not null,
      attempts ${integer} not null,
      -- Earliest time of the next attempt.
      next_at ${integer} not null,
      expires_at ${integer} not null, finished_at ${integer}, ${created}
    ) ${strict}`,
    `create index delivery_pending on delivery (destination_id, id) where status = 'pending'`,
    `create index delivery_test on delivery (destination_id, id) where status = 'pending' and kind = 'test'`,
    `create index delivery_destination on delivery (destination_id, id)`,
    `create index delivery_alert on delivery (alert_id) where alert_id is not null`,
    `create index delivery_created on delivery (created_at)`,
    `create table delivery_attempt (
      delivery_id ${integer} not null,
      -- From 1.
      number ${integer} not null,
      at ${integer} not null, duration_ms ${integer} not null, status_code ${integer},
      -- A sentence; null when it was delivered.
      error ${text},
      -- First part of the response.
      response ${text},
      primary key (delivery_id, number)
    ) ${strictByKey}`,

    // An alert about one incident, or about several with one cause.
    `create table alert (
      id ${identity}, ${team},
      -- single, storm or flapping.
      kind ${text} not null,
      -- The worst of its incidents.
      severity ${text} not null,
      -- Null for a storm.
      monitor_id ${integer},
      incident_type ${text},
      -- Common cause of the incidents of a storm, for people.
      shared_cause ${text},
      opened_at ${integer} not null,
      -- Set while it can be merged into another alert: until people are notified of it.
      groupable_until ${integer},
      -- Time of the first notification.
      notified_at ${integer},
      -- Number of incidents that people were notified of.
      notified_count ${integer} not null,
      over_at ${integer},
      -- When it can change without an event; null for never.
      next_at ${integer}
    ) ${strict}`,
    `create index alert_next on alert (next_at, id) where next_at is not null`,
    `create index alert_team on alert (team_id, opened_at)`,
    `create index alert_monitor on alert (monitor_id, incident_type) where over_at is null and monitor_id is not null`,
    `create index alert_over on alert (over_at) where over_at is not null`,
    `create table alert_incident (
      alert_id ${integer} not null, incident_id ${integer} not null, monitor_id ${integer} not null,
      joined_at ${integer} not null,
      -- 1 when it changed into another incident: its end is no recovery.
      has_successor ${integer} not null,
      -- When the incident or its monitor was deleted: those who were notified of it are notified of that, too.
      removed_at ${integer},
      -- Severity of a deleted incident; null for existing ones.
      removed_severity ${text},
      primary key (alert_id, incident_id)
    ) ${strictByKey}`,
    `create index alert_incident_incident on alert_incident (incident_id)`,
    `create index alert_incident_monitor on alert_incident (monitor_id)`,
    // A destination that was notified of an alert.
    `create table alert_recipient (
      alert_id ${integer} not null, destination_id ${integer} not null, notified_at ${integer} not null,
      last_notified_at ${integer} not null,
      -- Highest severity of the last notification.
      severity ${text} not null,
      primary key (alert_id, destination_id)
    ) ${strictByKey}`,
    // The incidents of an alert that a destination was notified of, kept as long as the alert.
    `create table alert_recipient_incidents (
      alert_id ${integer} not null, destination_id ${integer} not null,
      -- JSON object: the time of the last message that named an incident, by its id.
      incidents ${text} not null,
      -- JSON array: the incidents that this message named as over.
      ends ${text} not null,
      primary key (alert_id, destination_id)
    ) ${strictByKey}`,
    // When each channel was last notified of something new of a team, so that what begins right after it is grouped.
    `create table grouping_window (
      team_id ${integer} not null, destination_id ${integer} not null, opened_at ${integer} not null,
      -- Highest severity of that notification.
      severity ${text} not null,
      primary key (team_id, destination_id)
    ) ${strictByKey}`,
    `create index grouping_window_destination on grouping_window (destination_id)`,
    // A rule that sends some alerts to some channels.
    `create table alert_route (
      id ${identity}, ${team}, name ${text} not null, ${scope},
      -- JSON array.
      severities ${text} not null,
      -- JSON arrays of ids: team channels, and people whose personal channels are notified.
      channels ${text} not null,
      users ${text} not null,
      -- Null for no reminders.
      reminder_minutes ${integer},
      -- JSON array of 'EscalationStep' (alerting/policy/routing.ts).
      escalation ${text} not null,
      sort_order ${integer} not null, ${times}
    ) ${strict}`,
    `create index alert_route_team on alert_route (team_id, sort_order, id)`,

    `create table maintenance_window (
      id ${identity}, ${team}, name ${text} not null,
      -- Markdown subset for visitors of status pages; null for words of the page.
      description ${text},
      -- First occurrence.
      starts_at ${integer} not null,
      ends_at ${integer} not null,
      -- RFC 5545, section 3.3.10, without DTSTART; null for a window that does not recur.
      rrule ${text},
      -- IANA name, in whose wall time it recurs.
      timezone ${text} not null,
      ${scope},
      -- Number of good rounds in a row of all its monitors that end it early; null for never.
      good_rounds ${integer},
      -- 1 when status pages announce it.
      announce ${integer} not null default 1,
      -- When it next begins, ends or may end early; null when it is over for good.
      next_at ${integer},
      deleted_at ${integer}, ${times}
    ) ${strict}`,
    `create index maintenance_window_team on maintenance_window (team_id, deleted_at, starts_at, id)`,
    `create index maintenance_window_next on maintenance_window (next_at) where next_at is not null`,
    // An occurrence of a maintenance window, which history excludes even after the window is
    // deleted.
    `create table maintenance_occurrence (
      id ${identity}, window_id ${integer} not null, ${team}, ${scope}, from_at ${integer} not null,
      -- Set to the present when it ends early.
      to_at ${integer} not null
    ) ${strict}`,
    `create index maintenance_occurrence_team on maintenance_occurrence (team_id, to_at)`,
    `create index maintenance_occurrence_to on maintenance_occurrence (to_at)`,
    `create index maintenance_occurrence_window on maintenance_occurrence (window_id, from_at)`,
  ];
}

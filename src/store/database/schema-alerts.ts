import type { Dated, Identified } from './schema-installation.ts';

/** Tables of alerting and maintenance. */
export interface AlertSchema {
  destination: DestinationTable;
  webhook_endpoint: WebhookEndpointTable;
  alert_channel: AlertChannelTable;
  delivery: DeliveryTable;
  delivery_attempt: DeliveryAttemptTable;
  alert: AlertTable;
  alert_incident: AlertIncidentTable;
  grouping_window: GroupingWindowTable;
  alert_recipient: AlertRecipientTable;
  alert_recipient_incidents: AlertRecipientIncidentsTable;
  alert_route: AlertRouteTable;
  maintenance_window: MaintenanceWindowTable;
  maintenance_occurrence: MaintenanceOccurrenceTable;
}

/** Queue of deliveries of a webhook endpoint, a channel, a mail or a subscriber. */
interface DestinationTable extends Identified {
  /** Null for a person's own channel and for mails. */
  team_id: number | null;
  /** webhook, channel, mail, subscriber or subscriber_mail. A mail is the queue of one message, and is deleted with it. */
  kind: string;
  /** When its next delivery is due; null while the queue is empty. */
  next_at: number | null;
  /** End of the lease of the process that sends. */
  leased_until: number | null;
  /** Number of times it was claimed: only the last claim may record an outcome. */
  claim: number;
  /** Failed attempts in a row, and the time of the first. */
  failures: number;
  failing_since: number | null;
  /** Error of the newest failed attempt, a sentence for people. */
  last_error: string | null;
  last_delivered_at: number | null;
  /** Set for a webhook endpoint that failed: no event is sent before, and then one at a time until it answers. */
  held_until: number | null;
  created_at: number;
}

export interface WebhookEndpointTable extends Identified, Dated {
  team_id: number;
  destination_id: number;
  name: string;
  /** Sealed, as are the token and both secrets. */
  url: string;
  url_host: string;
  /** none, bearer, basic or header. */
  auth_type: string;
  auth_header_name: string | null;
  auth_token: string | null;
  signing_secret: string | null;
  /** Former secret, which also signs until `previous_secret_until`. */
  previous_signing_secret: string | null;
  previous_secret_until: number | null;
  /** JSON array. */
  severities: string;
  is_active: number;
  /** Why the system switched it off, a sentence; null when it is active or a person did. */
  deactivated_reason: string | null;
}

/** A way to notify people, of a team or of one person. */
export interface AlertChannelTable extends Identified, Dated {
  /** Exactly one of these two is set. */
  team_id: number | null;
  person_id: number | null;
  destination_id: number;
  /** Type from alerting/channels/index.ts. */
  type: string;
  name: string;
  enabled: number;
  /** 1 for a channel of a team that receives alerts without a matching route. */
  is_default: number;
  /** Sealed JSON object; null for a personal channel that was removed. */
  settings: string | null;
  /** JSON array. */
  severities: string;
  /** JSON of `QuietHours` (alerting/policy/routing.ts). */
  quiet_hours: string | null;
  /** IANA time zone of messages; null for that of the person, or UTC. */
  timezone: string | null;
}

/** One message for one destination. */
export interface DeliveryTable extends Identified {
  destination_id: number;
  /** Team that it is about. */
  team_id: number | null;
  /** Stable over retries and repeated deliveries. */
  message_id: string;
  /**
   * event, test; alarm, update, reminder, escalation, recovery, notice (alerting/message/content.ts); for a mail its kind,
   * such as invitation.
   */
  kind: string;
  /** Type of the event, such as monitor.down. */
  event_type: string | null;
  /** Monitor whose events arrive in order; null for deliveries without an order, such as a test. */
  monitor_id: number | null;
  incident_id: number | null;
  alert_id: number | null;
  /** Body of a webhook request, JSON of a `Notice`, or a sealed mail with recipient, subject and text. */
  body: string;
  /** pending, delivered, failed (for good), expired (not delivered in time), superseded (contained in another message). */
  status: string;
  attempts: number;
  /** Earliest time of the next attempt. */
  next_at: number;
  expires_at: number;
  finished_at: number | null;
  created_at: number;
}

export interface DeliveryAttemptTable {
  delivery_id: number;
  /** From 1. */
  number: number;
  at: number;
  duration_ms: number;
  status_code: number | null;
  /** A sentence; null when it was delivered. */
  error: string | null;
  /** First part of the response. */
  response: string | null;
}

/** An alert about one incident, or about several with one cause. */
export interface AlertTable extends Identified {
  team_id: number;
  /** single, storm or flapping. */
  kind: string;
  /** The worst of its incidents. */
  severity: string;
  /** Null for a storm. */
  monitor_id: number | null;
  incident_type: string | null;
  /** Common cause of the incidents of a storm, for people. */
  shared_cause: string | null;
  opened_at: number;
  /** Set while it can be merged into another alert: until people are notified of it. */
  groupable_until: number | null;
  /** Time of the first notification. */
  notified_at: number | null;
  /** Number of incidents that people were notified of. */
  notified_count: number;
  over_at: number | null;
  /** When it can change without an event; null for never. */
  next_at: number | null;
}

interface AlertIncidentTable {
  alert_id: number;
  incident_id: number;
  monitor_id: number;
  joined_at: number;
  /** 1 when it changed into another incident: its end is no recovery. */
  has_successor: number;
  /** When the incident or its monitor was deleted. */
  removed_at: number | null;
  /** Severity of a deleted incident; null for existing ones. */
  removed_severity: string | null;
}

/** The last notification that starts a grouping window of a channel, for each team that it serves. */
interface GroupingWindowTable {
  team_id: number;
  destination_id: number;
  opened_at: number;
  /** Highest severity of that notification. */
  severity: string;
}

/** A destination that was notified of an alert. */
export interface AlertRecipientTable {
  alert_id: number;
  destination_id: number;
  notified_at: number;
  last_notified_at: number;
  /** Highest severity of the last notification. */
  severity: string;
}

/** The incidents of an alert that a destination was notified of, kept as long as the alert. */
interface AlertRecipientIncidentsTable {
  alert_id: number;
  destination_id: number;
  /** JSON object: the time of the last message that named an incident, by its id. */
  incidents: string;
  /** JSON array: the incidents that this message named as over. */
  ends: string;
}

/** A rule that sends some alerts to some channels. */
export interface AlertRouteTable extends Identified, Dated {
  team_id: number;
  name: string;
  /** JSON arrays of ids, ids and texts; all empty for everything. */
  monitors: string;
  groups: string;
  tags: string;
  /** JSON array. */
  severities: string;
  /** JSON arrays of ids: team channels, and people whose personal channels are notified. */
  channels: string;
  users: string;
  /** Null for no reminders. */
  reminder_minutes: number | null;
  /** JSON array of `EscalationStep` (alerting/policy/routing.ts). */
  escalation: string;
  sort_order: number;
}

export interface MaintenanceWindowTable extends Identified, Dated {
  team_id: number;
  name: string;
  /** First occurrence. */
  starts_at: number;
  ends_at: number;
  /** RFC 5545, section 3.3.10, without DTSTART; null for a window that does not recur. */
  rrule: string | null;
  /** IANA name, in whose wall time it recurs. */
  timezone: string;
  /** JSON arrays of ids, ids and texts; all empty for the whole team. */
  monitors: string;
  groups: string;
  tags: string;
  /** Number of good rounds in a row of all its monitors that end it early; null for never. */
  good_rounds: number | null;
  /** When it next begins, ends or may end early; null when it is over for good. */
  next_at: number | null;
  deleted_at: number | null;
}

/** An occurrence of a maintenance window, which history excludes even after the window is deleted. */
interface MaintenanceOccurrenceTable extends Identified {
  window_id: number;
  team_id: number;
  monitors: string;
  groups: string;
  tags: string;
  from_at: number;
  /** Set to the present when it ends early. */
  to_at: number;
}

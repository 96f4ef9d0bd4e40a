import type { Generated } from 'kysely';

/** Where deliveries go, one after another: the queue of a webhook endpoint or of a channel. */
export interface DestinationTable {
  id: Generated<number>;
  /** Null for a person's own channel and for a mail. */
  team_id: number | null;
  /** webhook, channel or mail. A mail is the queue of one message, and goes with it. */
  kind: string;
  /** When there is something to send; null while there is nothing. */
  next_at: number | null;
  /** Some process is sending until then at the latest. */
  leased_until: number | null;
  /** Counts the times that it was taken up: only the last one may say what became of it. */
  claim: number;
  /** Failed attempts in a row, and since when. */
  failures: number;
  failing_since: number | null;
  /** A sentence for people, of the newest attempt that failed. */
  last_error: string | null;
  last_delivered_at: number | null;
  /** Of a webhook endpoint that failed: no event is sent before then, and after it one at a time until it answers. */
  held_until: number | null;
  created_at: number;
}

export interface WebhookEndpointTable {
  id: Generated<number>;
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
  /** Signs beside the new one until then. */
  previous_signing_secret: string | null;
  previous_secret_until: number | null;
  /** JSON array. */
  severities: string;
  is_active: number;
  /** Why we switched it off, a sentence; null when a person did, or nobody. */
  deactivated_reason: string | null;
  created_at: number;
  updated_at: number;
}

/** A way to tell people: of a team, or a person's own. */
export interface AlertChannelTable {
  id: Generated<number>;
  /** Exactly one of these two is set. */
  team_id: number | null;
  person_id: number | null;
  destination_id: number;
  /** Of alerting/channels/index.ts. */
  type: string;
  name: string;
  enabled: number;
  /** A team's channel: whether it gets what no route matches. */
  is_default: number;
  /** Sealed JSON object; null for a person's channel that they removed. */
  settings: string | null;
  /** JSON array. */
  severities: string;
  /** JSON of `QuietHours` (alerting/policy/timing.ts). */
  quiet_hours: string | null;
  /** IANA name of the times in messages; null for the person's own, or UTC. */
  timezone: string | null;
  created_at: number;
  updated_at: number;
}

/** One message for one destination. */
export interface DeliveryTable {
  id: Generated<number>;
  destination_id: number;
  /** Of what it tells. */
  team_id: number | null;
  /** Stable over retries and when it is delivered again. */
  message_id: string;
  /**
   * event, test; alarm, update, reminder, escalation, recovery, notice (alerting/message/content.ts); of a mail, a word such
   * as invitation.
   */
  kind: string;
  /** Such as monitor.down. */
  event_type: string | null;
  /** Monitor whose events arrive in order; null for what has no order, such as a test. */
  monitor_id: number | null;
  incident_id: number | null;
  alert_id: number | null;
  /** What a webhook sends as it is, the JSON of a `Notice`, or a sealed mail: recipient, subject and text. */
  body: string;
  /** pending, delivered, failed (for good), expired (not within its time), superseded (told by another one). */
  status: string;
  attempts: number;
  /** Not before. */
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
  /** The beginning of what was answered. */
  response: string | null;
}

/** What people are told of one incident, or of several together. */
export interface AlertTable {
  id: Generated<number>;
  team_id: number;
  /** single, storm or flapping. */
  kind: string;
  /** The worst of its incidents. */
  severity: string;
  /** Null of a storm. */
  monitor_id: number | null;
  incident_type: string | null;
  /** What the incidents of a storm share, for people. */
  shared_cause: string | null;
  opened_at: number;
  /** Set while it can become part of another alert: until people are notified of it. */
  groupable_until: number | null;
  /** When the first people were told. */
  notified_at: number | null;
  /** Incidents that people were told of. */
  notified_count: number;
  over_at: number | null;
  /** When something about it can change without an event; null when nothing can. */
  next_at: number | null;
}

export interface AlertIncidentTable {
  alert_id: number;
  incident_id: number;
  monitor_id: number;
  joined_at: number;
  /** 1 when it changed over into another incident: its end is no recovery. */
  has_successor: number;
  /** When the incident or its monitor was deleted; null otherwise. */
  removed_at: number | null;
  /** The severity that it had; null of those that are there. */
  removed_severity: string | null;
}

/** The last notification that starts a grouping window of a channel, for each team that it serves. */
export interface GroupingWindowTable {
  team_id: number;
  destination_id: number;
  opened_at: number;
  /** The worst of what the channel was notified of then. */
  severity: string;
}

/** Who was told of an alert. */
export interface AlertRecipientTable {
  alert_id: number;
  destination_id: number;
  notified_at: number;
  last_notified_at: number;
  /** The worst of what they were told last. */
  severity: string;
}

/** Which channels are told of which alerts. */
export interface AlertRouteTable {
  id: Generated<number>;
  team_id: number;
  name: string;
  /** JSON arrays of ids, ids and texts; all empty for everything. */
  monitors: string;
  groups: string;
  tags: string;
  /** JSON array. */
  severities: string;
  /** JSON arrays of ids: team channels, and people whose own channels are told. */
  channels: string;
  users: string;
  /** Null for no reminders. */
  reminder_minutes: number | null;
  /** JSON array of `EscalationStep` (alerting/policy/routing.ts). */
  escalation: string;
  sort_order: number;
  created_at: number;
  updated_at: number;
}

export interface MaintenanceWindowTable {
  id: Generated<number>;
  team_id: number;
  name: string;
  /** Of the first occurrence, epoch ms. */
  starts_at: number;
  ends_at: number;
  /** RFC 5545, section 3.3.10, without DTSTART; null for a window that comes once. */
  rrule: string | null;
  /** IANA name, in whose wall time it recurs. */
  timezone: string;
  /** JSON arrays of ids, ids and texts; all empty for the whole team. */
  monitors: string;
  groups: string;
  tags: string;
  /** So many good rounds of all its monitors in a row end it early; null when it ends by time alone. */
  good_rounds: number | null;
  /** When it begins or ends next, or may end early; null when it is over for good. */
  next_at: number | null;
  deleted_at: number | null;
  created_at: number;
  updated_at: number;
}

/** A time of maintenance that has begun: what history excludes, whatever becomes of its window. */
export interface MaintenanceOccurrenceTable {
  id: Generated<number>;
  window_id: number;
  team_id: number;
  monitors: string;
  groups: string;
  tags: string;
  from_at: number;
  /** Moved to the present when it ends early. */
  to_at: number;
}

export interface MonitorDependencyTable {
  monitor_id: number;
  /** While this one is down, alerts of the other are held. */
  depends_on_id: number;
  team_id: number;
  /** Its place in the list as people gave it. */
  position: Generated<number>;
}

/** What we think of the network of a region's own probes. */
export interface RegionHealthTable {
  region: string;
  /** Its votes are unknown since then; null when they count. */
  quarantined_at: number | null;
  /** A sentence for people. */
  reason: string | null;
  changed_at: number;
  /** When the operators were told of the change. */
  notified_at: number | null;
}

/** Whether the probes of a process keep up. */
export interface ProbeOverloadTable {
  /** Host name and port of the process. */
  probe: string;
  /** They can't keep up since then; null while they can. */
  overloaded_at: number | null;
  /** A sentence for people. */
  reason: string | null;
  changed_at: number;
  /** When the admins were notified of the change. */
  notified_at: number | null;
}

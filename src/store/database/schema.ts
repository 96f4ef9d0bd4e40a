import type { Generated } from 'kysely';
import type { FieldColumns } from '../../monitor-types/settings.ts';
import type {
  AlertChannelTable,
  AlertIncidentTable,
  GroupingWindowTable,
  AlertRecipientTable,
  AlertRouteTable,
  AlertTable,
  DeliveryAttemptTable,
  DeliveryTable,
  DestinationTable,
  MaintenanceOccurrenceTable,
  MaintenanceWindowTable,
  MonitorDependencyTable,
  ProbeOverloadTable,
  RegionHealthTable,
  WebhookEndpointTable,
} from './schema-alerts.ts';
import type {
  AuditEntryTable,
  CredentialTable,
  InvitationTable,
  MemberTable,
  PasskeyTable,
  PersonTable,
  SessionTable,
  TeamTable,
  TokenTable,
  TwoFactorTable,
  UsedCodeTable,
  VerificationTable,
} from './schema-people.ts';

/**
 * The tables, the same on SQLite and Postgres. Times are epoch milliseconds, booleans 0 or 1, settings JSON text
 * (they must come back as they were sent). Columns are named as in the API where the API shows them.
 */
export interface Schema {
  person: PersonTable;
  team: TeamTable;
  member: MemberTable;
  token: TokenTable;
  monitor_group: MonitorGroupTable;
  monitor: MonitorTable;
  monitor_state: MonitorStateTable;
  shard: ShardTable;
  node: NodeTable;
  status_span: StatusSpanTable;
  incident: IncidentTable;
  incident_team_day: IncidentTeamDayTable;
  incident_monitor_day: IncidentMonitorDayTable;
  incident_evidence: IncidentEvidenceTable;
  activity: ActivityTable;
  event: EventTable;
  rollup_hour: RollupTable;
  rollup_day: RollupTable;
  progress: ProgressTable;
  rate_limit: RateLimitTable;
  ping: PingTable;
  service_gap: ServiceGapTable;
  inspection: InspectionTable;
  monitor_inspection: MonitorInspectionTable;
  dns_record_set: DnsRecordSetTable;
  certificate: CertificateTable;
  monitor_activity: MonitorActivityTable;
  setting: SettingTable;
  credential: CredentialTable;
  session: SessionTable;
  verification: VerificationTable;
  two_factor: TwoFactorTable;
  used_code: UsedCodeTable;
  passkey: PasskeyTable;
  invitation: InvitationTable;
  audit_entry: AuditEntryTable;
  destination: DestinationTable;
  webhook_endpoint: WebhookEndpointTable;
  alert_channel: AlertChannelTable;
  delivery: DeliveryTable;
  delivery_attempt: DeliveryAttemptTable;
  alert: AlertTable;
  alert_incident: AlertIncidentTable;
  grouping_window: GroupingWindowTable;
  alert_recipient: AlertRecipientTable;
  alert_route: AlertRouteTable;
  maintenance_window: MaintenanceWindowTable;
  maintenance_occurrence: MaintenanceOccurrenceTable;
  monitor_dependency: MonitorDependencyTable;
  region_health: RegionHealthTable;
  probe_overload: ProbeOverloadTable;
}

/** A team's folder of monitors; a subgroup has a parent, and none below it. */
export interface MonitorGroupTable {
  id: Generated<number>;
  team_id: number;
  /** Unique in the team. */
  name: string;
  description: string | null;
  parent_id: number | null;
  sort_order: number;
  created_at: number;
  updated_at: number;
}

/** The columns of a monitor's settings are those of monitor-types/fields.ts. */
export interface MonitorTable extends FieldColumns {
  id: Generated<number>;
  team_id: number;
  shard: number;
  type: string;
  is_paused: number;
  /** The secret part of the ping URL, sealed by the secret box, and its SHA-256 in hex, by which it is looked up. */
  ping_token: string | null;
  ping_token_hash: string | null;
  /** The shard's version at the last change that owners must load. */
  version: number;
  /** The version at the last change of what a check is, or of a pause: older rounds never vote. */
  revision: number;
  /** A tombstone until retention has purged everything of the monitor. */
  deleted_at: number | null;
  created_at: number;
  updated_at: number;
}

/** Narrow and hot: replaced by each judged round, hence apart from `monitor`. */
export interface MonitorStateTable {
  monitor_id: number;
  team_id: number;
  revision: number;
  status: string;
  last_slot: number | null;
  last_checked_at: number | null;
  run_at: number | null;
  observed_until: number | null;
  /** Push monitors only: the newest ping that told of a success, and when the next is expected. */
  last_heartbeat_at: number | null;
  heartbeat_expected_at: number | null;
  /**
   * Push monitors only, as are the next eight: when silence is to be looked at. Never later than the next deadline, but
   * often before it, since a ping moves the deadline and leaves this.
   */
  due_at: number | null;
  /** Null until a ping of any kind came. */
  first_ping_at: number | null;
  /** From when on the expected time was waited for. */
  armed_at: number | null;
  /** 1 when the expected time and its grace passed, and that was told. */
  is_missed: Generated<number>;
  /** 1 when the expected time was put off since the last ping, because this service was away. */
  is_postponed: Generated<number>;
  /** Pings there ever were: the number of the newest one. */
  ping_count: Generated<number>;
  /** The window of the ping limit: its beginning, and the pings in it. */
  ping_window_at: number | null;
  ping_window_count: Generated<number>;
  /** JSON of the runs that started and have not finished (model/heartbeat.ts). */
  runs: Generated<string>;
  is_paused: number;
  /** The revision under which `tracks` was counted; a newer one clears a running confirmation. */
  evaluated_revision: number | null;
  /** JSON of `Tracks` and of the newest result by region. */
  tracks: string;
  newest: string;
}

export interface ShardTable {
  shard: number;
  /** Counts the edits of its monitors; edits of one shard commit one after another. */
  version: number;
  owner: string | null;
  /** By the database's clock. */
  lease_until: number;
}

export interface NodeTable {
  id: string;
  seen_at: number;
}

/** Append-only, one row per change; `to_at` is null in the newest row of a monitor. */
export interface StatusSpanTable {
  id: Generated<number>;
  team_id: number;
  monitor_id: number;
  /** online, offline, degraded or unobserved. */
  status: string;
  from_at: number;
  to_at: number | null;
}

export interface IncidentTable {
  id: Generated<number>;
  team_id: number;
  monitor_id: number;
  type: string;
  severity: string;
  root_cause: string | null;
  failure_code: string | null;
  is_regional: number;
  /** Region codes joined by ", ", for a regional incident. */
  region: string | null;
  started_at: number;
  ended_at: number | null;
  acknowledged_at: number | null;
  acknowledged_by: number | null;
  created_at: number;
  updated_at: number;
}

/** Incidents of one monitor that started on one day. Only triggers write it (migration 0014). */
export interface IncidentMonitorDayTable {
  monitor_id: number;
  /** Whole UTC days since 1970. */
  day: number;
  type: string;
  severity: string;
  total: number;
  open: number;
}

/** On Postgres several rows may have the same key: their sums count. */
export interface IncidentTeamDayTable {
  team_id: number;
  /** 0 for incidents of deleted monitors, which lists leave out. */
  is_shown: number;
  day: number;
  type: string;
  severity: string;
  total: number;
  open: number;
  /** 0 for a change that has not been added up yet. */
  is_sum: Generated<number>;
}

export interface IncidentEvidenceTable {
  incident_id: number;
  region: string;
  /** JSON: failure, timings, remote address, status line, headers, body, times. */
  evidence: string;
}

export interface ActivityTable {
  id: Generated<number>;
  team_id: number;
  incident_id: number;
  type: string;
  description: string;
  person_id: number | null;
  created_at: number;
}

/** What others must be told of, written in the transaction of the change that caused it. */
export interface EventTable {
  id: Generated<number>;
  team_id: number;
  monitor_id: number;
  incident_id: number | null;
  /** Such as monitor.down. */
  type: string;
  /** JSON: the body that webhooks send. */
  payload: string;
  /**
   * open and resolve are of an incident; a notice is worth knowing and of none. dropped was one of the first two, and was
   * sent to nobody.
   */
  kind: string;
  /** critical, warning or info; of a recovery info. */
  severity: string;
  /** Why it was resolved: recovered, target_changed, switched_off or changed_over; also of one that another turned into. */
  reason: string | null;
  /** When it is to be handed to its destinations; null once it was. */
  fan_out_at: number | null;
  created_at: number;
}

/** A monitor's hour or day, its regions packed with mergeable histograms (see store/engine/rollups.ts). */
export interface RollupTable {
  monitor_id: number;
  /** Epoch milliseconds of its beginning, UTC. */
  at: number;
  data: Uint8Array;
}

/** How far a slow job has come, in its own unit. */
export interface ProgressTable {
  name: string;
  position: number;
}

export interface SettingTable {
  name: string;
  value: string;
}

/** The columns of rate-limiter-flexible, which alone uses it (see store/people/rate-limits.ts). */
export interface RateLimitTable {
  /** Budget and key of it. */
  key: string;
  points: number;
  /** Epoch milliseconds at which the window ends. */
  expire: number | null;
}

/** What a job told us. */
export interface PingTable {
  monitor_id: number;
  /** 1 for the monitor's first ping, and so on without a hole; the oldest ones are deleted. */
  number: number;
  /** Epoch milliseconds at which it was received. */
  at: number;
  /** success, failure, start or log. */
  kind: string;
  /** The `rid` that pairs a start with its finish. */
  run_id: string | null;
  exit_code: number | null;
  /** Of a finish whose start is known. */
  duration_ms: number | null;
  source_address: string;
  user_agent: string | null;
  /** The first 10 KiB, as text. */
  body: string | null;
  /** 1 when there was more. */
  is_body_cut: number;
}

/** A time in which no process of ours took pings. */
export interface ServiceGapTable {
  id: Generated<number>;
  from_at: number;
  to_at: number;
}

/** What is looked at on a slow schedule, for all monitors of the same target. Times are epoch milliseconds. */
export interface InspectionTable {
  /** ssl, dns or domain. */
  kind: string;
  /** `host:port`, host, or registrable domain (see engine/inspect/target.ts). */
  target: string;
  /** When to look again; null while no monitor that runs wants it. */
  next_at: number | null;
  /** Counts the times that somebody took it up: only the last one may say what was found. */
  claim: number;
  /** Somebody is looking until then at the latest. */
  leased_until: number | null;
  /** JSON of the newest facts (model/inspection.ts), and when they were found. */
  known_at: number | null;
  facts: string | null;
  /** JSON of the newest result, and its time. */
  inspected_at: number | null;
  result: string | null;
  /** Results in a row that found nothing out. */
  unknown_run: number;
  /** 1 when the next look is to confirm what the last one found. */
  is_recheck: number;
  /** 1 while a monitor of the target has a condition of this kind. */
  is_open: number;
}

/** The inspections that run for a monitor. */
export interface MonitorInspectionTable {
  monitor_id: number;
  kind: string;
  target: string;
}

/** The records of a host, one row for each time that they changed. */
export interface DnsRecordSetTable {
  id: Generated<number>;
  host: string;
  /** When they were first seen. */
  seen_at: number;
  /** JSON of `DnsRecords`. */
  records: string;
  /** authoritative or resolver. */
  source: string;
}

/** The certificates of a host and port, one row for each time that another one was seen. */
export interface CertificateTable {
  id: Generated<number>;
  /** `host:port`. */
  target: string;
  seen_at: number;
  fingerprint: string;
  /** JSON of `SslFacts`. */
  facts: string;
}

/** What changed about a monitor's target without being a trouble. */
export interface MonitorActivityTable {
  id: Generated<number>;
  team_id: number;
  monitor_id: number;
  /** dns_changed or certificate_changed. */
  type: string;
  description: string;
  created_at: number;
}

import type { Generated } from 'kysely';
import type { FieldColumns } from '../../monitor-types/settings.ts';
import type { AlertSchema } from './schema-alerts.ts';
import type { Dated, Identified, InstallationSchema } from './schema-installation.ts';
import type { PagesSchema } from './schema-pages.ts';
import type { PeopleSchema } from './schema-people.ts';

/**
 * The tables, the same on SQLite and Postgres. Times are epoch milliseconds, booleans 0 or 1, settings JSON text
 * (they must come back as they were sent). Columns are named as in the API where the API shows them.
 */
export interface Schema extends AlertSchema, InstallationSchema, PagesSchema, PeopleSchema {
  monitor_group: MonitorGroupTable;
  monitor: MonitorTable;
  monitor_state: MonitorStateTable;
  status_span: StatusSpanTable;
  incident: IncidentTable;
  incident_team_day: IncidentTeamDayTable;
  incident_monitor_day: IncidentMonitorDayTable;
  incident_evidence: IncidentEvidenceTable;
  incident_round: IncidentRoundTable;
  activity: ActivityTable;
  event: EventTable;
  rollup_hour: RollupTable;
  rollup_day: RollupTable;
  rollup_recent_day: RollupTable;
  ping: PingTable;
  former_ping_token: FormerPingTokenTable;
  inspection: InspectionTable;
  monitor_inspection: MonitorInspectionTable;
  monitor_tag: MonitorTagTable;
  dns_record_set: DnsRecordSetTable;
  certificate: CertificateTable;
  monitor_activity: MonitorActivityTable;
  monitor_dependency: MonitorDependencyTable;
  correction: CorrectionTable;
  monitor_slo: MonitorSloTable;
}

/** A team's folder of monitors; a subgroup has a parent, and none below it. */
export interface MonitorGroupTable extends Identified, Dated {
  team_id: number;
  /** Unique in the team. */
  name: string;
  description: string | null;
  parent_id: number | null;
  sort_order: number;
}

/** The columns of a monitor's settings are those of monitor-types/fields.ts. */
export interface MonitorTable extends FieldColumns, Identified, Dated {
  team_id: number;
  shard: number;
  type: string;
  is_paused: number;
  /** The host of the url in canonical spelling, empty for none. */
  host: string;
  /** The secret part of the ping URL, sealed, and its SHA-256 in hex, by which it is found. */
  ping_token: string | null;
  ping_token_hash: string | null;
  /** Version of the shard at the last change that owners must load. */
  version: number;
  /** Version at the last change of the check itself, or of a pause: older rounds never vote. */
  revision: number;
  /** When it was deleted; retention purges its rows later. */
  deleted_at: number | null;
}

/** A replaced ping URL that still works, by the SHA-256 of its token in hex. */
interface FormerPingTokenTable {
  token_hash: string;
  monitor_id: number;
  expires_at: number;
}

/** State of a monitor. Each evaluated round replaces it, hence it is apart from `monitor`. */
export interface MonitorStateTable {
  monitor_id: number;
  team_id: number;
  revision: number;
  status: string;
  last_slot: number | null;
  last_checked_at: number | null;
  run_at: number | null;
  observed_until: number | null;
  /** Push monitors only: the newest ping that reported a success, and when the next is expected. */
  last_heartbeat_at: number | null;
  heartbeat_expected_at: number | null;
  /**
   * Push monitors only, as are the next eight: when silence is evaluated. Never later than the next deadline, but often
   * earlier, as a ping moves the deadline and leaves this unchanged.
   */
  due_at: number | null;
  /** Null before the first ping of any kind. */
  first_ping_at: number | null;
  /** Time since which the next ping is expected. */
  armed_at: number | null;
  /** 1 when the expected time and its grace passed, and the missed ping was recorded. */
  is_missed: Generated<number>;
  /** 1 when the expected time was postponed since the last ping, because this service was down. */
  is_postponed: Generated<number>;
  /** Number of all pings so far, which is the number of the newest one. */
  ping_count: Generated<number>;
  /** Start of the current window of the ping limit, and the pings in it. */
  ping_window_at: number | null;
  ping_window_count: Generated<number>;
  /** JSON of the runs in progress (model/heartbeat.ts). */
  runs: Generated<string>;
  is_paused: number;
  /** The revision under which `tracks` was counted; a newer one clears a running confirmation. */
  evaluated_revision: number | null;
  /** JSON of `Tracks`. */
  tracks: string;
  /** The newest result by region (store/engine/monitor-state.ts). */
  newest: string;
}

/** A time of one status of a monitor. Append-only; `to_at` is null in the newest row of a monitor. */
export interface StatusSpanTable extends Identified {
  team_id: number;
  monitor_id: number;
  /** online, offline, degraded or unobserved. */
  status: string;
  from_at: number;
  to_at: number | null;
}

export interface IncidentTable extends Identified, Dated {
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
}

/** Incidents of one monitor that started on one day. Only triggers write it. */
interface IncidentMonitorDayTable {
  monitor_id: number;
  /** Whole UTC days since 1970. */
  day: number;
  type: string;
  severity: string;
  total: number;
  open: number;
}

/** Incidents of one team that started on one day. On Postgres the rows of one key are summed. */
interface IncidentTeamDayTable {
  team_id: number;
  /** 0 for incidents of deleted monitors, which lists leave out. */
  is_shown: number;
  day: number;
  type: string;
  severity: string;
  total: number;
  open: number;
  /** 0 for a change that is not summed yet. */
  is_sum: Generated<number>;
}

export interface IncidentEvidenceTable {
  incident_id: number;
  region: string;
  /** JSON: failure, timings, remote address, status line, headers, body, times. */
  evidence: string;
}

/** A round around the start or the end of an incident, once the table of its day is to be dropped. */
interface IncidentRoundTable {
  incident_id: number;
  /** When it started. */
  at: number;
  /** As in the table of the day. */
  data: Uint8Array;
  /** Details of its failures, as in the table of the day; null without one. */
  details: string | null;
}

export interface ActivityTable extends Identified {
  team_id: number;
  incident_id: number;
  type: string;
  description: string;
  person_id: number | null;
  created_at: number;
}

/** An event for webhooks and alerts, written in the transaction of the change that caused it. */
export interface EventTable extends Identified {
  team_id: number;
  monitor_id: number;
  incident_id: number | null;
  /** Type of the event, such as monitor.down. */
  type: string;
  /** JSON: the body that webhooks send. */
  payload: string;
  /**
   * open or resolve of an incident; notice without one; dropped for an open or resolve event that was sent to nobody.
   */
  kind: string;
  /** critical, warning or info; info for a recovery. */
  severity: string;
  /** Reason of a resolve event: recovered, target_changed, switched_off or changed_over; also of its successor's opening. */
  reason: string | null;
  /** When it is fanned out to its destinations; null afterwards. */
  fan_out_at: number | null;
  created_at: number;
}

/** A monitor's hour or day, its regions packed with mergeable histograms (see store/engine/rollups.ts). */
interface RollupTable {
  monitor_id: number;
  /** Its beginning, UTC. */
  at: number;
  data: Uint8Array;
}

/** A call of a job to its push monitor. */
export interface PingTable {
  monitor_id: number;
  /** 1 for the monitor's first ping, and so on without gaps; the oldest ones are deleted. */
  number: number;
  /** When it was received. */
  at: number;
  /** success, failure, start or log. */
  kind: string;
  /** The `rid` that pairs a start with its finish. */
  run_id: string | null;
  exit_code: number | null;
  /** Duration of a run whose start is known. */
  duration_ms: number | null;
  source_address: string;
  user_agent: string | null;
  /** The first 10 KiB, as text. */
  body: string | null;
  /** 1 when the body was longer. */
  is_body_cut: number;
}

/** An inspection on the slow schedule, shared by all monitors of a target. */
export interface InspectionTable {
  /** ssl, dns or domain. */
  kind: string;
  /** `host:port`, host, or registrable domain (see engine/inspect/target.ts). */
  target: string;
  /** Next run; null while all its monitors are paused. */
  next_at: number | null;
  /** Number of times it was claimed: only the last claim may record a result. */
  claim: number;
  /** End of the current lease. */
  leased_until: number | null;
  /** JSON of the newest facts (model/inspection.ts), and when they were found. */
  known_at: number | null;
  facts: string | null;
  /** JSON of the newest result, and its time. */
  inspected_at: number | null;
  result: string | null;
  /** Number of unknown results in a row. */
  unknown_run: number;
  /** 1 when the next run confirms what the last one found. */
  is_recheck: number;
  /** 1 while a monitor of the target has a condition of this kind. */
  is_open: number;
}

/** A tag of a monitor. Only triggers write it. */
interface MonitorTagTable {
  monitor_id: number;
  tag: string;
  team_id: number;
}

interface MonitorInspectionTable {
  monitor_id: number;
  kind: string;
  target: string;
}

/** The DNS records of a host, one row per change. */
interface DnsRecordSetTable extends Identified {
  host: string;
  /** When they were first seen. */
  seen_at: number;
  /** JSON of `DnsRecords`. */
  records: string;
  /** authoritative or resolver. */
  source: string;
}

/** The certificate of a host and port, one row per change. */
interface CertificateTable extends Identified {
  /** `host:port`. */
  target: string;
  seen_at: number;
  fingerprint: string;
  /** JSON of `SslFacts`. */
  facts: string;
}

/** A change of a monitor's target that is no problem. */
export interface MonitorActivityTable extends Identified {
  team_id: number;
  monitor_id: number;
  /** dns_changed or certificate_changed. */
  type: string;
  description: string;
  created_at: number;
}

interface MonitorDependencyTable {
  monitor_id: number;
  /** While this one is down, alerts of the other are held. */
  depends_on_id: number;
  team_id: number;
  position: Generated<number>;
}

/** An interval of a monitor that counts otherwise than it was recorded. */
export interface CorrectionTable extends Identified, Dated {
  team_id: number;
  monitor_id: number;
  /** `[from_at, to_at)`. */
  from_at: number;
  to_at: number;
  /** One of CORRECTION_KINDS of model/correction.ts. */
  counts_as: string;
  reason: string;
  /** Text or link that supports `up` and `down`. */
  evidence: string | null;
  person_id: number | null;
  /** When it was taken back, and by whom. */
  removed_at: number | null;
  removed_by: number | null;
}

/** Service level objective of a monitor. */
export interface MonitorSloTable extends Dated {
  monitor_id: number;
  team_id: number;
  target_percent: number;
  window_days: number;
  burn_rate_alerts: number;
  /** fast or slow while its error budget burns too fast; else null. */
  burning: string | null;
  /** Incident of that. A person may have resolved or deleted it. */
  incident_id: number | null;
  burning_since: number | null;
  /** When its burn rate is evaluated next; null without alerts. */
  next_at: number | null;
}

import type { IncidentType, Severity } from './condition.ts';
import type { Evidence, Timings } from './check.ts';
import type { Failure, FailureCode, HeartbeatCode } from './failure.ts';
import type { MonitorStatus, Region } from './monitor.ts';

/** What a region saw, kept with the incident that it opened (completions, section 6, "Evidence"). */
export interface RegionEvidence {
  region: Region;
  failure: Failure;
  checkedAt: number;
  timings: Timings;
  statusCode: number | null;
  remoteAddress: string | null;
  answer: Evidence | null;
}

/** The lines of an incident's log. */
export const ACTIVITY_TYPES = [
  'opened',
  'resolved',
  'reopened',
  'acknowledged',
  'root_cause_changed',
  'failed_again',
] as const;
export type ActivityType = (typeof ACTIVITY_TYPES)[number];

interface IncidentChangeBase {
  monitorId: number;
  teamId: number;
  type: IncidentType;
  /** Epoch milliseconds: the incident's `started_at` or `ended_at`. */
  at: number;
  /** The monitor's status before and after the round that caused this. */
  status: { previous: MonitorStatus; current: MonitorStatus };
}

export interface IncidentOpening extends IncidentChangeBase {
  kind: 'open';
  severity: Severity;
  rootCause: string;
  failureCode: FailureCode | HeartbeatCode | null;
  /** The failing regions of a regional incident, in the monitor's order. */
  regions: Region[] | null;
  evidence: RegionEvidence[];
  /** The incident that this one takes over from. */
  from: IncidentType | null;
}

export interface IncidentResolution extends IncidentChangeBase {
  kind: 'resolve';
  reason: 'recovered' | 'switched_off' | 'changed_over';
  /** What it turned into, when it changed over. */
  into: IncidentType | null;
}

/** The trouble of an incident that is open came up again: a line in its log, and nobody is told. */
export interface IncidentNote extends IncidentChangeBase {
  kind: 'note';
  rootCause: string;
}

/** What a verdict or a ping does to the record of incidents; carried out in its own transaction. */
export type IncidentChange = IncidentOpening | IncidentResolution | IncidentNote;

/** How long a monitor was what; `unobserved` is time of which nobody can tell. */
export const SPAN_STATUSES = ['online', 'offline', 'degraded', 'unobserved'] as const;
export type SpanStatus = (typeof SPAN_STATUSES)[number];

/** From `at` (epoch ms) on the monitor is `status`. */
export interface SpanChange {
  monitorId: number;
  teamId: number;
  status: SpanStatus;
  at: number;
}

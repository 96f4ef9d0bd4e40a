import type { ClosedIncident, Condition, IncidentType, Severity } from './condition.ts';
import type { Evidence, Timings } from './check.ts';
import type { ProblemCode } from './failure.ts';
import type { MonitorStatus, Region } from './monitor.ts';

/** Result of a region, stored with the incident it opened (contract 20.9). */
export interface RegionEvidence {
  /** Null for inspections, which have no region. */
  region: Region | null;
  /** Name of the machine that ran the check; absent for inspections. */
  vantage?: string;
  /** Null if the region was up. */
  failure: { code: ProblemCode; text: string } | null;
  checkedAt: number;
  /** Times of the failed results of the confirming run (epoch ms), at most ten. */
  attempts: number[];
  timings: Timings;
  statusCode: number | null;
  remoteAddress: string | null;
  answer: Evidence | null;
}

/** Entries of an incident's log. */
export const ACTIVITY_TYPES = [
  'opened',
  'resolved',
  'reopened',
  'acknowledged',
  'root_cause_changed',
  'failed_again',
  'target_changed',
  'note',
] as const;
export type ActivityType = (typeof ACTIVITY_TYPES)[number];

interface IncidentChangeBase {
  monitorId: number;
  teamId: number;
  type: IncidentType;
  /** Confirmed or ended condition; its incident is of `type`. */
  condition: Condition;
  /** Epoch milliseconds: `started_at` or `ended_at` of the incident. */
  at: number;
  /** Status of the monitor before and after the round that caused the change. */
  status: { previous: MonitorStatus; current: MonitorStatus };
}

export interface IncidentOpening extends IncidentChangeBase {
  kind: 'open';
  severity: Severity;
  rootCause: string;
  failureCode: ProblemCode | null;
  /** Failing regions of a regional incident, in the monitor's order. */
  regions: Region[] | null;
  evidence: RegionEvidence[];
  /** Condition that this one replaces. */
  from: Condition | null;
  /** Oldest closed incidents beyond the limit to keep: their end is sent now. */
  closedByHand?: ClosedIncident[];
}

export interface IncidentResolution extends IncidentChangeBase {
  kind: 'resolve';
  reason: 'recovered' | 'switched_off' | 'changed_over' | 'target_changed';
  /** Condition that replaces it, with reason `changed_over`. */
  into: Condition | null;
  /** Incidents of the condition that people resolved or deleted before it ended: their end is sent now. */
  closedByHand?: ClosedIncident[];
}

/** Log entry of an open incident that sends no notifications: its problem recurred or its target changed. */
export interface IncidentNote extends IncidentChangeBase {
  kind: 'note';
  activity: 'failed_again' | 'target_changed';
  /** A sentence without a full stop. */
  text: string;
}

/** Change to a monitor's incidents, caused by a verdict or a ping and applied in its transaction. */
export type IncidentChange = IncidentOpening | IncidentResolution | IncidentNote;

/** Statuses of a span of time; `unobserved` means that the status is unknown. */
export const SPAN_STATUSES = ['online', 'offline', 'degraded', 'unobserved'] as const;
export type SpanStatus = (typeof SPAN_STATUSES)[number];

/** The monitor's status changes to `status` at `at` (epoch ms). */
export interface SpanChange {
  monitorId: number;
  teamId: number;
  status: SpanStatus;
  at: number;
}

import type { ClosedIncident, Condition, IncidentType, Severity } from './condition.ts';
import type { Evidence, Timings } from './check.ts';
import type { TroubleCode } from './failure.ts';
import type { MonitorStatus, Region } from './monitor.ts';

/** What a region saw, kept with the incident that it opened (contract 20.9). */
export interface RegionEvidence {
  /** Null for an inspection, which has no region. */
  region: Region | null;
  /** Name of the machine that looked for the region; absent of inspections and in older records. */
  vantage?: string;
  /** Null of a region that was well. */
  failure: { code: TroubleCode; text: string } | null;
  checkedAt: number;
  /** When it failed, each time of the run that confirmed it (epoch ms), at most ten. */
  attempts: number[];
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
  'target_changed',
] as const;
export type ActivityType = (typeof ACTIVITY_TYPES)[number];

interface IncidentChangeBase {
  monitorId: number;
  teamId: number;
  type: IncidentType;
  /** What is confirmed or over; its incident is of `type`. */
  condition: Condition;
  /** Epoch milliseconds: the incident's `started_at` or `ended_at`. */
  at: number;
  /** The monitor's status before and after the round that caused this. */
  status: { previous: MonitorStatus; current: MonitorStatus };
}

export interface IncidentOpening extends IncidentChangeBase {
  kind: 'open';
  severity: Severity;
  rootCause: string;
  failureCode: TroubleCode | null;
  /** The failing regions of a regional incident, in the monitor's order. */
  regions: Region[] | null;
  evidence: RegionEvidence[];
  /** The incident that this one takes over from. */
  from: Condition | null;
  /** Earlier incidents of the condition that people resolved or deleted, too many to keep: their end is sent now. */
  closedByHand?: ClosedIncident[];
}

export interface IncidentResolution extends IncidentChangeBase {
  kind: 'resolve';
  reason: 'recovered' | 'switched_off' | 'changed_over' | 'target_changed';
  /** What it turned into, when it changed over. */
  into: Condition | null;
  /** Incidents of the condition that people resolved or deleted before it ended: their end is sent now. */
  closedByHand?: ClosedIncident[];
}

/**
 * A line in the log of an incident that is open, and nobody is told: its trouble came up again, or its target is
 * another one now.
 */
export interface IncidentNote extends IncidentChangeBase {
  kind: 'note';
  activity: 'failed_again' | 'target_changed';
  /** A sentence without a full stop. */
  text: string;
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

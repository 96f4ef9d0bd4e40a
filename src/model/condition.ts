/** The types of incidents that we open ourselves (contract, section 19). */
export const INCIDENT_TYPES = [
  'uptime',
  'keyword',
  'json_assertion',
  'ssl',
  'domain',
  'dns',
  'regional',
  'dual_stack',
  'slow_response',
  'heartbeat',
] as const;
export type IncidentType = (typeof INCIDENT_TYPES)[number];

export const SEVERITIES = ['critical', 'warning', 'info'] as const;
export type Severity = (typeof SEVERITIES)[number];

/**
 * Conditions that exclude each other share a track: a monitor is unreachable from most regions or from some, not both.
 * These are the tracks that rounds speak of, …
 */
export const ROUND_TRACKS = ['reachability', 'content', 'dual_stack', 'slow_response'] as const;
/** … those of inspections, which have the names of their kinds, … */
export const INSPECTION_TRACKS = ['ssl', 'dns', 'domain'] as const;
/** … and the one of pings. */
export const TRACK_NAMES = [...ROUND_TRACKS, ...INSPECTION_TRACKS, 'heartbeat'] as const;
export type TrackName = (typeof TRACK_NAMES)[number];
export type RoundTrack = (typeof ROUND_TRACKS)[number];

interface ConditionRule {
  /** Of its incident. */
  type: IncidentType;
  /** Critical makes the monitor offline, a warning degraded. */
  severity: 'critical' | 'warning';
}

/**
 * The troubles a monitor can have; each confirmed one is one open incident (contract 19.1, 23.6). What gets worse
 * without becoming another type, such as a certificate that expires, is two conditions: the worse takes over.
 */
export const CONDITIONS = {
  uptime: { type: 'uptime', severity: 'critical' },
  regional: { type: 'regional', severity: 'warning' },
  keyword: { type: 'keyword', severity: 'critical' },
  json_assertion: { type: 'json_assertion', severity: 'critical' },
  dual_stack: { type: 'dual_stack', severity: 'warning' },
  slow_response: { type: 'slow_response', severity: 'warning' },
  ssl_invalid: { type: 'ssl', severity: 'critical' },
  ssl_expiring: { type: 'ssl', severity: 'warning' },
  dns: { type: 'dns', severity: 'warning' },
  domain_expired: { type: 'domain', severity: 'critical' },
  domain_expiring: { type: 'domain', severity: 'warning' },
  heartbeat: { type: 'heartbeat', severity: 'critical' },
} as const satisfies Record<string, ConditionRule>;
export type Condition = keyof typeof CONDITIONS;

/** The end of a round that counted for a run: the next one that counts keeps its distance from it. */
export interface CountedRound {
  /** Epoch milliseconds. */
  endedAt: number;
  /** The process that ran it, and when it ended by the steady clock of that process (milliseconds). */
  process?: string;
  steadyEndedAt?: number;
}

/** An incident that a person resolved or deleted while its condition lasted. */
export interface ClosedIncident {
  id: number;
  /** Epoch milliseconds. */
  startedAt: number;
}

/** The running counts of one track. */
export interface Track {
  /** The condition that is confirmed, null when none is. */
  open: Condition | null;
  /** Bad rounds in a row, whatever their class. */
  badRun: number;
  /** Bad rounds in a row that say `candidate`. */
  candidateRun: number;
  /** What the last bad round said. */
  candidate: Condition | null;
  /** Epoch milliseconds of the first failing result of the bad run, and of the run of `candidate`. */
  firstFailedAt: number | null;
  candidateSince: number | null;
  /** Epoch milliseconds of the failing results of the bad run, the last ten. */
  attempts?: number[];
  /** The last round of the run, bad or good. Absent without a run, and on tracks that no round counts for. */
  lastCounted?: CountedRound;
  /** Good rounds in a row while a condition is open. */
  goodRun: number;
  /** Epoch milliseconds of the first good result of that run. */
  firstGoodAt: number | null;
  /** Rechecks asked for since the run began: the first comes after 10 s, further ones after 20 s. */
  rechecks: number;
  /** Of the settings under which an inspection counted, and what it looked at; rounds have one for all their tracks. */
  revision?: number;
  target?: string;
  /** Somebody resolved or deleted the incident of the condition that is open: it opens anew once it is confirmed again. */
  incidentClosed?: true;
  /**
   * Incidents of the open condition that people resolved or deleted, the oldest first: webhook endpoints were notified
   * that they began, and are notified of their end when the condition ends.
   */
  closedByHand?: ClosedIncident[];
  /** No condition is open, and somebody opened the incident of the last one again: the next good word ends it. */
  incidentReopened?: true;
}

export type Tracks = Partial<Record<TrackName, Track>>;

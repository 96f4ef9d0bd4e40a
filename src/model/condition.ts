/** The troubles a monitor can have; each confirmed one is one open incident (completions, section 6). */
export const INCIDENT_TYPES = ['uptime', 'regional', 'slow_response', 'heartbeat'] as const;
export type IncidentType = (typeof INCIDENT_TYPES)[number];

export const SEVERITIES = ['critical', 'warning', 'info'] as const;
export type Severity = (typeof SEVERITIES)[number];

export const CONDITION_SEVERITY: Record<IncidentType, 'critical' | 'warning'> = {
  uptime: 'critical',
  regional: 'warning',
  slow_response: 'warning',
  heartbeat: 'critical',
};

/**
 * Conditions that exclude each other share a track: a monitor is unreachable from most regions or from some, not both.
 * `reachability` carries `uptime` and `regional`.
 */
export const ROUND_TRACKS = ['reachability', 'slow_response'] as const;
/** The tracks that rounds speak of, and the one of pings. */
export const TRACK_NAMES = [...ROUND_TRACKS, 'heartbeat'] as const;
export type TrackName = (typeof TRACK_NAMES)[number];
export type RoundTrack = (typeof ROUND_TRACKS)[number];

/** The running counts of one track. */
export interface Track {
  /** The condition that is confirmed, null when none is. */
  open: IncidentType | null;
  /** Bad rounds in a row, whatever their class. */
  badRun: number;
  /** Bad rounds in a row that say `candidate`. */
  candidateRun: number;
  /** What the last bad round said. */
  candidate: IncidentType | null;
  /** Epoch milliseconds of the first failing result of the bad run, and of the run of `candidate`. */
  firstFailedAt: number | null;
  candidateSince: number | null;
  /** Good rounds in a row while a condition is open. */
  goodRun: number;
  /** Epoch milliseconds of the first good result of that run. */
  firstGoodAt: number | null;
  /** Rechecks asked for since the run began: the first comes after 10 s, further ones after 20 s. */
  rechecks: number;
  /** Somebody resolved or deleted the incident of the condition that is open: it opens anew once it is confirmed again. */
  incidentClosed?: true;
  /** No condition is open, and somebody opened the incident of the last one again: the next good word ends it. */
  incidentReopened?: true;
}

export type Tracks = Partial<Record<TrackName, Track>>;

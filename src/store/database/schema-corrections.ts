import type { Generated } from 'kysely';

/** Tables of corrections and of service level objectives (SLO). */
export interface CorrectionsSchema {
  correction: CorrectionTable;
  monitor_slo: MonitorSloTable;
}

/** An interval of a monitor that counts otherwise than it was recorded. */
export interface CorrectionTable {
  id: Generated<number>;
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
  created_at: number;
  updated_at: number;
}

/** Service level objective of a monitor. */
export interface MonitorSloTable {
  monitor_id: number;
  team_id: number;
  target_percent: number;
  window_days: number;
  burn_rate_alerts: number;
  /** fast or slow while its error budget burns too fast; else null. */
  burning: string | null;
  /** Incident of that. A person may have resolved or deleted it. */
  incident_id: number | null;
  /** Start of that incident. */
  burning_since: number | null;
  /** When its burn rate is evaluated next; null without alerts. */
  next_at: number | null;
  created_at: number;
  updated_at: number;
}

import type { Interval } from './period.ts';
import type { ReportLanguage } from './words/words.ts';

/**
 * Facts of a report, as read from the database. The JSON, the CSV file, the PDF and the mail are pure functions of them.
 * Times are epoch milliseconds; all values can be sent to a thread.
 */
export interface ReportFacts {
  /** Saved report; null for an ad hoc one. */
  reportId: number | null;
  /** Name of the saved report; null for an ad hoc one. */
  name: string | null;
  team: string;
  period: Interval;
  timezone: string;
  language: ReportLanguage;
  generatedAt: number;
  /** Whether corrections apply to the main figures. */
  isCorrected: boolean;
  days: readonly Interval[];
  /** The period before (`periodBefore`) and its uptime; null where no monitor is as old, or less than nine tenths were observed. */
  before: (Interval & { uptimePercent: number }) | null;
  monitors: readonly MonitorFacts[];
  groups: readonly PartFacts[];
  tags: readonly PartFacts[];
  total: Compared;
  responseDays: readonly ResponseDay[];
  incidents: readonly IncidentFacts[];
  /** Number of incidents, also of those that `incidents` leaves out. */
  incidentsTotal: number;
  exclusions: readonly ExclusionFacts[];
  /** Number of exclusions, also of those that `exclusions` leaves out. */
  exclusionsTotal: number;
}

/** They sum up to the observed and unobserved time since each monitor's creation. */
export interface Durations {
  upMs: number;
  degradedMs: number;
  downMs: number;
  /** Downtime that does not count, such as in maintenance. */
  excludedMs: number;
  unobservedMs: number;
}

export interface Figures extends Durations {
  /** Share of up and degraded in the observed time that counts, floored to three decimals; null when there is none. */
  uptimePercent: number | null;
  /** Share of the period that was measured, floored to three decimals; null when the period is empty. */
  observedPercent: number | null;
  outages: number;
  mttrMs: number | null;
  mtbfMs: number | null;
  responseTimes: Percentiles;
}

/** In milliseconds; null when nothing was counted. */
export interface Percentiles {
  p50: number | null;
  p95: number | null;
  p99: number | null;
  count: number;
}

/** Figures, and those with the other choice about corrections where they differ. */
export interface Compared {
  figures: Figures;
  other: OtherFigures | null;
}

export type OtherFigures = Pick<
  Figures,
  'uptimePercent' | 'observedPercent' | 'downMs' | 'excludedMs'
>;

export interface MonitorFacts extends Compared {
  id: number;
  name: string;
  groupId: number | null;
  tags: readonly string[];
  /** One for each day of the report; null before the monitor was created. */
  days: readonly (Durations | null)[];
  objective: ObjectiveFacts | null;
}

export interface PartFacts extends Compared {
  id: number | null;
  name: string;
  monitorIds: readonly number[];
}

export interface ResponseDay extends Percentiles {
  at: number;
}

/** Service level objective, measured over its own window that ends with the report. */
export interface ObjectiveFacts {
  targetPercent: number;
  windowDays: number;
  /** Downtime that the target allows in the whole window. */
  allowedMs: number;
  /** What is left of it; negative when it is exceeded. */
  leftMs: number;
  /** Share that is left, in percent; negative when it is exceeded. Null when nothing was observed. */
  leftPercent: number | null;
}

export interface IncidentFacts {
  id: number;
  monitorId: number;
  monitor: string;
  type: string;
  severity: string;
  /** Without addresses and regions: customers read it. */
  cause: string | null;
  startedAt: number;
  endedAt: number | null;
  /** The part within the period, without time in which nothing was observed. */
  durationMs: number;
}

/** Why time does not count, or counts as something else. */
export interface ExclusionFacts {
  kind: 'maintenance' | 'false_alarm' | 'excluded' | 'up' | 'down';
  reason: string;
  /** Author of a correction; null for maintenance windows. */
  author: string | null;
  from: number;
  to: number;
  monitors: readonly string[];
}

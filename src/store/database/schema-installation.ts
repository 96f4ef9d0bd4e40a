/** Tables by which the installation watches itself. */
export interface InstallationSchema {
  process_report: ProcessReportTable;
  installation_problem: InstallationProblemTable;
  installation_watch: InstallationWatchTable;
}

/** What each process reports of itself. Times are those of the database's clock. */
export interface ProcessReportTable {
  id: string;
  name: string;
  /** Comma-separated. */
  roles: string;
  version: string;
  started_at: number;
  seen_at: number;
  /** Null without the role scheduler, as are the next two. */
  lag_ms: number | null;
  checks_due: number | null;
  checks_late: number | null;
  /** JSON: live probes by region; null without the roles scheduler and api. */
  probes: string | null;
  free_bytes: number | null;
  clock_offset_ms: number | null;
}

/** A problem of the installation that was observed, or that ended and the operator webhook has not been told so. */
export interface InstallationProblemTable {
  kind: string;
  /** Region or role; empty for the whole installation. */
  subject: string;
  /** When it was first observed; null after its end. */
  seen_at: number | null;
  /** When it had lasted long enough to notify people; null before. */
  opened_at: number | null;
  /** Since when it is no longer observed; null while it is. */
  clear_since: number | null;
  value: number | null;
  /** JSON array of names. */
  processes: string;
  /** `opened_at` of the problem that the operator webhook was told of; null when it was told of none, or of its end. */
  told_opened_at: number | null;
}

/** One row: the process that evaluates the installation, and what it found last. */
export interface InstallationWatchTable {
  id: number;
  holder: string;
  leased_until: number;
  evaluated_at: number | null;
  /** JSON of `InstallationSummary`. */
  summary: string | null;
}

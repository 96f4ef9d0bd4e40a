import type { Generated } from 'kysely';

/** A table whose rows have a number of their own, which is never used again. */
export interface Identified {
  id: Generated<number>;
}

/** A table whose rows say when they were made and changed. */
export interface Dated {
  created_at: number;
  updated_at: number;
}

/** Tables of the installation and its processes, and counters that they share. */
export interface InstallationSchema {
  process_report: ProcessReportTable;
  installation_problem: InstallationProblemTable;
  installation_watch: InstallationWatchTable;
  idempotency_key: IdempotencyKeyTable;
  shard: ShardTable;
  node: NodeTable;
  progress: ProgressTable;
  rate_limit: RateLimitTable;
  service_gap: ServiceGapTable;
  setting: SettingTable;
  region_health: RegionHealthTable;
  probe_overload: ProbeOverloadTable;
  budget: BudgetTable;
}

/** What each process reports of itself. Times are those of the database's clock. */
interface ProcessReportTable {
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

/** A problem of the installation that was observed, or that ended before the operator webhook was notified of it. */
interface InstallationProblemTable {
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
  /** `opened_at` of the problem that the operator webhook was notified of; null for none, or after its end. */
  notified_opened_at: number | null;
}

/** One row: the process that evaluates the installation, and what it found last. */
interface InstallationWatchTable {
  id: number;
  holder: string;
  leased_until: number;
  evaluated_at: number | null;
  /** JSON of `InstallationSummary`. */
  summary: string | null;
}

/** A key that a client gave a request, so that a repetition gets its answer. */
export interface IdempotencyKeyTable extends Identified {
  /** Hash of the sender, the path and the key. */
  scope: string;
  /** Whose keys are counted together. */
  owner: string;
  /** Hash of the request's body. */
  fingerprint: string;
  /** Incremented by each request that claims the key. */
  claim: number;
  /** Time after which a request without an answer is taken for dead. */
  leased_until: number;
  /** What the request changed, from its transaction on. */
  target_type: string | null;
  target_id: number | null;
  carried_out_at: number | null;
  /** Status of the answer; null until there is one. */
  status: number | null;
  /** Headers and body of the answer: JSON, compressed and sealed. Null when it was too large. */
  answer: string | null;
  created_at: number;
}

interface ShardTable {
  shard: number;
  /** Number of edits of its monitors; edits of one shard commit one after another. */
  version: number;
  owner: string | null;
  /** By the database's clock. */
  lease_until: number;
}

interface NodeTable {
  id: string;
  seen_at: number;
}

/** Position of a long-running job, in its own unit. */
interface ProgressTable {
  name: string;
  position: number;
}

/** A counter of rate-limiter-flexible, in its columns (see store/people/rate-limits.ts). */
interface RateLimitTable {
  /** Name of the limit, and its key. */
  key: string;
  points: number;
  /** End of the window. */
  expire: number | null;
}

/** A time in which no process received pings. */
interface ServiceGapTable extends Identified {
  from_at: number;
  to_at: number;
}

interface SettingTable {
  name: string;
  value: string;
}

/** Health of the network of a region's probes. */
export interface RegionHealthTable {
  region: string;
  /** Time since which its votes are unknown; null when they count. */
  quarantined_at: number | null;
  /** A sentence for people. */
  reason: string | null;
  changed_at: number;
  notified_at: number | null;
}

/** Overload of the probes of a process. */
export interface ProbeOverloadTable {
  /** Host name and port of the process. */
  probe: string;
  /** Time since which they can't keep up; null while they can. */
  overloaded_at: number | null;
  /** A sentence for people. */
  reason: string | null;
  changed_at: number;
  notified_at: number | null;
}

/** What was used of a budget in its present window. */
export interface BudgetTable {
  /** Name of the budget and whose it is; a recipient is hashed with a secret. */
  key: string;
  used: number;
  ends_at: number;
}

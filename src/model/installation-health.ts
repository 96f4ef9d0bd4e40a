/** Problems of the installation itself that its operators are notified of, in the order in which they are shown. */
export const PROBLEM_KINDS = [
  'rounds_late',
  'deliveries_waiting',
  'region_without_probe',
  'shards_unowned',
  'process_silent',
  'role_missing',
  'clock_off',
  'files_refused',
  'disk_low',
  'discovery_failing',
] as const;

export type ProblemKind = (typeof PROBLEM_KINDS)[number];

/** What a process reports of itself. Times are epoch milliseconds by the database's clock. */
export interface ProcessReport {
  /** Unique to a run of a process; owner of its shard leases. */
  id: string;
  /** Host name and port, for people. */
  name: string;
  roles: readonly string[];
  version: string;
  startedAt: number;
  seenAt: number;
  /** Lateness of the round that is due first, milliseconds; null without the role scheduler, as are the next two. */
  lagMs: number | null;
  /** Checks that came due in the last minute, and how many of them were late. */
  checksDue: number | null;
  checksLate: number | null;
  /** Live probes that this process reaches, by region; null without the roles scheduler and api. */
  probes: Readonly<Record<string, number>> | null;
  /** Free space where the database is, bytes; null on Postgres, whose disk can't be seen from here. */
  freeBytes: number | null;
  /** Whether the configuration files of CONFIG_DIR are wrong, or could not be applied. */
  isRefusingFiles: boolean;
  /**
   * Milliseconds by which the clock of the process is ahead of the database's, at least: the time that the question took
   * is taken off. Null where both are one clock.
   */
  clockOffsetMs: number | null;
  /** Configuration sets whose discovery does not read its source, or can't be applied. */
  failingDiscoveries: readonly string[];
}

export interface InstallationProblem {
  kind: ProblemKind;
  /** Region, role or configuration set that it concerns; empty for the whole installation. */
  subject: string;
  since: number;
  /**
   * How late rounds are, or for how long a delivery has waited, in seconds; the number of shards; the clock's difference in
   * milliseconds; free bytes. Null where the kind has no number.
   */
  value: number | null;
  processes: readonly string[];
}

/** The installation as the last evaluation found it. */
export interface InstallationSummary {
  /** Longest lateness of a round in any process, milliseconds. */
  scheduleLagMs: number;
  /** Checks of the last minute in all processes. */
  checksDue: number;
  checksLate: number;
  /** Events, alerts and queues of deliveries that are due, up to a thousand of each, and for how long the first one is. */
  deliveriesWaiting: number;
  oldestDeliverySeconds: number;
  regionsWithoutProbe: readonly string[];
  unownedShards: number;
  /** Processes that reported in the last 30 seconds. */
  processes: number;
  /** Least free space of all processes, bytes; null on Postgres. */
  freeBytes: number | null;
  /** Last time in which a process with the role worker ran without a break, epoch ms; null before the first. */
  workerRan: { from: number; until: number } | null;
}

/** A problem as it is stored. Times are epoch milliseconds by the database's clock. */
export interface StoredProblem {
  kind: ProblemKind;
  subject: string;
  /** When it was first observed; null after its end. */
  seenAt: number | null;
  /** When it had lasted long enough to count; null before. */
  openedAt: number | null;
  /** Since when it is no longer observed; null while it is. */
  clearSince: number | null;
  value: number | null;
  processes: readonly string[];
  /** `openedAt` of the problem whose beginning the operator webhook received last; null once it received the end. */
  notifiedOpenedAt: number | null;
}

/** Identifies a problem: there is one of each kind and subject. */
export function problemKey({ kind, subject }: Pick<StoredProblem, 'kind' | 'subject'>): string {
  return `${kind}/${subject}`;
}

import type { InstallationProblem, InstallationSummary } from '../../model/installation-health.ts';
import { problemText } from './texts.ts';

/** What a heartbeat service is told of the installation. */
export type WatchdogStatus = 'healthy' | 'failing';

/** State of an installation as its heartbeat service is told. */
export interface WatchdogReport {
  status: WatchdogStatus;
  /** Why it is failing, sentences without a full stop; empty while healthy. */
  reasons: readonly string[];
  problems: readonly InstallationProblem[];
  /** Null when the database did not answer. */
  summary: InstallationSummary | null;
}

/** The last call. Times are monotonic milliseconds. */
export interface LastPing {
  at: number;
  status: WatchdogStatus;
  wasAccepted: boolean;
}

/** A call that was not accepted is repeated after this time. */
const RETRY_MS = 10_000;

/** Whether to call now: at each change of the status at once, otherwise at the interval. Pure. */
export function isPingDue(
  last: LastPing | null,
  status: WatchdogStatus,
  { now, intervalMs }: { now: number; intervalMs: number },
): boolean {
  if (last === null || last.status !== status) return true;
  return now - last.at >= (last.wasAccepted ? intervalMs : Math.min(RETRY_MS, intervalMs));
}

/** `{up|down}`: the first word while healthy, the second one while failing. */
const STATUS = /\{([^{}|]*)\|([^{}|]*)\}/g;
const REASON = '{reason}';
/** Longest reason in a URL, in characters. */
const LONGEST_REASON = 200;

/**
 * URL to call. Where the URL has no `{…|…}`, `/fail` is appended to its path while failing, as Tocsin, Healthchecks.io and
 * Better Stack have it.
 */
export function pingUrl(url: string, { status, reasons }: WatchdogReport): string {
  const isFailing = status === 'failing';
  const reason = encodeURIComponent((reasons.join('. ') || 'OK').slice(0, LONGEST_REASON));
  const filled = url.replaceAll(REASON, () => reason);
  const chosen = filled.replaceAll(STATUS, (_, healthy: string, failing: string) =>
    isFailing ? failing : healthy,
  );
  if (!isFailing || hasPlaceholder(url)) return chosen;
  const failing = new URL(chosen);
  failing.pathname = `${failing.pathname.replace(/\/+$/, '')}/fail`;
  return failing.href;
}

const hasPlaceholder = (url: string): boolean => url.search(STATUS) >= 0;

/** Body of the call: JSON in lines, which services show to people as it is. */
export function pingBody(report: WatchdogReport, installation: string, version: string): string {
  const { status, reasons, problems, summary } = report;
  const body = {
    status,
    reasons,
    installation,
    version,
    problems: problems.map((problem) => ({
      kind: problem.kind,
      subject: problem.subject,
      since: new Date(problem.since).toISOString(),
      text: problemText(problem),
    })),
    ...(summary !== null && {
      schedule_lag_ms: summary.scheduleLagMs,
      checks_due: summary.checksDue,
      checks_late: summary.checksLate,
      deliveries_waiting: summary.deliveriesWaiting,
      oldest_delivery_seconds: summary.oldestDeliverySeconds,
      regions_without_probe: summary.regionsWithoutProbe,
      shards_unowned: summary.unownedShards,
      processes: summary.processes,
      free_bytes: summary.freeBytes,
    }),
  };
  return `${JSON.stringify(body, null, 2)}\n`;
}

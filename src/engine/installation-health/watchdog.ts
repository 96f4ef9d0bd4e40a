import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { HttpClient } from '../../net/http-client.ts';
import type { InstallationProblem, InstallationSummary } from '../../model/installation-health.ts';
import { problemText } from './texts.ts';

const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 16 * 1024;

/** Calls a heartbeat service, which notices when the calls stop. */
export function createWatchdog(dependencies: {
  /** WATCHDOG_PING_URL; a secret. */
  url: string;
  intervalMs: number;
  http: HttpClient;
  clock: Clock;
  log: Log;
  baseUrl: () => string;
  version: string;
}) {
  const { url, intervalMs, http, clock, log, baseUrl, version } = dependencies;
  /** Calls by their status, and those that the service did not accept. */
  const counters = { healthy: 0, failing: 0, unanswered: 0 };
  const stopping = new AbortController();
  let last: LastPing | null = null;
  let isFailing = false;
  let running: Promise<void> | null = null;

  async function call(report: WatchdogReport): Promise<void> {
    const { status, reasons } = report;
    const at = clock.monotonic();
    if (status === 'failing' && last?.status !== 'failing')
      // Log: WATCHDOG_PING_URL is called as failing until no problem is left.
      log.warn({ reasons }, 'The watchdog ping reports a failure.');
    const body = pingBody(report, baseUrl(), version);
    const { signal } = stopping;
    const reason = await callOperators(http, { url: pingUrl(url, report), version, body, signal });
    if (signal.aborted) return;
    const wasAccepted = reason === null;
    last = { at, status, wasAccepted };
    counters[wasAccepted ? status : 'unanswered'] += 1;
    if (wasAccepted && isFailing)
      // Log: The heartbeat service answers.
      log.info({}, 'The watchdog ping is accepted again.');
    if (reason !== null && !isFailing)
      // Log: The heartbeat service did not answer with 2xx. It is called again after 10 s.
      log.warn({ reason }, 'The watchdog ping was not accepted.');
    isFailing = !wasAccepted;
  }

  return {
    counters,
    /** Calls the service if a call is due. Returns at once; one call is in progress at a time. */
    report(report: WatchdogReport) {
      const due = { now: clock.monotonic(), intervalMs };
      if (running !== null || stopping.signal.aborted) return;
      if (!isPingDue(last, report.status, due)) return;
      running = call(report).finally(() => (running = null));
    },
    /** Another process calls from now on. */
    pause() {
      last = null;
    },
    /** Breaks off a call in progress. Never rejects. */
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

export type WatchdogStatus = 'healthy' | 'failing';

/** State of an installation as it is reported to its heartbeat service. */
interface WatchdogReport {
  status: WatchdogStatus;
  /** Why it is failing, sentences without a full stop; empty while healthy. */
  reasons: readonly string[];
  problems: readonly InstallationProblem[];
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
function pingBody(report: WatchdogReport, installation: string, version: string): string {
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

/** Calls a URL of the operators. @returns why the call was not accepted; null when it was. */
export async function callOperators(
  http: HttpClient,
  call: {
    url: string;
    version: string;
    body: string;
    headers?: Record<string, string>;
    signal: AbortSignal;
  },
): Promise<string | null> {
  const { url, version, body, headers = {}, signal } = call;
  const answer = await http.request({
    url,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': `Tocsin/${version}`,
      ...headers,
    },
    body,
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_ANSWER_BYTES,
    allowTruncated: true,
    signal,
  });
  if (!answer.ok) return answer.failure.text;
  const isAccepted = answer.status >= 200 && answer.status < 300;
  return isAccepted ? null : `The status was ${answer.status}`;
}

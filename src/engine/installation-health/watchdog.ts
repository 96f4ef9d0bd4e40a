import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { HttpClient } from '../../net/http-client.ts';
import {
  isPingDue,
  pingBody,
  pingUrl,
  type LastPing,
  type WatchdogReport,
} from './watchdog-rules.ts';

/** Tells a heartbeat service that the installation works, which notices when the calls stop. */
export interface Watchdog {
  /** Calls the service if a call is due. Returns at once; one call is in progress at a time. */
  report(report: WatchdogReport): void;
  /** Another process calls from now on. */
  pause(): void;
  /** Breaks off a call in progress. Never rejects. */
  stop(): Promise<void>;
  /** Calls by what was told, and those that the service did not accept. */
  readonly counters: Readonly<Record<'healthy' | 'failing' | 'unanswered', number>>;
}

export interface WatchdogDependencies {
  /** WATCHDOG_PING_URL; a secret. */
  url: string;
  /** Milliseconds between calls. */
  intervalMs: number;
  http: HttpClient;
  clock: Clock;
  log: Log;
  baseUrl: () => string;
  version: string;
}

const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 16 * 1024;

export function createWatchdog(dependencies: WatchdogDependencies): Watchdog {
  const { url, intervalMs, http, clock, log, baseUrl, version } = dependencies;
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
    const answer = await http.request({
      url: pingUrl(url, report),
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': `Tocsin/${version}` },
      body: pingBody(report, baseUrl(), version),
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_ANSWER_BYTES,
      allowTruncated: true,
      signal: stopping.signal,
    });
    if (stopping.signal.aborted) return;
    const wasAccepted = answer.ok && answer.status >= 200 && answer.status < 300;
    last = { at, status, wasAccepted };
    counters[wasAccepted ? status : 'unanswered'] += 1;
    if (wasAccepted && isFailing)
      // Log: The heartbeat service answers.
      log.info({}, 'The watchdog ping is accepted again.');
    if (!wasAccepted && !isFailing) {
      const reason = answer.ok ? `The status was ${answer.status}` : answer.failure.text;
      // Log: The heartbeat service did not answer with 2xx. It is called again after 10 s.
      log.warn({ reason }, 'The watchdog ping was not accepted.');
    }
    isFailing = !wasAccepted;
  }

  return {
    counters,
    report(report) {
      const due = { now: clock.monotonic(), intervalMs };
      if (running !== null || stopping.signal.aborted) return;
      if (!isPingDue(last, report.status, due)) return;
      running = call(report).finally(() => (running = null));
    },
    pause() {
      last = null;
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

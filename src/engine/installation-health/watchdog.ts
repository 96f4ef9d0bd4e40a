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

/** Tells a heartbeat service that the installation works, which notices when the calls stop. */
export function createWatchdog(dependencies: WatchdogDependencies) {
  const { url, intervalMs, http, clock, log, baseUrl, version } = dependencies;
  /** Calls by what was told, and those that the service did not accept. */
  const counters = { healthy: 0, failing: 0, unanswered: 0 };
  const stopping = new AbortController();
  let last: LastPing | null = null;
  let isFailing = false;
  let running: Promise<void> | null = null;

  async function call(report: WatchdogReport): Promise<void> {
    const { status, reasons } = report;
    const at = clock.monotonic();
    if (status === 'failing' && last?.status !== 'failing')
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
    if (wasAccepted && isFailing) log.info({}, 'The watchdog ping is accepted again.');
    if (!wasAccepted && !isFailing) {
      const reason = answer.ok ? `The status was ${answer.status}` : answer.failure.text;
      log.warn({ reason }, 'The watchdog ping was not accepted.');
    }
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

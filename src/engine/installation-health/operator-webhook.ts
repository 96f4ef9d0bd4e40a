import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { problemKey, type StoredProblem } from '../../model/installation-health.ts';
import type { HttpClient } from '../../net/http-client.ts';
import { isOpenProblem, shownProblem } from './rules.ts';
import { endedMessage, openedMessage } from './texts.ts';
import { callOperators } from './watchdog.ts';

const RETRY_MS = 30_000;

/** Calls a URL of the operators when a problem begins and ends, past the outbox: it works while messages wait. */
export function createOperatorWebhook(dependencies: {
  /** OPERATOR_WEBHOOK_URL; a secret. */
  url: string;
  http: HttpClient;
  clock: Clock;
  log: Log;
  baseUrl: () => string;
  version: string;
  /** Records that the URL received the beginning of the problem of this `openedAt`, or with null its end. */
  onNotified(problem: StoredProblem, openedAt: number | null): Promise<void>;
}) {
  const { url, http, clock, log, baseUrl, version, onNotified } = dependencies;
  const stopping = new AbortController();
  /** What was recorded a moment ago: an evaluation that began before may not have read it. */
  const notified = new Map<string, number | null>();
  let notBefore = -Infinity;
  let isFailing = false;
  let running: Promise<void> | null = null;

  async function notifyAll(problems: readonly StoredProblem[]): Promise<void> {
    for (const problem of problems) {
      if (stopping.signal.aborted) return;
      if (!(await notifyOne(problem))) {
        notBefore = clock.monotonic() + RETRY_MS;
        return;
      }
    }
  }

  async function notifyOne(problem: StoredProblem): Promise<boolean> {
    const { id, body } = webhookCall(problem, baseUrl(), clock.now());
    const { signal } = stopping;
    const headers = { 'webhook-id': id };
    const call = { url, version, body: JSON.stringify(body), headers, signal };
    const reason = await callOperators(http, call);
    if (signal.aborted) return false;
    if (reason !== null) {
      if (!isFailing)
        // Log: OPERATOR_WEBHOOK_URL did not answer with 2xx. It is called again after 30
        // s.
        log.warn({ reason }, 'The operator webhook did not accept a message.');
      isFailing = true;
      return false;
    }
    if (isFailing)
      // Log: It answers with 2xx.
      log.info({}, 'The operator webhook accepts messages again.');
    isFailing = false;
    try {
      await onNotified(problem, problem.openedAt);
      notified.set(problemKey(problem), problem.openedAt);
      return true;
    } catch (error) {
      // Log: The call is repeated, with the same `webhook-id`.
      log.warn({ error }, 'A call of the operator webhook could not be recorded.');
      return false;
    }
  }

  function isPending(problem: StoredProblem): boolean {
    const { openedAt, notifiedOpenedAt } = problem;
    const key = problemKey(problem);
    if (notified.get(key) === notifiedOpenedAt) notified.delete(key);
    return openedAt !== (notified.has(key) ? notified.get(key) : notifiedOpenedAt);
  }

  return {
    pause: () => notified.clear(),
    /** Calls the URL about what is pending. Returns at once; one call is in progress at a time. */
    notify(problems: readonly StoredProblem[]) {
      if (running !== null || stopping.signal.aborted || clock.monotonic() < notBefore) return;
      const pending = problems.filter(isPending);
      if (pending.length > 0) running = notifyAll(pending).finally(() => (running = null));
    },
    /** Breaks off a call in progress. Never rejects. */
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** The call about a problem, with an id that is the same however often it is made. Pure. */
export function webhookCall(problem: StoredProblem, installation: string, now: number) {
  const { kind, subject } = problem;
  const isOpen = isOpenProblem(problem);
  const openedAt = problem.openedAt ?? problem.notifiedOpenedAt ?? 0;
  const name = [kind, ...(subject === '' ? [] : [subject])].join('.');
  // Of a problem that ended, nothing is kept but its notification.
  const group = [
    isOpen ? shownProblem(problem) : { ...problem, since: openedAt, processes: [] },
  ] as const;
  const { severity, headline, text } = isOpen ? openedMessage(group) : endedMessage(group);
  return {
    id: `msg_${name}_${openedAt}_${isOpen ? 'opened' : 'ended'}`,
    body: {
      type: isOpen ? 'installation.problem_opened' : 'installation.problem_ended',
      timestamp: new Date(now).toISOString(),
      installation,
      severity,
      text: isOpen ? `${headline}. ${text}` : `${headline}.`,
      problem: {
        kind,
        subject,
        since: new Date(group[0].since).toISOString(),
        value: isOpen ? problem.value : null,
        processes: group[0].processes,
      },
    },
  };
}

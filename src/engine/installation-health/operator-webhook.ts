import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { problemKey, type StoredProblem } from '../../model/installation-health.ts';
import type { HttpClient } from '../../net/http-client.ts';
import { isOpenProblem, shownProblem } from './problems.ts';
import { endedMessage, openedMessage } from './texts.ts';

export interface OperatorWebhookDependencies {
  /** OPERATOR_WEBHOOK_URL; a secret. */
  url: string;
  http: HttpClient;
  clock: Clock;
  log: Log;
  baseUrl: () => string;
  version: string;
  /** Records that the URL received the beginning of the problem of this `openedAt`, or with null its end. */
  onTold(problem: StoredProblem, openedAt: number | null): Promise<void>;
}

const TIMEOUT_MS = 10_000;
const RETRY_MS = 30_000;
const MAX_ANSWER_BYTES = 16 * 1024;

/**
 * Calls a URL of the operators when a problem of the installation begins and when it ends, past the outbox: it works while
 * messages wait.
 */
export function createOperatorWebhook(dependencies: OperatorWebhookDependencies) {
  const { url, http, clock, log, baseUrl, version, onTold } = dependencies;
  const stopping = new AbortController();
  /** What was recorded a moment ago: an evaluation that began before may not have read it. */
  const told = new Map<string, number | null>();
  let notBefore = -Infinity;
  let isFailing = false;
  let running: Promise<void> | null = null;

  async function tellAll(problems: readonly StoredProblem[]): Promise<void> {
    for (const problem of problems) {
      if (stopping.signal.aborted) return;
      if (!(await tellOne(problem))) {
        notBefore = clock.monotonic() + RETRY_MS;
        return;
      }
    }
  }

  /** @returns whether it was accepted and recorded. */
  async function tellOne(problem: StoredProblem): Promise<boolean> {
    const { id, body } = webhookCall(problem, baseUrl(), clock.now());
    const answer = await http.request({
      url,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': `Tocsin/${version}`,
        'webhook-id': id,
      },
      body: JSON.stringify(body),
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_ANSWER_BYTES,
      allowTruncated: true,
      signal: stopping.signal,
    });
    if (stopping.signal.aborted) return false;
    if (!answer.ok || answer.status < 200 || answer.status >= 300) {
      const reason = answer.ok ? `The status was ${answer.status}` : answer.failure.text;
      if (!isFailing) log.warn({ reason }, 'The operator webhook did not accept a message.');
      isFailing = true;
      return false;
    }
    if (isFailing) log.info({}, 'The operator webhook accepts messages again.');
    isFailing = false;
    try {
      await onTold(problem, problem.openedAt);
      told.set(problemKey(problem), problem.openedAt);
      return true;
    } catch (error) {
      log.warn({ error }, 'A call of the operator webhook could not be recorded.');
      return false;
    }
  }

  function isUntold(problem: StoredProblem): boolean {
    const { openedAt, toldOpenedAt } = problem;
    const key = problemKey(problem);
    if (told.get(key) === toldOpenedAt) told.delete(key);
    return openedAt !== (told.has(key) ? told.get(key) : toldOpenedAt);
  }

  return {
    /** Another process tells from now on. */
    pause: () => told.clear(),
    /** Tells of what it was not told yet. Returns at once; one call is in progress at a time. */
    tell(problems: readonly StoredProblem[]) {
      if (running !== null || stopping.signal.aborted || clock.monotonic() < notBefore) return;
      const untold = problems.filter(isUntold);
      if (untold.length > 0) running = tellAll(untold).finally(() => (running = null));
    },
    /** Breaks off a call in progress. Never rejects. */
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** The call that tells of a problem, with an id that is the same however often it is made. Pure. */
export function webhookCall(
  problem: StoredProblem,
  installation: string,
  now: number,
): { id: string; body: object } {
  const { kind, subject } = problem;
  const isOpen = isOpenProblem(problem);
  const openedAt = problem.openedAt ?? problem.toldOpenedAt ?? 0;
  const name = [kind, ...(subject === '' ? [] : [subject])].join('.');
  // Of a problem that ended nothing is kept but that it was told of.
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

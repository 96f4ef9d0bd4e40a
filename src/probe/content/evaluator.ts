import type { Clock, Timer } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { ContentCheck, ContentOutcome, JsonAssertion } from '../../model/content.ts';
import { createRoundRobin } from '../../lib/round-robin.ts';
import { evaluateSafely } from './evaluate.ts';
import {
  startContentThread,
  type ContentReply,
  type ContentRequest,
  type ContentThread,
} from './thread.ts';

export type Evaluation =
  | { state: 'evaluated'; outcome: ContentOutcome }
  /** The signal was aborted, or the evaluator closed. */
  | { state: 'stopped' }
  /** The content could not be evaluated. `reason` is a predicate: `took too long to search`. */
  | { state: 'failed'; reason: string };

export type ContentEvaluator = ReturnType<typeof createContentEvaluator>;

/** Monitor for which a content is evaluated. */
export interface Requester {
  monitorId: number;
  /** Whether another monitor waits for a resource that is held during this evaluation. */
  isContended(): boolean;
}

export interface ContentEvaluatorDeps {
  clock: Clock;
  log: Log;
  startThread?: typeof startContentThread;
}

/** Time limits of an evaluation, without and with other monitors waiting. */
const MAX_MS = 5_000;
const MAX_CONTENDED_MS = 1_000;
/** A monitor that wasted a second is served after all others for this long. */
const COST_TTL_MS = 60_000;
const LIMIT_CHECK_MS = 250;
const IDLE_THREAD_MS = 60_000;
/** Enough for the regions of a monitor, which may run at once; more would waste memory. */
const MAX_QUEUED_PER_MONITOR = 16;

const TOO_LONG: ContentReply = { state: 'failed', reason: 'took too long to search' };
const TOO_MANY: ContentReply = {
  state: 'failed',
  reason: 'could not be searched: too many contents of the same monitor are waiting',
};

interface Job {
  question: ContentRequest;
  requester: Requester;
  settle(evaluation: Evaluation): void;
}

/**
 * Evaluates small contents at once, in less than a millisecond, and others one at a time in a thread that is started
 * when needed and ends after a minute without use. Monitors are served in turn. An evaluation can only be stopped by
 * ending its thread; waiting ones get a new thread.
 */
export function createContentEvaluator({
  clock,
  log,
  startThread = startContentThread,
}: ContentEvaluatorDeps) {
  const queue = createRoundRobin<Job>();
  const costs = createCostTracker(clock, { costlyMs: MAX_CONTENDED_MS, forgetMs: COST_TTL_MS });
  let running: Job | null = null;
  /** Monotonic start of the running evaluation. */
  let startedAt = 0;
  let thread: ContentThread | null = null;
  /** Enforces the limits of the running evaluation, or ends the idle thread. */
  let timer: Timer | null = null;
  let isClosed = false;

  function startNext(): void {
    if (running !== null) return;
    clock.clear(timer);
    rejectCostly();
    const job = queue.next();
    if (job === undefined) {
      timer = thread === null ? null : clock.after(IDLE_THREAD_MS, () => void stopThread());
      return;
    }
    running = job;
    startedAt = clock.monotonic();
    timer = clock.after(LIMIT_CHECK_MS, enforceLimits);
    try {
      thread ??= startThread({ onReady, onExit });
      thread.evaluate(job.question, (answer) => finish(job, answer));
    } catch (error) {
      finish(job, { state: 'failed', reason: 'could not be searched', error: String(error) });
    }
  }

  /** Stops what delays other monitors: queued evaluations of costly monitors, and running ones beyond their limit. */
  function enforceLimits(): void {
    rejectCostly();
    if (running === null) return;
    const job = running;
    const spentMs = clock.monotonic() - startedAt;
    if (spentMs >= longestMs(job)) {
      void stopThread();
      if (!isCostly(job) || spentMs >= MAX_CONTENDED_MS) addCost(job);
      rejectCostly();
      return finish(job, TOO_LONG);
    }
    clock.clear(timer);
    timer = clock.after(Math.min(LIMIT_CHECK_MS, Math.ceil(MAX_MS - spentMs)), enforceLimits);
  }

  function rejectCostly(): void {
    for (const job of queue.members().flatMap((monitorId) => queue.itemsOf(monitorId))) {
      if (isCostly(job) && doOthersWait(job) && queue.remove(job.requester.monitorId, job)) {
        job.settle(evaluationOf(TOO_LONG));
      }
    }
  }

  function longestMs(job: Job): number {
    if (!doOthersWait(job)) return MAX_MS;
    return isCostly(job) ? 0 : MAX_CONTENDED_MS;
  }

  /** Costly monitors don't count against each other: otherwise none of them would ever be evaluated. */
  function doOthersWait({ requester }: Job): boolean {
    const isCostlyToo = costs.isCostly(requester.monitorId);
    const isOther = (monitorId: number) =>
      monitorId !== requester.monitorId && !(isCostlyToo && costs.isCostly(monitorId));
    return requester.isContended() || queue.members().some(isOther);
  }

  function isCostly({ requester }: Job): boolean {
    return costs.isCostly(requester.monitorId);
  }

  function addCost({ requester }: Job): void {
    costs.add(requester.monitorId, clock.monotonic() - startedAt);
  }

  function finish(job: Job, answer: ContentReply | { state: 'stopped' }): void {
    if (running !== job) return;
    running = null;
    queue.moveToEnd(job.requester.monitorId);
    job.settle(evaluationOf(answer));
    startNext();
  }

  function evaluationOf(answer: ContentReply | { state: 'stopped' }): Evaluation {
    if (answer.state !== 'failed') return answer;
    const { reason, error = null } = answer;
    // Log: The result is unknown.
    log.warn({ error, reason }, 'The content of an answer could not be evaluated.');
    return { state: 'failed', reason };
  }

  /** Excludes the thread's startup from the time of its first evaluation. */
  function onReady(): void {
    startedAt = clock.monotonic();
  }

  function onExit(reply: ContentReply): void {
    thread = null;
    if (running === null) return clock.clear(timer);
    addCost(running);
    finish(running, reply);
  }

  async function stopThread(): Promise<void> {
    const stopped = thread;
    thread = null;
    await stopped?.stop();
  }

  function stop(job: Job): void {
    if (running === job) {
      void stopThread();
      addCost(job);
      return finish(job, { state: 'stopped' });
    }
    queue.remove(job.requester.monitorId, job);
    job.settle({ state: 'stopped' });
  }

  function evaluateInThread(
    question: ContentRequest,
    signal: AbortSignal,
    requester: Requester,
  ): Promise<Evaluation> {
    return new Promise((resolve) => {
      const onAbort = () => stop(job);
      const job: Job = {
        question,
        requester,
        settle(evaluation) {
          signal.removeEventListener('abort', onAbort);
          resolve(evaluation);
        },
      };
      if (queue.itemsOf(requester.monitorId).length >= MAX_QUEUED_PER_MONITOR) {
        return resolve(evaluationOf(TOO_MANY));
      }
      signal.addEventListener('abort', onAbort);
      queue.add(requester.monitorId, job);
      startNext();
      enforceLimits();
    });
  }

  return {
    /**
     * Evaluates a complete, decompressed body. Takes over the bytes: they may move to another thread, which leaves `body`
     * empty, so copy what is needed later. Never rejects.
     */
    async evaluate(
      check: ContentCheck,
      body: Buffer,
      contentType: string | null,
      signal: AbortSignal,
      requester: Requester,
    ): Promise<Evaluation> {
      if (isClosed || signal.aborted) return { state: 'stopped' };
      const question = { check, body: body as Uint8Array<ArrayBuffer>, contentType };
      if (!isSmall(check, body.byteLength)) return evaluateInThread(question, signal, requester);
      return evaluationOf(evaluateSafely(question));
    },
    async close() {
      isClosed = true;
      clock.clear(timer);
      const jobs = [running, ...queue.members().flatMap((monitorId) => queue.itemsOf(monitorId))];
      running = null;
      for (const job of jobs) {
        if (job !== null) queue.remove(job.requester.monitorId, job);
        job?.settle({ state: 'stopped' });
      }
      await stopThread();
    },
  };
}

/** A monitor is costly once it wasted `costlyMs`, until `forgetMs` after the last time. */
function createCostTracker(
  clock: Clock,
  { costlyMs, forgetMs }: { costlyMs: number; forgetMs: number },
) {
  const losses = new Map<number, { lostMs: number; until: number }>();
  return {
    add(monitorId: number, milliseconds: number) {
      const now = clock.monotonic();
      for (const [id, { until }] of losses) if (until <= now) losses.delete(id);
      const lostMs = (losses.get(monitorId)?.lostMs ?? 0) + milliseconds;
      losses.set(monitorId, { lostMs, until: now + forgetMs });
    },
    isCostly(monitorId: number) {
      const loss = losses.get(monitorId);
      return loss !== undefined && loss.lostMs >= costlyMs && clock.monotonic() < loss.until;
    },
  };
}

/** Measured: evaluation up to these sizes takes less than a millisecond, and a few for unusual contents. */
const SMALL_HTML_BYTES = 64 * 1024;
const SMALL_TEXT_BYTES = 16 * 1024;
const SMALL_JSON_BYTES = 32 * 1024;
/** Total length of the patterns of a check. Compiling them takes longer than searching. */
const SHORT_PATTERNS = 100;
/** Pattern without counted repetitions, flags and Unicode classes, which compile to large programs. */
const SIMPLE_PATTERN = /^(?!.*(?:\(\?|\\[pP]|\{))[\x20-\x7e]*$/;

export function isSmall(check: ContentCheck, bytes: number): boolean {
  if (check.kind === 'json')
    return bytes <= SMALL_JSON_BYTES && arePatternsSimple(check.assertions);
  return bytes <= (check.target === 'text' ? SMALL_TEXT_BYTES : SMALL_HTML_BYTES);
}

function arePatternsSimple(assertions: readonly JsonAssertion[]): boolean {
  const patterns = assertions
    .filter(({ operator }) => operator === 'regex' || operator === 'not_regex')
    .map(({ value }) => String(value));
  const length = patterns.reduce((sum, pattern) => sum + pattern.length, 0);
  return length <= SHORT_PATTERNS && patterns.every((pattern) => SIMPLE_PATTERN.test(pattern));
}

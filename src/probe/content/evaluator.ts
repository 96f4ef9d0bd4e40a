import type { Clock, Timer } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { ContentCheck, ContentOutcome } from '../../model/content.ts';
import { createRoundRobin } from '../round-robin.ts';
import { evaluateSafely } from './evaluate.ts';
import { createCostTracker } from './losses.ts';
import { isSmall } from './size.ts';
import { startContentThread } from './thread.ts';
import type { ContentReply, ContentRequest, ContentThread } from './thread.ts';

export type Evaluation =
  | { state: 'evaluated'; outcome: ContentOutcome }
  /** The signal was aborted, or the evaluator closed. */
  | { state: 'stopped' }
  /** Nothing can be said of the content. `reason` is a predicate: `took too long to search`. */
  | { state: 'failed'; reason: string };

export interface ContentEvaluator {
  /**
   * Judges a whole, unpacked body. The bytes are given away: they may move to another thread, so that `body` is empty
   * afterwards. Copy before what is needed later. Never rejects.
   */
  evaluate(
    check: ContentCheck,
    body: Buffer,
    contentType: string | null,
    signal: AbortSignal,
    requester: Requester,
  ): Promise<Evaluation>;
  /** Stops whatever goes on and ends the thread; settles when it is gone. */
  close(): Promise<void>;
}

/** For whom a content is judged. */
export interface Requester {
  monitorId: number;
  /** Whether another monitor waits for something that is held until this evaluation has ended. */
  isContended(): boolean;
}

export interface ContentEvaluatorDeps {
  clock: Clock;
  log: Log;
  startThread?: typeof startContentThread;
}

/** How long an evaluation may take while no other monitor waits, and from when on it gives way to one. */
const MAX_MS = 5_000;
const MAX_CONTENDED_MS = 1_000;
/** A monitor that lost a second to no end comes after all others until so much later. */
const COST_TTL_MS = 60_000;
/** How often it is looked whether an evaluation must end. */
const LIMIT_CHECK_MS = 250;
const IDLE_THREAD_MS = 60_000;
/** Of one monitor. Its regions may come together; more are not worth the memory. */
const MAX_QUEUED_PER_MONITOR = 16;

const TOO_LONG: ContentReply = { state: 'failed', reason: 'took too long to search' };
const TOO_MANY: ContentReply = {
  state: 'failed',
  reason: 'could not be searched: too many of the same monitor wait for that already',
};

interface Job {
  question: ContentRequest;
  requester: Requester;
  settle(evaluation: Evaluation): void;
}

/**
 * Small contents are judged at once, where it takes less than a millisecond; others one after another in a thread that
 * is started when it is needed and ends a minute after it was. The monitors are served in turns. An evaluation can only
 * be stopped together with its thread; those that wait get a new one.
 */
export function createContentEvaluator({
  clock,
  log,
  startThread = startContentThread,
}: ContentEvaluatorDeps): ContentEvaluator {
  const queue = createRoundRobin<Job>();
  const costs = createCostTracker(clock, { costlyMs: MAX_CONTENDED_MS, forgetMs: COST_TTL_MS });
  let running: Job | null = null;
  /** Monotonic time at which the thread began with what is running. */
  let startedAt = 0;
  let thread: ContentThread | null = null;
  /** Looks after the running job, or ends the idle thread. */
  let timer: Timer | null = null;
  let isClosed = false;

  function startNext(): void {
    if (running !== null) return;
    clock.clear(timer);
    rejectCostly();
    const [monitorId] = queue.monitors();
    const job = monitorId === undefined ? undefined : queue.take(monitorId);
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

  /** What costs other monitors their turn gives way: those in line that are not worth it, and what runs for too long. */
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
    for (const job of queue.monitors().flatMap((monitorId) => queue.itemsOf(monitorId))) {
      if (isCostly(job) && doOthersWait(job) && queue.remove(job.requester.monitorId, job)) {
        job.settle(evaluationOf(TOO_LONG));
      }
    }
  }

  function longestMs(job: Job): number {
    if (!doOthersWait(job)) return MAX_MS;
    return isCostly(job) ? 0 : MAX_CONTENDED_MS;
  }

  /** Those that are costly themselves don't count beside each other, or none of them would ever be judged. */
  function doOthersWait({ requester }: Job): boolean {
    const isCostlyToo = costs.isCostly(requester.monitorId);
    const isOther = (monitorId: number): boolean =>
      monitorId !== requester.monitorId && !(isCostlyToo && costs.isCostly(monitorId));
    return requester.isContended() || queue.monitors().some(isOther);
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
    log.warn({ error }, `An answer's content ${reason}.`);
    return { state: 'failed', reason };
  }

  /** A thread takes a while to start, which is not its first question's fault. */
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
    async evaluate(check, body, contentType, signal, requester) {
      if (isClosed || signal.aborted) return { state: 'stopped' };
      const question = { check, body: body as Uint8Array<ArrayBuffer>, contentType };
      if (!isSmall(check, body.byteLength)) return evaluateInThread(question, signal, requester);
      return evaluationOf(evaluateSafely(question));
    },
    async close() {
      isClosed = true;
      clock.clear(timer);
      const jobs = [running, ...queue.monitors().flatMap((monitorId) => queue.itemsOf(monitorId))];
      running = null;
      for (const job of jobs) {
        if (job !== null) queue.remove(job.requester.monitorId, job);
        job?.settle({ state: 'stopped' });
      }
      await stopThread();
    },
  };
}

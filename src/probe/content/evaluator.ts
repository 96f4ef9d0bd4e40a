import type { Clock, Timer } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { ContentCheck, ContentOutcome } from '../../model/content.ts';
import { createTurns } from '../turns.ts';
import { answerOf } from './evaluate.ts';
import { createLosses } from './losses.ts';
import { isSmall } from './size.ts';
import { startContentThread } from './thread.ts';
import type { ContentAnswer, ContentQuestion, ContentThread } from './thread.ts';

export type Evaluation =
  | { state: 'judged'; outcome: ContentOutcome }
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
    asker: Asker,
  ): Promise<Evaluation>;
  /** Stops whatever goes on and ends the thread; settles when it is gone. */
  close(): Promise<void>;
}

/** For whom a content is judged. */
export interface Asker {
  monitorId: number;
  /** Whether another monitor waits for something that is held until this evaluation has ended. */
  isWaitedFor(): boolean;
}

export interface ContentEvaluatorDeps {
  clock: Clock;
  log: Log;
  startThread?: typeof startContentThread;
}

/** How long an evaluation may take while no other monitor waits, and from when on it gives way to one. */
const LONGEST_MS = 5_000;
const LONGEST_BESIDE_OTHERS_MS = 1_000;
/** A monitor that lost a second to no end comes after all others until so much later. */
const FORGET_MS = 60_000;
/** How often it is looked whether an evaluation must end. */
const LOOK_MS = 250;
const IDLE_MS = 60_000;
/** Of one monitor. Its regions may come together; more are not worth the memory. */
const LONGEST_LINE = 16;

const TOO_LONG: ContentAnswer = { state: 'failed', reason: 'took too long to search' };
const TOO_MANY: ContentAnswer = {
  state: 'failed',
  reason: 'could not be searched: too many of the same monitor wait for that already',
};

interface Job {
  question: ContentQuestion;
  asker: Asker;
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
  const line = createTurns<Job>();
  const losses = createLosses(clock, { costlyMs: LONGEST_BESIDE_OTHERS_MS, forgetMs: FORGET_MS });
  let running: Job | null = null;
  /** Monotonic time at which the thread began with what is running. */
  let begunAt = 0;
  let thread: ContentThread | null = null;
  /** Looks after the running job, or ends the idle thread. */
  let timer: Timer | null = null;
  let isClosed = false;

  function startNext(): void {
    if (running !== null) return;
    clock.clear(timer);
    turnAway();
    const [monitorId] = line.monitors();
    const job = monitorId === undefined ? undefined : line.take(monitorId);
    if (job === undefined) {
      timer = thread === null ? null : clock.after(IDLE_MS, () => void stopThread());
      return;
    }
    running = job;
    begunAt = clock.monotonic();
    timer = clock.after(LOOK_MS, look);
    try {
      thread ??= startThread({ onReady, onDeath });
      thread.ask(job.question, (answer) => finish(job, answer));
    } catch (error) {
      finish(job, { state: 'failed', reason: 'could not be searched', error: String(error) });
    }
  }

  /** What costs other monitors their turn gives way: those in line that are not worth it, and what runs for too long. */
  function look(): void {
    turnAway();
    if (running === null) return;
    const job = running;
    const spentMs = clock.monotonic() - begunAt;
    if (spentMs >= longestMs(job)) {
      void stopThread();
      if (!isCostly(job) || spentMs >= LONGEST_BESIDE_OTHERS_MS) addLoss(job);
      turnAway();
      return finish(job, TOO_LONG);
    }
    clock.clear(timer);
    timer = clock.after(Math.min(LOOK_MS, Math.ceil(LONGEST_MS - spentMs)), look);
  }

  function turnAway(): void {
    for (const job of line.monitors().flatMap((monitorId) => line.of(monitorId))) {
      if (isCostly(job) && doOthersWait(job) && line.delete(job.asker.monitorId, job)) {
        job.settle(evaluationOf(TOO_LONG));
      }
    }
  }

  function longestMs(job: Job): number {
    if (!doOthersWait(job)) return LONGEST_MS;
    return isCostly(job) ? 0 : LONGEST_BESIDE_OTHERS_MS;
  }

  /** Those that are costly themselves don't count beside each other, or none of them would ever be judged. */
  function doOthersWait({ asker }: Job): boolean {
    const isCostlyToo = losses.isCostly(asker.monitorId);
    const isOther = (monitorId: number): boolean =>
      monitorId !== asker.monitorId && !(isCostlyToo && losses.isCostly(monitorId));
    return asker.isWaitedFor() || line.monitors().some(isOther);
  }

  function isCostly({ asker }: Job): boolean {
    return losses.isCostly(asker.monitorId);
  }

  function addLoss({ asker }: Job): void {
    losses.add(asker.monitorId, clock.monotonic() - begunAt);
  }

  function finish(job: Job, answer: ContentAnswer | { state: 'stopped' }): void {
    if (running !== job) return;
    running = null;
    line.putLast(job.asker.monitorId);
    job.settle(evaluationOf(answer));
    startNext();
  }

  function evaluationOf(answer: ContentAnswer | { state: 'stopped' }): Evaluation {
    if (answer.state !== 'failed') return answer;
    const { reason, error = null } = answer;
    log.warn({ error }, `An answer's content ${reason}.`);
    return { state: 'failed', reason };
  }

  /** A thread takes a while to start, which is not its first question's fault. */
  function onReady(): void {
    begunAt = clock.monotonic();
  }

  function onDeath(death: ContentAnswer): void {
    thread = null;
    if (running === null) return clock.clear(timer);
    addLoss(running);
    finish(running, death);
  }

  async function stopThread(): Promise<void> {
    const stopped = thread;
    thread = null;
    await stopped?.stop();
  }

  function stop(job: Job): void {
    if (running === job) {
      void stopThread();
      addLoss(job);
      return finish(job, { state: 'stopped' });
    }
    line.delete(job.asker.monitorId, job);
    job.settle({ state: 'stopped' });
  }

  function evaluateInThread(
    question: ContentQuestion,
    signal: AbortSignal,
    asker: Asker,
  ): Promise<Evaluation> {
    return new Promise((resolve) => {
      const onAbort = () => stop(job);
      const job: Job = {
        question,
        asker,
        settle(evaluation) {
          signal.removeEventListener('abort', onAbort);
          resolve(evaluation);
        },
      };
      if (line.of(asker.monitorId).length >= LONGEST_LINE) {
        return resolve(evaluationOf(TOO_MANY));
      }
      signal.addEventListener('abort', onAbort);
      line.add(asker.monitorId, job);
      startNext();
      look();
    });
  }

  return {
    async evaluate(check, body, contentType, signal, asker) {
      if (isClosed || signal.aborted) return { state: 'stopped' };
      const question = { check, body: body as Uint8Array<ArrayBuffer>, contentType };
      if (!isSmall(check, body.byteLength)) return evaluateInThread(question, signal, asker);
      return evaluationOf(answerOf(question));
    },
    async close() {
      isClosed = true;
      clock.clear(timer);
      const jobs = [running, ...line.monitors().flatMap((monitorId) => line.of(monitorId))];
      running = null;
      for (const job of jobs) {
        if (job !== null) line.delete(job.asker.monitorId, job);
        job?.settle({ state: 'stopped' });
      }
      await stopThread();
    },
  };
}

import type { Clock, Timer } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { ContentCheck, ContentOutcome } from '../../model/content.ts';
import { answerOf } from './evaluate.ts';
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
  ): Promise<Evaluation>;
  /** Stops whatever goes on and ends the thread; settles when it is gone. */
  close(): Promise<void>;
}

export interface ContentEvaluatorDeps {
  clock: Clock;
  log: Log;
  startThread?: typeof startContentThread;
}

/** A page that takes longer must not keep the others waiting. */
const LONGEST_MS = 5_000;
const IDLE_MS = 60_000;

interface Job {
  question: ContentQuestion;
  settle(evaluation: Evaluation): void;
}

/**
 * Small contents are judged at once, where it takes less than a millisecond; others one after another in a thread that
 * is started when it is needed and ends a minute after it was. An evaluation can only be stopped together with its
 * thread; those that wait get a new one.
 */
export function createContentEvaluator({
  clock,
  log,
  startThread = startContentThread,
}: ContentEvaluatorDeps): ContentEvaluator {
  const waiting: Job[] = [];
  let running: Job | null = null;
  let thread: ContentThread | null = null;
  /** Ends the running job, or the idle thread. */
  let timer: Timer | null = null;
  let isClosed = false;

  function startNext(): void {
    if (running !== null) return;
    clock.clear(timer);
    const job = waiting.shift();
    if (job === undefined) {
      timer = thread === null ? null : clock.after(IDLE_MS, () => void stopThread());
      return;
    }
    running = job;
    timer = clock.after(LONGEST_MS, () => {
      void stopThread();
      finish(job, { state: 'failed', reason: 'took too long to search' });
    });
    try {
      thread ??= startThread({ onDeath });
      thread.ask(job.question, (answer) => finish(job, answer));
    } catch (error) {
      finish(job, { state: 'failed', reason: 'could not be searched', error: String(error) });
    }
  }

  function finish(job: Job, answer: ContentAnswer | { state: 'stopped' }): void {
    if (running !== job) return;
    running = null;
    job.settle(evaluationOf(answer));
    startNext();
  }

  function evaluationOf(answer: ContentAnswer | { state: 'stopped' }): Evaluation {
    if (answer.state !== 'failed') return answer;
    const { reason, error = null } = answer;
    log.warn({ error }, `An answer's content ${reason}.`);
    return { state: 'failed', reason };
  }

  function onDeath(death: ContentAnswer): void {
    thread = null;
    if (running !== null) finish(running, death);
    else clock.clear(timer);
  }

  async function stopThread(): Promise<void> {
    const stopped = thread;
    thread = null;
    await stopped?.stop();
  }

  function stop(job: Job): void {
    if (running === job) {
      void stopThread();
      return finish(job, { state: 'stopped' });
    }
    waiting.splice(waiting.indexOf(job), 1);
    job.settle({ state: 'stopped' });
  }

  function evaluateInThread(question: ContentQuestion, signal: AbortSignal): Promise<Evaluation> {
    return new Promise((resolve) => {
      const onAbort = () => stop(job);
      const job: Job = {
        question,
        settle(evaluation) {
          signal.removeEventListener('abort', onAbort);
          resolve(evaluation);
        },
      };
      signal.addEventListener('abort', onAbort);
      waiting.push(job);
      startNext();
    });
  }

  return {
    async evaluate(check, body, contentType, signal) {
      if (isClosed || signal.aborted) return { state: 'stopped' };
      const question = { check, body: body as Uint8Array<ArrayBuffer>, contentType };
      if (!isSmall(check, body.byteLength)) return evaluateInThread(question, signal);
      return evaluationOf(answerOf(question));
    },
    async close() {
      isClosed = true;
      clock.clear(timer);
      const jobs = [running, ...waiting.splice(0)];
      running = null;
      for (const job of jobs) job?.settle({ state: 'stopped' });
      await stopThread();
    },
  };
}

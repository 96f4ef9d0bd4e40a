import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { ReportFacts } from '../model.ts';
import type { PrintAnswer, PrintRequest } from './thread.ts';

/** Logo of a cover. Only PNG and JPEG are drawn. */
export interface Logo {
  /** Media type. */
  type: string;
  bytes: Uint8Array;
}

/** Draws reports as PDF files, one at a time. */
export interface ReportPrinter {
  /** Rejects with ReportsWaiting when too many others wait. */
  print(facts: ReportFacts, logo: Logo | null): Promise<Uint8Array>;
  /** Ends the thread: what is being drawn, and all that is printed from then on, rejects. */
  stop(): void;
}

/** Too many reports wait to be drawn. */
export class ReportsWaiting extends Error {
  override name = 'ReportsWaiting';
}

/** Time for which the thread waits for another report. */
const IDLE_MS = 60_000;
/** A report that is not drawn by then never will be. */
const DEADLINE_MS = 60_000;
/** Reports that may wait for each other: about ten seconds. */
const MAX_WAITING = 20;
/** A report of 1,000 monitors needs about 100 MiB. */
const LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 };

/**
 * Creates a printer with a thread of its own, which starts with the first report and ends after a minute without one, as
 * fonts and PDF library take memory.
 */
export function createReportPrinter(): ReportPrinter {
  let thread: Worker | null = null;
  let idle: NodeJS.Timeout | undefined;
  let waiting = 0;
  const stopping = new AbortController();
  let previous: Promise<unknown> = Promise.resolve();

  function start(): Worker {
    const url = new URL('./thread.ts', import.meta.url);
    const worker = new Worker(url, { resourceLimits: LIMITS });
    return worker.on('error', () => end(worker));
  }

  function end(worker: Worker): void {
    if (thread === worker) thread = null;
    void worker.terminate();
  }

  async function draw(request: PrintRequest): Promise<Uint8Array> {
    clearTimeout(idle);
    stopping.signal.throwIfAborted();
    const worker = (thread ??= start());
    // The process must not end before the answer, and may end while the thread is idle.
    worker.ref();
    try {
      const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(DEADLINE_MS)]);
      const answered = once(worker, 'message', { signal });
      worker.postMessage(request);
      const [answer] = (await answered) as [PrintAnswer];
      if ('error' in answer) throw new Error(answer.error);
      return answer.bytes;
    } catch (error) {
      // An error in the thread ends it, and the next report starts another.
      end(worker);
      throw error;
    } finally {
      worker.unref();
      idle = setTimeout(() => end(worker), IDLE_MS).unref();
    }
  }

  return {
    async print(facts, logo) {
      if (waiting >= MAX_WAITING) throw new ReportsWaiting();
      waiting += 1;
      const turn = previous.then(() => draw({ facts, logo }));
      previous = turn.catch(() => {});
      try {
        return await turn;
      } finally {
        waiting -= 1;
      }
    },
    stop: () => stopping.abort(),
  };
}

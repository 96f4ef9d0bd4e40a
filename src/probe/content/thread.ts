import { isMarkedAsUntransferable, Worker } from 'node:worker_threads';
import type { ContentCheck, ContentOutcome } from '../../model/content.ts';

export interface ContentRequest {
  check: ContentCheck;
  body: Uint8Array<ArrayBuffer>;
  contentType: string | null;
}

export type ContentReply =
  | { state: 'evaluated'; outcome: ContentOutcome }
  /** `reason` is a predicate for people, such as `took too long to search`; `error` is for the log. */
  | { state: 'failed'; reason: string; error?: string };

/** A thread that runs one evaluation at a time. Can't be restarted. */
export type ContentThread = ReturnType<typeof startContentThread>;

export interface ContentThreadOptions {
  /** Called once when the thread has started and begins to work. */
  onReady(): void;
  /** Called once if the thread ended by itself, with a reply for the content it was evaluating. */
  onExit(answer: ContentReply & { state: 'failed' }): void;
  /** Heap limit, for what 10 MiB can become when parsed. */
  memoryMiB?: number;
}

export const READY = 'ready';

/**
 * Measured: searching the visible text of the worst page of 10 MiB takes 110 MiB, parsing the worst of six shapes of JSON
 * within MAX_JSON 75 MiB. Outside of this heap are the bytes of one page.
 */
const MEMORY_MIB = 128;
const YOUNG_MEMORY_MIB = 8;

/** Starts a thread within a fraction of a second; earlier requests wait. Doesn't keep the process alive. */
export function startContentThread({
  onReady,
  onExit,
  memoryMiB = MEMORY_MIB,
}: ContentThreadOptions) {
  const worker = new Worker(new URL('./content-worker.ts', import.meta.url), {
    // It parses untrusted input and needs nothing from the environment.
    env: {},
    execArgv: [],
    resourceLimits: {
      maxOldGenerationSizeMb: memoryMiB,
      maxYoungGenerationSizeMb: YOUNG_MEMORY_MIB,
    },
  });
  worker.unref();
  let onAnswer: ((answer: ContentReply) => void) | null = null;
  let isStopped = false;
  let cause: unknown = null;
  worker.on('message', (message: ContentReply | typeof READY) => {
    if (isStopped) return;
    if (message === READY) onReady();
    else onAnswer?.(message);
  });
  worker.on('error', (error) => (cause = error));
  worker.on('exit', (code) => {
    if (!isStopped) onExit(exitReply(cause, code));
  });
  return {
    /** Never rejects; `onExit` is called instead of `onAnswer` if the evaluation ends the thread. */
    evaluate(question: ContentRequest, answered: (answer: ContentReply) => void) {
      onAnswer = answered;
      const body = transferable(question.body);
      worker.postMessage({ ...question, body }, [body.buffer]);
    },
    async stop() {
      isStopped = true;
      onAnswer = null;
      await worker.terminate();
    },
  };
}

/** The same bytes in their own memory, copied only if it is shared. */
function transferable(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const { buffer, byteLength } = bytes;
  const isWhole = byteLength === buffer.byteLength && !isMarkedAsUntransferable(buffer);
  return isWhole ? bytes : new Uint8Array(bytes);
}

function exitReply(cause: unknown, code: number): ContentReply & { state: 'failed' } {
  const isMemory = (cause as { code?: unknown } | null)?.code === 'ERR_WORKER_OUT_OF_MEMORY';
  return {
    state: 'failed',
    reason: isMemory ? 'took too much memory to search' : 'could not be searched',
    error: cause === null ? `The thread ended with code ${code}.` : String(cause),
  };
}

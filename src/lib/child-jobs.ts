import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import os from 'node:os';
import { createRoundRobin } from './round-robin.ts';

/** Runs work on untrusted input in child processes, one at a time and each in a process of its own. */
export interface ChildJobs<Request, Answer> {
  /**
   * Teams take turns, and each has one job that waits. Rejects with JobsWaiting when there is one already, with JobEnded when
   * the work ended its process or took too long, and with the error of the work itself.
   */
  run(teamId: number, request: Request): Promise<Answer>;
  /** Ends the child: what runs or waits, and all that follows, rejects. */
  stop(): void;
}

export interface ChildJobsOptions {
  /** Program of the child, which calls `serveJob`. */
  program: URL;
  /** Limit of the heap in MiB; pictures, buffers and libraries outside of it get `OUTSIDE_MIB` more. */
  heapMiB: number;
  deadlineMs: number;
}

/** Too many jobs wait, of this team or of all. */
export class JobsWaiting extends Error {
  override name = 'JobsWaiting';
  override message = 'Others are being worked on at the moment. Try again in a few seconds.';
}

/** A job ended its process, or was ended by the deadline. */
export class JobEnded extends Error {
  override name = 'JobEnded';
}

/** Jobs of different teams that may wait for each other. */
const MAX_WAITING = 20;
/** Room for Node itself, and for an image of 4,096 pixels a side that is decoded and encoded. */
const OUTSIDE_MIB = 640;
/** Sets what the process may use, and becomes the program: a limit of its heap does not stop what is allocated outside. */
const LIMITED = 'ulimit -d "$1"; ulimit -t "$2"; shift 2; exec "$@"';

interface Job<Request, Answer> extends PromiseWithResolvers<Answer> {
  request: Request;
}

type Reply<Answer> = { answer: Answer } | { error: string };

/**
 * Creates a runner of jobs. A thread would share this process's fate: V8 ends the whole process when one allocation of a
 * thread fails, whatever the limits of that thread.
 */
export function createChildJobs<Request extends {}, Answer>({
  program,
  heapMiB,
  deadlineMs,
}: ChildJobsOptions): ChildJobs<Request, Answer> {
  const queue = createRoundRobin<Job<Request, Answer>>();
  const stopping = new AbortController();
  let isRunning = false;

  async function work(request: Request): Promise<Answer> {
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(deadlineMs)]);
    const limits = [(heapMiB + OUTSIDE_MIB) * 1024, Math.ceil(deadlineMs / 1_000) + 1].map(String);
    const heap = `--max-old-space-size=${heapMiB}`;
    const child = fork(program, {
      execPath: '/bin/sh',
      execArgv: ['-c', LIMITED, 'sh', ...limits, process.execPath, heap],
      // Nothing else of the environment, which holds secrets.
      env: { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] },
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const over = new AbortController();
    child.on('error', (error) => over.abort(new JobEnded(error.message)));
    child.once('exit', (code, ended) =>
      over.abort(new JobEnded(`The child process ended with ${ended ?? code}.`)),
    );
    signal.addEventListener('abort', () =>
      over.abort(stopping.signal.reason ?? new JobEnded('It took too long.')),
    );
    try {
      const replied = once(child, 'message', { signal: over.signal });
      // The end of the child says why it could not be sent.
      child.send(request, () => {});
      const [reply] = (await replied) as [Reply<Answer>];
      if ('error' in reply) throw new Error(reply.error);
      return reply.answer;
    } catch (error) {
      throw over.signal.aborted ? over.signal.reason : error;
    } finally {
      child.kill('SIGKILL');
    }
  }

  async function next(): Promise<void> {
    const job = isRunning ? undefined : queue.next();
    if (job === undefined) return;
    isRunning = true;
    await work(job.request).then(job.resolve, job.reject);
    isRunning = false;
    void next();
  }

  return {
    async run(teamId, request) {
      stopping.signal.throwIfAborted();
      const waiting = queue.members();
      if (waiting.includes(teamId) || waiting.length >= MAX_WAITING) throw new JobsWaiting();
      const job = { request, ...Promise.withResolvers<Answer>() };
      queue.add(teamId, job);
      void next();
      return job.promise;
    },
    stop() {
      stopping.abort();
      for (let job = queue.next(); job !== undefined; job = queue.next())
        job.reject(stopping.signal.reason);
    },
  };
}

/** Does the job of the parent, as the program of a child: this process ends with its answer, or with its parent. */
export function serveJob<Request, Answer>(work: (request: Request) => Promise<Answer>): void {
  process.once('disconnect', () => process.exit());
  process.once('message', (request: Request) => {
    work(request).then(
      (answer) => process.send!({ answer }),
      (error: unknown) => process.send!({ error: (error as Error).stack ?? String(error) }),
    );
  });
  try {
    // Checks and answers come first, and if memory runs out they stay.
    os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL);
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Only Linux has it; the limits hold without.
  }
}

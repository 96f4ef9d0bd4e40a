import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import module from 'node:module';
import os from 'node:os';
import { createRoundRobin } from './round-robin.ts';

/** Runs work on untrusted input in child processes, one job at a time. */
export type ChildJobs<Request extends {}, Answer> = ReturnType<
  typeof createChildJobs<Request, Answer>
>;

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
/** A child is replaced after that many jobs, so that what they leave in its memory stays small. */
const MAX_JOBS = 100;
/** Sets what the process may use, and becomes the program: a limit of its heap does not stop what is allocated outside. */
const LIMITED = 'ulimit -d "$1"; ulimit -t "$2"; shift 2; exec "$@"';

interface Job<Request, Answer> extends PromiseWithResolvers<Answer> {
  request: Request;
}

type Reply<Answer> = { answer: Answer; cpuMs: number } | { error: string };

interface Child {
  process: ChildProcess;
  /** Aborts when the process ended, with a JobEnded. */
  ended: AbortSignal;
  jobs: number;
}

/**
 * Creates a runner of jobs. A thread would share this process's fate: V8 ends the whole process when one allocation of a
 * thread fails, whatever the limits of that thread.
 */
export function createChildJobs<Request extends {}, Answer>({
  program,
  heapMiB,
  deadlineMs,
  keepMs = 0,
}: {
  /** Program of the child, which calls `serveJob`. */
  program: URL;
  /** Limit of the heap in MiB; pictures, buffers and libraries outside of it get `OUTSIDE_MIB` more. */
  heapMiB: number;
  deadlineMs: number;
  /**
   * Time for which a child waits for the next job, which it starts without loading its program again. Absent: each job has
   * a child of its own, as work needs in which an input could take over the process.
   */
  keepMs?: number;
}) {
  const queue = createRoundRobin<Job<Request, Answer>>();
  const stopping = new AbortController();
  let isRunning = false;
  let kept: Child | null = null;
  let keeping: NodeJS.Timeout | undefined;

  function start(): Child {
    // A child has used the time of one deadline at most when it gets its last job, which may use as much.
    const cpuSeconds = Math.ceil((2 * deadlineMs) / 1_000) + 1;
    const limits = [(heapMiB + OUTSIDE_MIB) * 1024, cpuSeconds].map(String);
    // A small young generation, so that a child that waits keeps little.
    const memory = [`--max-old-space-size=${heapMiB}`, '--max-semi-space-size=2'];
    const child = fork(program, {
      execPath: '/bin/sh',
      execArgv: ['-c', LIMITED, 'sh', ...limits, process.execPath, ...memory],
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
    return { process: child, ended: over.signal, jobs: 0 };
  }

  function takeKept(): Child | null {
    clearTimeout(keeping);
    const child = kept;
    kept = null;
    if (child === null || child.ended.aborted) return null;
    child.process.ref();
    child.process.channel?.ref();
    return child;
  }

  /** Keeps a child for the next job. It does not keep this process alive. */
  function keep(child: Child): void {
    kept = child;
    child.process.unref();
    child.process.channel?.unref();
    keeping = setTimeout(() => void takeKept()?.process.kill('SIGKILL'), keepMs).unref();
  }

  async function work(request: Request, child = takeKept() ?? start()): Promise<Answer> {
    child.jobs += 1;
    const deadline = AbortSignal.timeout(deadlineMs);
    const over = AbortSignal.any([child.ended, stopping.signal, deadline]);
    try {
      const replied = once(child.process, 'message', { signal: over });
      // The end of the child says why it could not be sent.
      child.process.send(request, () => {});
      const [reply] = (await replied) as [Reply<Answer>];
      if ('error' in reply) throw new Error(reply.error);
      if (keepMs > 0 && child.jobs < MAX_JOBS && reply.cpuMs < deadlineMs) keep(child);
      else child.process.kill('SIGKILL');
      return reply.answer;
    } catch (error) {
      child.process.kill('SIGKILL');
      if (deadline.aborted) throw new JobEnded('It took too long.');
      stopping.signal.throwIfAborted();
      if (child.jobs > 1) return await work(request, start());
      throw child.ended.aborted ? child.ended.reason : error;
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
    /**
     * Teams take turns, and each has one job that waits. Rejects with JobsWaiting when there is one already, with JobEnded
     * when the work ended its process or took too long, and with the error of the work itself. A job that fails in a process
     * which worked for others before is done once more in a new one, so that its failure is its own.
     */
    async run(teamId: number, request: Request) {
      stopping.signal.throwIfAborted();
      const waiting = queue.members();
      if (waiting.includes(teamId) || waiting.length >= MAX_WAITING) throw new JobsWaiting();
      const job = { request, ...Promise.withResolvers<Answer>() };
      queue.add(teamId, job);
      void next();
      return job.promise;
    },
    /** Ends the child: what runs or waits, and all that follows, rejects. */
    stop() {
      stopping.abort();
      takeKept()?.process.kill('SIGKILL');
      for (let job = queue.next(); job !== undefined; job = queue.next())
        job.reject(stopping.signal.reason);
    },
  };
}

/** Does the jobs of the parent, as the program of a child, until the parent ends this process or itself. */
export function serveJob<Request, Answer>(work: (request: Request) => Promise<Answer>): void {
  process.once('disconnect', () => process.exit());
  // This process is killed and never exits, which is when Node would store them.
  module.flushCompileCache();
  process.on('message', (request: Request) => {
    work(request).then(
      (answer) => process.send!({ answer, cpuMs: cpuMs() }),
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

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { silentLog } from '../../src/lib/log.ts';
import { systemClock as clock } from '../../src/lib/clock.ts';
import type { CheckResult } from '../../src/model/check.ts';
import type { HttpCheckRequest } from '../../src/monitor-types/http.ts';
import { createContentEvaluator } from '../../src/probe/content/evaluator.ts';
import { createHttpProbe } from '../../src/probe/http/http.ts';
import { runProbe } from './probing.ts';

interface Work {
  request: HttpCheckRequest;
  count: number;
  concurrency: number;
}

export interface WorkDone {
  /** Number of checks by vote and failure code. */
  ends: Record<string, number>;
  /** Peak memory of the process in bytes. */
  peakBytes: number;
  /**
   * Longest uninterrupted CPU time of its event loop after the first checks; time in which the system ran other
   * processes does not count.
   */
  longestBusyMs: number;
}

/** Runs checks in a child process, as a probe process does, and reports what it used. */
export async function checkInChild(work: Work): Promise<WorkDone> {
  const child = fork(new URL(import.meta.url), ['check', JSON.stringify(work)], {
    execArgv: ['--max-semi-space-size=16'],
  });
  const gone = once(child, 'exit');
  const [done] = await Promise.race([
    once(child, 'message'),
    gone.then(([code]) => {
      throw new Error(`The process ended with ${code}.`);
    }),
  ]);
  await gone;
  return done as WorkDone;
}

async function check({ request, count, concurrency }: Work): Promise<WorkDone> {
  const evaluator = createContentEvaluator({ clock, log: silentLog });
  const probe = createHttpProbe({ evaluator });
  const ends: Record<string, number> = {};
  let left = count;
  const note = ({ vote, failure }: CheckResult): void => {
    const end = failure === null ? vote : `${vote} ${failure.code}`;
    ends[end] = (ends[end] ?? 0) + 1;
  };
  // The first checks load and compile code.
  for (; left > count - 3; left--) note(await runProbe(probe, request));
  const busy = watchBusyLoop();
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (left-- > 0) note(await runProbe(probe, request));
    }),
  );
  const longestBusyMs = busy.stop();
  await evaluator.close();
  return { ends, peakBytes: process.resourceUsage().maxRSS * 1_024, longestBusyMs };
}

const TICK_MS = 5;

/** Measures the CPU time of this thread between timers that are due every few milliseconds. */
function watchBusyLoop(): { stop(): number } {
  let before = process.threadCpuUsage();
  let longestMs = 0;
  const timer = setInterval(() => {
    const { user, system } = process.threadCpuUsage(before);
    before = process.threadCpuUsage();
    longestMs = Math.max(longestMs, (user + system) / 1_000);
  }, TICK_MS);
  return {
    stop() {
      clearInterval(timer);
      return longestMs;
    },
  };
}

if (process.argv[2] === 'check') {
  process.send!(await check(JSON.parse(process.argv[3]!) as Work));
  process.disconnect();
}

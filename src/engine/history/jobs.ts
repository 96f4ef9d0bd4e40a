import type { Timer } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { runRetentionSlice, type RetentionDependencies } from './retention.ts';
import { runRollupSlice } from './rollup.ts';

export type HistoryJobs = ReturnType<typeof createHistoryJobs>;

/** Pause between two slices of a job, in which other transactions run. */
const BETWEEN_SLICES_MS = 5;
const IDLE_MS = 30_000;
const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 60_000;

/** Roll-ups and retention in the background. Neither waits for the other; both wait for an unavailable database. */
export function createHistoryJobs(dependencies: RetentionDependencies & { log: Log }) {
  const jobs = [
    createJob('roll-ups', runRollupSlice, dependencies),
    createJob('retention', runRetentionSlice, dependencies),
  ];
  return {
    start() {
      for (const job of jobs) job.start();
    },
    /** Settles when the slices that are under way have ended. */
    async stop() {
      await Promise.all(jobs.map((job) => job.stop()));
    },
  };
}

function createJob(
  name: string,
  runSlice: (dependencies: RetentionDependencies) => Promise<'more' | 'idle'>,
  dependencies: RetentionDependencies & { log: Log },
) {
  const { clock, log } = dependencies;
  let timer: Timer | null = null;
  let running: Promise<void> | null = null;
  let stopped = false;
  let failures = 0;

  async function slice(): Promise<number> {
    try {
      const answer = await runSlice(dependencies);
      failures = 0;
      return answer === 'more' ? BETWEEN_SLICES_MS : IDLE_MS;
    } catch (error) {
      // Log: Summaries or the deletion of old data are late.
      log.warn({ error, job: name }, 'A history job could not do its work; it is tried again.');
      failures += 1;
      return Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** (failures - 1));
    }
  }

  async function turn(): Promise<void> {
    const milliseconds = await slice();
    if (!stopped) schedule(milliseconds);
  }

  function schedule(milliseconds: number): void {
    timer = clock.after(milliseconds, () => void (running = turn()));
  }

  return {
    start() {
      if (!timer && !stopped) schedule(0);
    },
    async stop() {
      stopped = true;
      clock.clear(timer);
      await running;
    },
  };
}

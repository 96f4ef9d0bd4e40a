import type { Timer } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { runRetentionSlice, type RetentionDependencies } from './retention.ts';
import { runRollupSlice } from './rollup.ts';

export interface HistoryJobsDependencies extends RetentionDependencies {
  log: Log;
}

export interface HistoryJobs {
  start(): void;
  /** Settles when the slice that is under way has ended. */
  stop(): Promise<void>;
}

/** Pause between two slices, in which other transactions run. */
const BETWEEN_SLICES_MS = 5;
const IDLE_MS = 30_000;
const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 60_000;

/** Roll-ups and retention in the background, slice by slice. While the database is away they wait for it. */
export function createHistoryJobs(dependencies: HistoryJobsDependencies): HistoryJobs {
  const { clock, log } = dependencies;
  let timer: Timer | null = null;
  let running: Promise<void> | null = null;
  let stopped = false;
  let failures = 0;

  /** Runs one slice of each job, and says when the next ones are due. Neither keeps the other from its work. */
  async function slices(): Promise<number> {
    const answers = [
      await attempt('roll-ups', runRollupSlice),
      await attempt('retention', runRetentionSlice),
    ];
    if (answers.includes('failed')) {
      failures += 1;
      return Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** (failures - 1));
    }
    failures = 0;
    return answers.includes('more') ? BETWEEN_SLICES_MS : IDLE_MS;
  }

  async function attempt(
    job: string,
    slice: (dependencies: RetentionDependencies) => Promise<'more' | 'idle'>,
  ): Promise<'more' | 'idle' | 'failed'> {
    try {
      return await slice(dependencies);
    } catch (error) {
      log.warn({ error, job }, 'A history job could not do its work; it is tried again.');
      return 'failed';
    }
  }

  async function turn(): Promise<void> {
    const milliseconds = await slices();
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

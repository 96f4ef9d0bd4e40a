import { sleep, systemClock } from '../../src/lib/clock.ts';
import type { Random } from '../simulation/random.ts';
import { addRecord } from './judge/records.ts';

export interface Job {
  id: number;
  /** Path of its ping URL, the same on every process. */
  path: string;
}

export interface Pinger {
  /** Resolves when no ping is under way. */
  stop(): Promise<void>;
}

const EVERY_MS = 2_500;
const TIMEOUT_MS = 10_000;
const AGAIN_MS = 500;

/**
 * Sends pings of the jobs to processes at random, and records those that were acknowledged. One that was not is sent again
 * under another mark, as a job's own retry would be.
 *
 * @param urls of the processes that take pings, whatever state they are in.
 */
export function startPinger(
  folder: string,
  jobs: readonly Job[],
  urls: () => readonly string[],
  random: Random,
): Pinger {
  const stopping = new AbortController();
  let sent = 0;

  const ping = async ({ id, path }: Job): Promise<boolean> => {
    const known = urls();
    if (known.length === 0) return false;
    const mark = `ping ${id}-${(sent += 1)}`;
    try {
      const response = await fetch(random.pick(known) + path, {
        method: 'POST',
        body: mark,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await response.arrayBuffer();
      if (!response.ok) return false;
      addRecord(folder, 'pings', { monitor: id, at: Date.now(), mark });
      return true;
    } catch {
      return false;
    }
  };
  const run = async (job: Job) => {
    while (!stopping.signal.aborted) {
      const isTaken = await ping(job);
      await sleep(systemClock, isTaken ? EVERY_MS : AGAIN_MS);
    }
  };
  const running = Promise.all(jobs.map(run));
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

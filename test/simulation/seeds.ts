import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Outcome } from './run.ts';

/** Runs many worlds on all cores. Outcomes come in any order; rejects when a world itself breaks. */
export async function runSeeds(
  from: number,
  count: number,
  onOutcome: (outcome: Outcome) => void,
): Promise<void> {
  let next = from;
  const end = from + count;
  const work = async () => {
    const worker = new Worker(new URL('./seed-worker.ts', import.meta.url));
    try {
      while (next < end) onOutcome(await runIn(worker, next++));
    } finally {
      await worker.terminate();
    }
  };
  const threads = Math.min(availableParallelism(), count);
  await Promise.all(Array.from({ length: threads }, work));
}

function runIn(worker: Worker, seed: number): Promise<Outcome> {
  const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
  worker.once('message', resolve);
  worker.once('error', reject);
  worker.postMessage(seed);
  return promise.finally(() => {
    worker.off('message', resolve);
    worker.off('error', reject);
  });
}

/** What many worlds had in common, for the people who wait and for the test that looks whether all rules were used. */
export interface Tally {
  failed: Outcome[];
  looks: Partial<Outcome['looks']>;
  counts: Partial<Outcome['counts']>;
  worlds: number;
}

export function createTally(): Tally {
  return { failed: [], looks: {}, counts: {}, worlds: 0 };
}

export function addToTally(tally: Tally, outcome: Outcome): void {
  tally.worlds += 1;
  if (outcome.violations.length > 0) tally.failed.push(outcome);
  addAll(tally.looks, outcome.looks);
  addAll(tally.counts, outcome.counts);
}

function addAll<Key extends string>(
  into: Partial<Record<Key, number>>,
  from: Record<Key, number>,
): void {
  for (const key of Object.keys(from) as Key[]) into[key] = (into[key] ?? 0) + from[key];
}

/** The story of a failed world, and how to see it again. */
export function reportOf({ seed, story }: Outcome): string {
  return [
    ...story,
    `Replay seed ${seed}: npm run simulate -- --from ${seed} --seeds 1 --story`,
  ].join('\n');
}

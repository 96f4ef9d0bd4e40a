import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Outcome } from './run.ts';

/** Runs many worlds on all cores. Outcomes come in any order; rejects when a world throws. */
export async function runSeeds(
  seeds: readonly number[],
  onOutcome: (outcome: Outcome) => void,
): Promise<void> {
  const left = seeds.values();
  const work = async () => {
    const worker = new Worker(new URL('./seed-worker.ts', import.meta.url));
    try {
      for (const seed of left) onOutcome(await runIn(worker, seed));
    } finally {
      await worker.terminate();
    }
  };
  const threads = Math.min(availableParallelism(), seeds.length);
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

export function seedsFrom(from: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => from + index);
}

/** Totals of many worlds. */
export interface Tally {
  failed: Outcome[];
  coverage: Partial<Outcome['coverage']>;
  counts: Partial<Outcome['counts']>;
  worlds: number;
}

export function createTally(): Tally {
  return { failed: [], coverage: {}, counts: {}, worlds: 0 };
}

export function addToTally(tally: Tally, outcome: Outcome): void {
  tally.worlds += 1;
  if (outcome.violations.length > 0) tally.failed.push(outcome);
  addAll(tally.coverage, outcome.coverage);
  addAll(tally.counts, outcome.counts);
}

function addAll<Key extends string>(
  into: Partial<Record<Key, number>>,
  from: Record<Key, number>,
): void {
  for (const key of Object.keys(from) as Key[]) into[key] = (into[key] ?? 0) + from[key];
}

/** The story of a failed world, and the command that replays it. */
export function reportOf({ seed, story }: Outcome): string {
  return [
    ...story,
    `Replay seed ${seed}: npm run simulate -- --from ${seed} --seeds 1 --story`,
  ].join('\n');
}

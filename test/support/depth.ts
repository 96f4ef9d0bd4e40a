import { inject } from 'vitest';
import type { Engine } from '../../src/store/database/dialect.ts';

/** `quick` in `npm test`, `deep` in `npm run test:deep`. */
export type Depth = 'quick' | 'deep';

declare module 'vitest' {
  export interface ProvidedContext {
    depth: Depth;
  }
}

interface Amounts {
  /** Simulated worlds with fixed seeds, by their place in one list: `deep` goes on where `quick` ends. */
  fixedWorlds: [from: number, to: number];
  /** Simulated worlds with random seeds, different in each run. */
  freshWorlds: number;
  /** Number of fuzzed requests, and whether more follow until each operation succeeded once. */
  fuzz: { requests: Record<Engine, number>; isEachDone: boolean };
  /** Number of checks of each broken target: the second one detects what the first left behind. */
  looksAtFaults: 1 | 2;
  /** Two owners of the same monitors: whether one of them freezes, seeds of random events, and rounds of concurrent recording. */
  owners: { isFrozen: boolean; seeds: number[]; turns: number };
  /** Whether outages are also tested with targets that are checked once an hour, which is most of the work. */
  hasHourlyChecks: boolean;
}

/** Amounts of the tests that run at both depths. */
const AMOUNTS: Record<Depth, Amounts> = {
  quick: {
    fixedWorlds: [0, 75],
    freshWorlds: 0,
    fuzz: { requests: { sqlite: 600, postgres: 200 }, isEachDone: false },
    looksAtFaults: 1,
    owners: { isFrozen: true, seeds: [1], turns: 100 },
    hasHourlyChecks: false,
  },
  deep: {
    fixedWorlds: [75, 300],
    freshWorlds: 16,
    fuzz: { requests: { sqlite: 6_000, postgres: 4_000 }, isEachDone: true },
    looksAtFaults: 2,
    owners: { isFrozen: false, seeds: [2, 3, 4], turns: 300 },
    hasHourlyChecks: true,
  },
};

export const amounts = AMOUNTS[inject('depth')];

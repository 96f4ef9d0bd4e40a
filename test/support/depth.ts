import { inject } from 'vitest';

/** `quick` in `npm test`, `deep` in `npm run test:deep`. */
export type Depth = 'quick' | 'deep';

declare module 'vitest' {
  export interface ProvidedContext {
    depth: Depth;
  }
}

interface Amounts {
  /** Simulated worlds with fixed seeds; those of `quick` are the first ones of `deep`. */
  fixedWorlds: number;
  /** Simulated worlds with random seeds, different in each run. */
  freshWorlds: number;
  /** Number of checks of each broken target: the second one detects what the first left behind. */
  looksAtFaults: 1 | 2;
  /** Two owners of the same monitors: seeds of random events, and rounds of concurrent recording. */
  owners: { seeds: number[]; turns: number };
  /** Whether outages are also tested with targets that are checked once an hour, which is most of the work. */
  hasHourlyChecks: boolean;
}

/** Amounts of the tests that run at both depths. */
const AMOUNTS: Record<Depth, Amounts> = {
  quick: {
    fixedWorlds: 100,
    freshWorlds: 0,
    looksAtFaults: 1,
    owners: { seeds: [1], turns: 40 },
    hasHourlyChecks: false,
  },
  deep: {
    fixedWorlds: 500,
    freshWorlds: 16,
    looksAtFaults: 2,
    owners: { seeds: [1, 2, 3, 4], turns: 300 },
    hasHourlyChecks: true,
  },
};

export const amounts = AMOUNTS[inject('depth')];

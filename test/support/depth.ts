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
  /** Simulated worlds of the same seeds each time; those of `quick` are the first ones of `deep`. */
  fixedWorlds: number;
  /** Simulated worlds of seeds that no run before had: each run looks where none has looked yet. */
  freshWorlds: number;
  /** Odd requests, and whether more follow until each operation has been done at least once. */
  fuzz: { requests: Record<Engine, number>; isEachDone: boolean };
  /** How often each broken or odd target is looked at: by the second time one sees what the first left behind. */
  looksAtFaults: 1 | 2;
  /** Of two owners of the same monitors: seeds of what happens to both at random, and turns of two judges at once. */
  owners: { seeds: number[]; turns: number };
  /** Whether outages are also looked for where all targets are checked once an hour, which is most of the work. */
  hasHourlyChecks: boolean;
  /** At which steps of a story the process dies: at each, or at one of each kind in its middle. */
  crashes: 'every' | 'in the middle';
}

/** How much of what is tested at both depths: the figures of each stand here alone. */
const AMOUNTS: Record<Depth, Amounts> = {
  quick: {
    fixedWorlds: 100,
    freshWorlds: 0,
    fuzz: { requests: { sqlite: 1_000, postgres: 400 }, isEachDone: false },
    looksAtFaults: 1,
    owners: { seeds: [1], turns: 100 },
    hasHourlyChecks: false,
    crashes: 'in the middle',
  },
  deep: {
    fixedWorlds: 500,
    freshWorlds: 16,
    fuzz: { requests: { sqlite: 10_000, postgres: 4_000 }, isEachDone: true },
    looksAtFaults: 2,
    owners: { seeds: [1, 2, 3, 4], turns: 300 },
    hasHourlyChecks: true,
    crashes: 'every',
  },
};

export const amounts = AMOUNTS[inject('depth')];

import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import type { Depth } from './test/support/depth.ts';

/** Left to `npm run test:deep` as a whole. */
const DEEP = ['src/**/*.deep.test.ts', 'test/**/*.deep.test.ts'];

/** In both runs: `test/support/depth.ts` says how much of it. */
const BOTH = [
  'test/flows/network-doubt.test.ts',
  'test/flows/owners.test.ts',
  'test/fuzz/fuzz.test.ts',
  'test/simulation/simulation.test.ts',
];

/** These judge what a process holds, or what is done in how long: each has a process and a core of its own. */
const ALONE = [
  'test/faults/faults.test.ts',
  'src/probe/content/thread.test.ts',
  'src/store/database/sqlite.test.ts',
];
const DEEP_ALONE = [
  'test/faults/faults.test.ts',
  'src/probe/http/memory.deep.test.ts',
  'test/browser/many-monitors.deep.test.ts',
];

const quick: { depth: Depth } = { depth: 'quick' };
const deep: { depth: Depth } = { depth: 'deep' };
const alone = { maxWorkers: 2 };
/** Modules are loaded once for many files, which is a third of the time: they must hold nothing that changes. */
const together = { isolate: false };

export default defineConfig({
  test: {
    globalSetup: [
      'test/support/compile-cache.ts',
      'test/support/postgres-server.ts',
      'test/support/built-dashboard.ts',
    ],
    // Slack for a machine that does other work: what passes takes a fraction of it.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    // Many tests wait for processes, leases and time limits: two cores have room for a fourth file.
    maxWorkers: Math.max(4, availableParallelism() - 1),
    // A failure names what was found, also where a list is long.
    chaiConfig: { truncateThreshold: 1_000 },
    coverage: { provider: 'v8', include: ['src/**/*.ts'], exclude: ['src/**/*.test.ts'] },
    projects: [
      {
        extends: true,
        test: {
          name: 'alone',
          include: ALONE,
          provide: quick,
          sequence: { groupOrder: 1 },
          ...alone,
        },
      },
      {
        extends: true,
        test: {
          name: 'together',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'web/**/*.test.{ts,tsx}'],
          exclude: [...ALONE, ...DEEP],
          provide: quick,
          sequence: { groupOrder: 2 },
          ...together,
        },
      },
      {
        extends: true,
        test: {
          name: 'deep-alone',
          include: DEEP_ALONE,
          provide: deep,
          sequence: { groupOrder: 3 },
          ...alone,
        },
      },
      {
        extends: true,
        test: {
          name: 'deep',
          include: [...DEEP, ...BOTH],
          exclude: DEEP_ALONE,
          provide: deep,
          sequence: { groupOrder: 4 },
          ...together,
        },
      },
    ],
  },
});

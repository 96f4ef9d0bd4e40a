import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** These judge what a process holds, or what is done in how long: each has a process and a core of its own. */
const ALONE = [
  'test/faults/**/*.test.ts',
  'src/probe/content/thread.test.ts',
  'src/probe/http/memory.test.ts',
  'src/store/database/sqlite.test.ts',
];

export default defineConfig({
  test: {
    globalSetup: ['test/support/postgres-server.ts'],
    testTimeout: 60_000,
    // Many tests wait for processes, leases and time limits: two cores have room for a fourth file.
    maxWorkers: Math.max(4, availableParallelism() - 1),
    coverage: { provider: 'v8', include: ['src/**/*.ts'], exclude: ['src/**/*.test.ts'] },
    projects: [
      {
        extends: true,
        // Modules are loaded once for many files, which is a third of the time: they must hold nothing that changes.
        test: {
          name: 'together',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: ALONE,
          isolate: false,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: { name: 'alone', include: ALONE, maxWorkers: 2, sequence: { groupOrder: 1 } },
      },
    ],
  },
});

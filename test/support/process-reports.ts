import type { ProcessReport, StoredProblem } from '../../src/model/installation-health.ts';
import type { Database } from '../../src/store/database/contract.ts';
import { installationWatch } from '../../src/store/engine/installation-health.ts';

/** Report of a process that plays all roles and is well. */
export function processReport(changes: Partial<ProcessReport> = {}): ProcessReport {
  return {
    id: 'a',
    name: 'a:3000',
    roles: ['api', 'scheduler', 'worker', 'probe'],
    version: '0.0.0',
    startedAt: 0,
    seenAt: 0,
    lagMs: 0,
    checksDue: 0,
    checksLate: 0,
    probes: { ash: 1 },
    freeBytes: null,
    isRefusingFiles: false,
    clockOffsetMs: null,
    failingDiscoveries: [],
    ...changes,
  };
}

/** A problem that counts since a minute ago, unless others are given. Times are epoch milliseconds. */
export function problemRow(now: number, changes: Partial<StoredProblem> = {}): StoredProblem {
  return {
    kind: 'role_missing',
    subject: 'worker',
    seenAt: now - 120_000,
    openedAt: now - 60_000,
    clearSince: null,
    value: null,
    processes: [],
    notifiedOpenedAt: null,
    ...changes,
  };
}

/** Stores the report of a process, and a problem of the installation. */
export function storeHealth(database: Database, now: number): Promise<void> {
  return database.transaction(async (tx) => {
    const report = processReport({ startedAt: now - 600_000, seenAt: now, clockOffsetMs: -20 });
    await installationWatch(tx).writeReport(report);
    const late = { kind: 'rounds_late', subject: '', value: 45, processes: [report.name] } as const;
    await installationWatch(tx).writeProblems([], [problemRow(now, late)]);
  });
}

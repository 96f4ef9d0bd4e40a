import { missedCause, failureCause } from '../../../src/engine/heartbeat/cause.ts';
import { nextFire } from '../../../src/lib/cron.ts';
import { parseCron } from '../../../src/lib/cron-expression.ts';
import { fixedRandom } from '../../simulation/random.ts';
import type { TestPing } from '../../support/pings.ts';
import type { Problem } from './problems.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
export const BACKUP = 'Nightly backup';
const GRACE_MS = 30 * MINUTE_MS;
const RUNS = 30;
/** Runs counted from the newest one: one failed, and one never began. */
const FAILED = 9;
const MISSED = 4;

/** A run of the nightly backup. Times are epoch milliseconds. */
interface BackupRun {
  expectedAt: number;
  endedAt: number;
  outcome: 'success' | 'failure' | 'missed';
}

/** The last 30 runs of the nightly backup, the oldest first. */
function backupRuns(now: number): BackupRun[] {
  const times = fireTimes('0 3 * * *', 'Europe/Berlin', now - 40 * DAY_MS, now - 30 * MINUTE_MS);
  const last = times.slice(-RUNS);
  return last.map((expectedAt, index) => {
    const age = last.length - index;
    const lasts = 11 * MINUTE_MS + Math.round(fixedRandom('backup', index) * 150_000);
    const outcome = age === FAILED ? 'failure' : age === MISSED ? 'missed' : 'success';
    return { expectedAt, endedAt: expectedAt + lasts, outcome };
  });
}

/** Times at which a cron expression fires in `[from, to)`, epoch milliseconds. */
function fireTimes(expression: string, timezone: string, from: number, to: number): number[] {
  const parsed = parseCron(expression);
  if (!parsed.ok) throw new Error(parsed.fault);
  const times: number[] = [];
  for (
    let at = nextFire(parsed.cron, timezone, from);
    at !== null && at < to;
    at = nextFire(parsed.cron, timezone, at)
  )
    times.push(at);
  return times;
}

/** The start and the end of each run, as the job reports them. */
export function backupPings(now: number): TestPing[] {
  return backupRuns(now).flatMap(({ expectedAt, endedAt, outcome }, index): TestPing[] => {
    if (outcome === 'missed') return [];
    const start: TestPing = { at: expectedAt + 2_000, kind: 'start' };
    const durationMs = endedAt - start.at;
    const gigabytes = (40 + index * 0.13).toFixed(1);
    const end: TestPing =
      outcome === 'success'
        ? {
            at: endedAt,
            durationMs,
            exitCode: 0,
            body: `pg_dump: done\n${gigabytes} GB in s3://backups`,
          }
        : {
            at: endedAt,
            kind: 'failure',
            durationMs,
            exitCode: 2,
            body: 'pg_dump: error: connection to server at "db-2.northwind.example" failed\nexit 2',
          };
    return [start, end];
  });
}

/** Its problems: each ends with the next run that succeeds. */
export function backupProblems(now: number): Problem[] {
  const runs = backupRuns(now);
  return runs.flatMap((run, index): Problem[] => {
    if (run.outcome === 'success') return [];
    const next = runs[index + 1]!;
    const began = run.outcome === 'failure' ? run.endedAt : run.expectedAt + GRACE_MS;
    const missed = { expectedAt: run.expectedAt, armedAt: 0, firstPingAt: 0, runs: [] };
    const { rootCause, failureCode } =
      run.outcome === 'failure' ? failureCause({ exitCode: 2 }) : missedCause(missed, GRACE_MS);
    return [
      {
        monitor: BACKUP,
        condition: 'heartbeat',
        beganAgo: now - began,
        endedAgo: now - next.endedAt,
        cause: rootCause,
        code: failureCode,
        regions: [],
        acknowledged: { by: 'Bo Lindqvist', afterMs: 4 * 60 * MINUTE_MS },
      },
    ];
  });
}

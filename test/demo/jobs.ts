import { expectedAfter, expectedAfterPing } from '../../src/engine/heartbeat/ping-schedule.ts';
import { parseCron } from '../../src/lib/cron-expression.ts';
import { OBSERVED_INDEFINITELY } from '../../src/model/heartbeat.ts';
import type { PingSchedule } from '../../src/monitor-types/definition.ts';
import type { Database } from '../../src/store/database/contract.ts';
import { insertGap, writeMark } from '../../src/store/engine/process-marks.ts';
import { rowOf, updateRows } from '../support/rows.ts';
import { storePings, type TestPing } from '../support/pings.ts';
import type { DemoMonitor } from './history.ts';
import { noise, numberOf } from './latency.ts';
import { BACKUP, backupPings } from './northwind/backup.ts';
import { DAY_MS, GAPS } from './northwind/problems.ts';

/** A job that has not called yet. */
export const SILENT = 'Ledger export';
const PINGS = 300;

/** Stores the pings of jobs, what is expected of them now, and when no pings could be received. */
export async function storeJobs(
  database: Database,
  jobs: readonly DemoMonitor[],
  now: number,
): Promise<void> {
  await database.transaction(async (tx) => {
    for (const { fromAgo, toAgo } of GAPS)
      await insertGap(tx, { from: now - fromAgo, to: now - toAgo });
    await writeMark(tx, now);
  });
  for (const job of jobs) if (job.name !== SILENT) await storeJob(database, job, now);
}

async function storeJob(database: Database, job: DemoMonitor, now: number): Promise<void> {
  const row = await rowOf(database, 'monitor', { id: job.id });
  const schedule = scheduleOf(row);
  const graceMs = (row.heartbeat_grace ?? 0) * 1_000;
  const pings = job.name === BACKUP ? backupPings(now) : ordinaryPings(job, schedule, now);
  await storePings(database, job.id, pings);
  const last = pings.at(-1)!.at;
  const success = pings.findLast(({ kind = 'success' }) => kind === 'success')!.at;
  const expectedAt = expectedAfterPing(schedule, graceMs, expectedAfter(schedule, last - 1), last);
  await updateRows(
    database,
    'monitor_state',
    {
      status: 'online',
      last_checked_at: last,
      first_ping_at: pings[0]!.at,
      last_heartbeat_at: success,
      heartbeat_expected_at: expectedAt,
      armed_at: last,
      due_at: expectedAt + graceMs,
      is_missed: 0,
      run_at: null,
      observed_until: OBSERVED_INDEFINITELY,
      evaluated_revision: job.revision,
    },
    { monitor_id: job.id },
  );
}

interface ScheduleColumns {
  heartbeat_interval: number | null;
  heartbeat_cron_expression: string | null;
  heartbeat_timezone: string | null;
}

function scheduleOf(row: ScheduleColumns): PingSchedule {
  if (row.heartbeat_interval !== null) return { intervalSeconds: row.heartbeat_interval };
  const parsed = parseCron(row.heartbeat_cron_expression!);
  if (!parsed.ok) throw new Error(parsed.fault);
  return { cron: parsed.cron, timezone: row.heartbeat_timezone! };
}

/** Pings that came in time: after each expected time of a cron job, and every interval of another one. */
function ordinaryPings({ name }: DemoMonitor, schedule: PingSchedule, now: number): TestPing[] {
  const seed = numberOf(name);
  const times =
    'intervalSeconds' in schedule
      ? regularTimes(schedule.intervalSeconds * 1_000, now, seed)
      : cronTimes(schedule, now).map((at, index) => at + 20_000 + noise(seed, index) * 90_000);
  const isHeard = (at: number) =>
    !GAPS.some(({ fromAgo, toAgo }) => now - fromAgo <= at && at < now - toAgo);
  return times.filter(isHeard).map((at, index) => ({
    at: Math.round(at),
    durationMs:
      'intervalSeconds' in schedule ? null : Math.round(15_000 + noise(seed, index) * 60_000),
    exitCode: 0,
    sourceAddress: '198.51.100.80',
  }));
}

function regularTimes(intervalMs: number, now: number, seed: number): number[] {
  const newest = now - intervalMs * (0.2 + 0.4 * noise(seed));
  return Array.from({ length: PINGS }, (_, index) => newest - (PINGS - 1 - index) * intervalMs);
}

function cronTimes(schedule: Extract<PingSchedule, { timezone: string }>, now: number): number[] {
  const { cron, timezone } = schedule;
  const times: number[] = [];
  for (let at = now - 60 * DAY_MS; ;) {
    at = expectedAfter({ cron, timezone }, at);
    if (at > now - 3 * 60_000) return times;
    times.push(at);
  }
}

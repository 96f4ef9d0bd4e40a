import { expect, test } from 'vitest';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { addMonitors, storeRounds } from '../../../test/support/history.ts';
import { roundOf } from '../../../test/support/rounds.ts';
import { silentLog } from '../../lib/log.ts';
import type { Database } from '../../store/database/contract.ts';
import type { OpenDatabase } from '../../store/database/database.ts';
import { DatabaseUnavailable } from '../../store/database/errors.ts';
import { listDays } from '../../store/engine/results.ts';
import { readRollups } from '../../store/engine/rollups.ts';
import { createHistoryJobs } from './jobs.ts';
import { openInMemory } from '../../../test/support/memory-database.ts';
import { closedAfterEach } from '../../../test/support/closing.ts';

const HOUR = 3_600_000;
const NOW = Date.UTC(2030, 4, 17, 12);

const opened = closedAfterEach<OpenDatabase>();

async function openJobs() {
  const database = await openInMemory();
  opened.push(database);
  const clock = createFakeClock({ now: NOW });
  const outage = { on: false, attempts: 0 };
  const flaky: Database = Object.create(database, {
    read: {
      get() {
        if (!outage.on) return database.read;
        outage.attempts++;
        throw new DatabaseUnavailable('it is away');
      },
    },
  });
  const warnings: string[] = [];
  const log = { ...silentLog, warn: (_: object, message: string) => void warnings.push(message) };
  const jobs = createHistoryJobs({
    database: flaky,
    clock,
    log,
    rawRetentionDays: 3,
    auditRetentionDays: 400,
    rollupRetentionDays: 400,
  });
  return { database, clock, outage, warnings, jobs };
}

test('hours are rolled up and days made as time goes by, until it is stopped', async () => {
  const { database, clock, warnings, jobs } = await openJobs();
  const [monitorId] = (await addMonitors(database, 1)) as [number];
  const round = roundOf('u', { monitorId, startedAt: NOW });
  await storeRounds(database, [{ round, kind: 'voted', class: 'up' }]);
  const rolledUp = async () =>
    (await readRollups(database.read, 'rollup_hour', [monitorId], { from: 0, to: 1e15 })).length;
  jobs.start();
  jobs.start();
  await clock.advance(HOUR);
  expect(await rolledUp()).toBe(0);
  await clock.advance(3 * 60_000);
  expect(await rolledUp()).toBe(1);
  await clock.advance(12 * HOUR);
  expect(await listDays(database)).toEqual(['20300517', '20300518', '20300519']);
  expect(warnings).toEqual([]);
  await jobs.stop();
  expect(clock.pending().timers).toBe(0);
});

test('while the database is away it waits longer and longer, and then goes on [24.28]', async () => {
  const { database, clock, outage, warnings, jobs } = await openJobs();
  outage.on = true;
  jobs.start();
  await clock.advance(10 * 60_000);
  expect(outage.attempts).toBeGreaterThan(10);
  expect(outage.attempts).toBeLessThan(40);
  expect(warnings.length).toBe(outage.attempts);
  outage.on = false;
  await clock.advance(61_000);
  expect(await listDays(database)).toHaveLength(2);
  await jobs.stop();
});

test('stop waits for the slice that is under way', async () => {
  const { database, clock, jobs } = await openJobs();
  jobs.start();
  const passing = clock.advance(2);
  await jobs.stop();
  await passing;
  expect(clock.pending().timers).toBe(0);
  await database.close();
});

import { afterEach, beforeEach, expect, test } from 'vitest';
import { PunctualityWindow } from './overload.ts';
import { createFakeClock, type FakeClock } from '../../../test/support/fake-clock.ts';
import { createMonitor } from '../../../test/support/monitor-rows.ts';
import { createScheduling, type Scheduling } from '../../../test/support/scheduling.ts';
import { openInMemory } from '../../../test/support/memory-database.ts';
import type { Database } from '../../store/database/contract.ts';

const SECOND = 1_000;
const INTERVAL = 30 * SECOND;

let clock: FakeClock;
let database: Database;
let house: Scheduling;

beforeEach(async () => {
  clock = createFakeClock();
  database = await openInMemory();
  house = createScheduling({ clock, database });
  house.scheduler.start();
  await createMonitor(database, clock.now());
  await clock.advance(SECOND);
});

afterEach(async () => {
  await house.scheduler.stop();
  await database.close();
});

test.each([
  [500, 0],
  [501, 1],
])(
  'a check whose first packet leaves %i ms after it was due: %i late [25.26]',
  async (afterMs, late) => {
    const before = house.scheduler.counters.checks_due;
    house.sendsAfterMs = afterMs;
    house.checkTakesMs = 2 * SECOND;
    await clock.advance(INTERVAL + 3 * SECOND);
    expect(house.scheduler.counters).toMatchObject({ checks_due: before + 1, checks_late: late });
    expect(house.scheduler.punctuality()).toEqual({ due: before + 1, late });
    expect(house.sentLags).toEqual([afterMs]);
  },
);

test('the lateness of the round counts towards its checks', async () => {
  house.sendsAfterMs = 300;
  await clock.advance(INTERVAL - 2 * SECOND);
  const started = house.started.length;
  for (let second = 0; house.started.length === started && second < 60; second++) {
    clock.freeze(900);
    await clock.advance(100);
  }
  const lagMs = house.lags.at(-1)!;
  expect(lagMs).toBeGreaterThan(200);
  expect(house.sentLags.at(-1)).toBe(lagMs + 300);
  expect(house.scheduler.counters.checks_late).toBe(1);
});

test('checkedAt is when a check was made, not when it was requested', async () => {
  house.sendsAfterMs = 7 * SECOND;
  house.checkTakesMs = 8 * SECOND;
  await clock.advance(INTERVAL + 9 * SECOND);
  const { startedAt, results } = house.rounds.at(-1)!;
  expect(results[0]!.checkedAt).toBe(startedAt + 7 * SECOND);
});

test('checks of skipped slots count as due and late', async () => {
  const before = house.scheduler.counters.checks_due;
  house.checkTakesMs = 100 * SECOND;
  await clock.advance(5 * INTERVAL);
  const { checks_due: due, checks_late: late, slots_skipped: skipped } = house.scheduler.counters;
  expect(skipped).toBeGreaterThanOrEqual(2);
  expect(late).toBe(skipped);
  expect(due - before).toBe(skipped + house.rounds.length - 1 + house.scheduler.roundsInFlight);
});

test('counts the last 60 seconds', () => {
  const counts = new PunctualityWindow();
  counts.add({ due: 4, late: 1 }, 100_000);
  counts.add({ due: 2, late: 0 }, 100_900);
  counts.add({ due: 1, late: 1 }, 130_000);
  expect(counts.totals(159_999)).toEqual({ due: 7, late: 2 });
  expect(counts.totals(160_000)).toEqual({ due: 1, late: 1 });
  expect(counts.totals(189_999)).toEqual({ due: 1, late: 1 });
  expect(counts.totals(10_000_000)).toEqual({ due: 0, late: 0 });
  counts.add({ due: 3, late: 0 }, 10_000_000);
  expect(counts.totals(10_000_001)).toEqual({ due: 3, late: 0 });
});

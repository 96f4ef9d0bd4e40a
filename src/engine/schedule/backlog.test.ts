import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createFakeClock, type FakeClock } from '../../../test/support/fake-clock.ts';
import { openInMemory } from '../../../test/support/memory-database.ts';
import {
  createMonitor,
  editMonitor,
  firstIds,
  importMonitors,
} from '../../../test/support/monitor-rows.ts';
import { createScheduling, type Scheduling } from '../../../test/support/scheduling.ts';
import type { Database } from '../../store/database/contract.ts';
import { nextSlot } from './grid.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
/** Rounds at once. */
const LIMIT = 10;

let clock: FakeClock;
let database: Database;
let house: Scheduling;

beforeEach(async () => {
  clock = createFakeClock({ now: Date.UTC(2030, 0, 1) });
  database = await openInMemory();
  house = createScheduling({ clock, database, maxBackfillRounds: LIMIT });
  house.checkTakesMs = 2 * SECOND;
});

afterEach(async () => {
  await house.scheduler.stop();
  await database.close();
});

async function start(): Promise<void> {
  house.scheduler.start();
  await clock.settle();
}

async function createMonitors(count: number, teamId = 1): Promise<number[]> {
  const ids: number[] = [];
  for (let made = 0; made < count; made++)
    ids.push(await createMonitor(database, clock.now(), { team_id: teamId, check_interval: 60 }));
  return ids;
}

const checked = () => house.started.map(({ monitorId }) => monitorId);

describe('first rounds of many monitors', () => {
  test('start when others end, as many at once as the limit', async () => {
    const ids = await createMonitors(25);
    await start();
    await clock.advance(SECOND);
    expect(checked()).toHaveLength(LIMIT);
    expect(house.scheduler.roundsInFlight).toBe(LIMIT);
    await clock.advance(2 * SECOND);
    expect(checked()).toHaveLength(2 * LIMIT);
    await clock.advance(2 * SECOND);
    expect(checked().toSorted((a, b) => a - b)).toEqual(ids);
  });

  test('are late by the time that they waited', async () => {
    await createMonitors(25);
    await start();
    await clock.advance(SECOND);
    expect(house.scheduler.lagMs()).toBeGreaterThanOrEqual(SECOND / 2);
    await clock.advance(5 * SECOND);
    expect(house.lags.filter((lagMs) => lagMs >= 2 * SECOND)).toHaveLength(25 - LIMIT);
    expect(house.scheduler.lagMs()).toBe(0);
  });

  test('start in turn by team', async () => {
    await createMonitors(40);
    await start();
    await clock.advance(SECOND);
    const [other] = await createMonitors(1, 2);
    house.scheduler.wake();
    await clock.advance(2 * SECOND);
    expect(checked().slice(0, 2 * LIMIT)).toContain(other);
  });

  test('hold up neither the grid nor a round after an edit', async () => {
    const running = firstIds(5);
    await importMonitors(database, running, clock.now(), { check_interval: 0.5 });
    await createMonitors(LIMIT * 20);
    await start();
    await clock.advance(SECOND);
    await editMonitor(database, 1, { url: 'http://example.test/new' }, clock.now());
    house.scheduler.wake();
    await clock.advance(SECOND);
    expect(house.started.map(({ url }) => url)).toContain('http://example.test/new');
    await clock.advance(30 * SECOND);
    expect(new Set(checked())).toEqual(new Set([...checked(), ...running]));
  });

  test('are dropped with a monitor that is deleted meanwhile', async () => {
    const ids = await createMonitors(25);
    await start();
    await clock.advance(SECOND);
    const waiting = ids.filter((id) => !checked().includes(id));
    await editMonitor(database, waiting[0]!, { deleted_at: clock.now() }, null);
    house.scheduler.wake();
    await clock.advance(MINUTE / 2);
    expect(checked().toSorted((a, b) => a - b)).toEqual(ids.filter((id) => id !== waiting[0]));
  });

  test('no longer start when the scheduler stops', async () => {
    await createMonitors(25);
    await start();
    await clock.advance(SECOND);
    const stopped = house.scheduler.stop(10 * SECOND);
    await clock.advance(10 * SECOND);
    await stopped;
    expect(checked()).toHaveLength(LIMIT);
  });
});

test('rounds that make up for a gap start when others end', async () => {
  const end = clock.now() + 5 * MINUTE;
  const ids = firstIds(400).filter((id) => nextSlot(id, DAY, clock.now()) > end);
  await importMonitors(database, ids, clock.now() - 3 * DAY, { check_interval: 24 * 60 });
  house.checkTakesMs = 5 * SECOND;
  await start();
  let most = 0;
  while (clock.now() < end) {
    await clock.advance(SECOND);
    most = Math.max(most, house.scheduler.roundsInFlight);
  }
  expect(most).toBe(LIMIT);
  expect(new Set(checked())).toEqual(new Set(ids));
});

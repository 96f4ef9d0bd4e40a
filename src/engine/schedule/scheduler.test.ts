import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createFakeClock, type FakeClock } from '../../../test/support/fake-clock.ts';
import {
  createMonitor,
  editMonitor,
  importMonitors,
  firstIds,
} from '../../../test/support/monitor-rows.ts';
import { createScheduling, type Scheduling } from '../../../test/support/scheduling.ts';
import { unknownResult } from '../../model/check.ts';
import { shardOf } from '../../model/monitor.ts';
import type { Database } from '../../store/database/contract.ts';
import { latestSlot, nextSlot, slotsBetween } from './grid.ts';
import { openInMemory } from '../../../test/support/memory-database.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const INTERVAL = 30 * SECOND;

let clock: FakeClock;
let database: Database;
let house: Scheduling;

beforeEach(async () => {
  clock = createFakeClock({ now: Date.UTC(2030, 0, 1) });
  database = await openInMemory();
  house = createScheduling({ clock, database });
});

afterEach(async () => {
  await house.scheduler.stop();
  await database.close();
});

async function start(): Promise<void> {
  house.scheduler.start();
  await clock.settle();
}

/** A process that was there before ends, and another one starts on the same database. */
async function restart(): Promise<void> {
  await house.scheduler.stop();
  house = createScheduling({ clock, database });
  await start();
}

const startsOf = (id: number) =>
  house.started.filter(({ monitorId }) => monitorId === id).map(({ at }) => at);

/** Goes on to shortly after the next slot of that monitor. */
async function pastSlot(id: number, intervalMs = INTERVAL): Promise<number> {
  const slot = nextSlot(id, intervalMs, clock.now());
  await clock.advance(slot - clock.now() + 10);
  return slot;
}

describe('a monitor', () => {
  test('is checked when it is created, then at each slot of its grid', async () => {
    await start();
    const id = await createMonitor(database, clock.now());
    const createdAt = clock.now();
    await clock.advance(SECOND);
    expect(startsOf(id)).toHaveLength(1);
    await clock.advance(10 * INTERVAL);
    const slots = Array.from(
      { length: 10 },
      (_, index) => nextSlot(id, INTERVAL, createdAt) + index * INTERVAL,
    );
    const later = startsOf(id).slice(1);
    expect(later.map((at) => latestSlot(id, INTERVAL, at))).toEqual(slots.slice(0, later.length));
    expect(later.length).toBeGreaterThanOrEqual(9);
    expect(house.rounds.slice(1).map(({ slot }) => slot)).toEqual(slots.slice(0, later.length));
    expect(house.scheduler.counters).toMatchObject({
      slots_skipped: 0,
      slots_absorbed: 0,
      slots_missed_in_gap: 0,
    });
  });

  test('submits its round with everything that the verdict depends on', async () => {
    await start();
    const id = await createMonitor(database, clock.now(), {
      team_id: 9,
      monitored_regions: '["pdx","ash"]',
      failure_threshold: 3,
      recovery_threshold: 2,
      slow_response_threshold: 400,
      check_types: '["keyword","ssl","dns"]',
      keyword_settings: '{"keywords":[{"phrase":"Welcome","mode":"must_contain"}]}',
      check_both_families: 1,
      check_interval: 2.5,
    });
    await clock.advance(SECOND);
    expect(house.rounds).toEqual([
      expect.objectContaining({
        monitorId: id,
        teamId: 9,
        revision: 1,
        settings: {
          intervalMs: 150_000,
          failureThreshold: 3,
          recoveryThreshold: 2,
          slowResponseThresholdMs: 400,
          content: 'keyword',
          inspections: ['dns'],
          checkBothFamilies: true,
        },
        knownRegions: ['pdx', 'ash'],
        results: [
          expect.objectContaining({ region: 'pdx', vote: 'up' }),
          expect.objectContaining({ region: 'ash', vote: 'up' }),
        ],
      }),
    ]);
  });

  test('is checked within a second of an edit, with the new settings [14.5]', async () => {
    const id = await createMonitor(database, clock.now());
    await start();
    await clock.advance(SECOND);
    await editMonitor(database, id, { url: 'http://other.example/' }, clock.now());
    await clock.advance(SECOND);
    expect(house.started.at(-1)).toMatchObject({ monitorId: id, url: 'http://other.example/' });
    expect(house.rounds.at(-1)!.revision).toBe(2);
    expect(startsOf(id)).toHaveLength(2);
  });

  test('keeps its schedule when its name is edited [14.7]', async () => {
    const id = await createMonitor(database, clock.now());
    await start();
    await clock.advance(SECOND);
    await editMonitor(database, id, { friendly_name: 'Shop' });
    await clock.advance(SECOND);
    expect(startsOf(id)).toHaveLength(1);
    const slot = await pastSlot(id);
    expect(house.rounds.at(-1)!.slot).toBe(slot);
  });

  test('follows the new grid when its interval is edited', async () => {
    const id = await createMonitor(database, clock.now());
    await start();
    await clock.advance(SECOND);
    await editMonitor(database, id, { check_interval: 5 }, clock.now());
    await clock.advance(SECOND);
    house.rounds.length = 0;
    const slot = nextSlot(id, 5 * MINUTE, clock.now());
    await clock.advance(5 * MINUTE + SECOND);
    expect(house.rounds[0]!.slot).toBe(slot);
    expect(house.rounds.length).toBeLessThanOrEqual(2);
    expect(house.scheduler.counters.slots_skipped).toBe(0);
  });

  test('is not checked within a second of being paused or deleted, and is checked again when resumed [14.5, 14.9]', async () => {
    const paused = await createMonitor(database, clock.now());
    const deleted = await createMonitor(database, clock.now());
    await start();
    await clock.advance(SECOND);
    expect(house.scheduler.monitors).toBe(2);
    await editMonitor(database, paused, { is_paused: 1 }, null);
    await editMonitor(database, deleted, { deleted_at: clock.now() }, null);
    await clock.advance(SECOND);
    expect(house.scheduler.monitors).toBe(0);
    house.started.length = 0;
    await clock.advance(5 * MINUTE);
    expect(house.started).toEqual([]);
    await editMonitor(database, paused, { is_paused: 0 }, clock.now());
    await clock.advance(SECOND);
    expect(startsOf(paused)).toHaveLength(1);
    expect(house.scheduler.monitors).toBe(1);
  });

  test('is never checked when it waits for pings', async () => {
    await createMonitor(database, clock.now(), { type: 'heartbeat', check_interval: null });
    await start();
    await createMonitor(database, clock.now(), { type: 'cron', check_interval: null });
    await clock.advance(2 * MINUTE);
    expect(house.started).toEqual([]);
    expect(house.scheduler.monitors).toBe(0);
  });

  test('that is unreadable does not affect others, and is checked once repaired [14.14]', async () => {
    const broken = await createMonitor(database, clock.now(), {
      request_headers: 'sealed:no json',
    });
    const whole = await createMonitor(database, clock.now(), {
      request_headers: 'sealed:{"A":"b"}',
    });
    await start();
    await clock.advance(SECOND);
    expect(startsOf(broken)).toEqual([]);
    expect(startsOf(whole)).toHaveLength(1);
    expect(house.scheduler.counters.plans_unreadable).toBe(1);
    await editMonitor(database, broken, { request_headers: null }, clock.now());
    await clock.advance(SECOND);
    expect(startsOf(broken)).toHaveLength(1);
  });
});

describe('a round in flight', () => {
  test('is the only one of its monitor: slots that pass during it are skipped [14.4]', async () => {
    const id = await createMonitor(database, clock.now());
    house.checkTakesMs = 70 * SECOND;
    await start();
    await clock.advance(10 * MINUTE);
    const starts = startsOf(id);
    expect(starts.length).toBeGreaterThan(4);
    for (const [index, at] of starts.entries()) {
      if (index > 0) expect(at - starts[index - 1]!).toBeGreaterThan(70 * SECOND);
    }
    const { rounds_started, slots_skipped, slots_absorbed } = house.scheduler.counters;
    const slots = slotsBetween(id, INTERVAL, starts[0]!, starts.at(-1)!);
    expect(rounds_started - 1 + slots_skipped + slots_absorbed).toBe(slots);
    expect(slots_skipped).toBeGreaterThan(4);
  });

  test('ends after its monitor is deleted, and the monitor stays deleted', async () => {
    const id = await createMonitor(database, clock.now());
    house.checkTakesMs = 10 * SECOND;
    await start();
    await clock.advance(SECOND);
    await editMonitor(database, id, { deleted_at: clock.now() }, null);
    await clock.advance(SECOND);
    expect(house.scheduler.monitors).toBe(0);
    expect(house.scheduler.roundsInFlight).toBe(1);
    await clock.advance(2 * MINUTE);
    expect(house.rounds).toHaveLength(1);
    expect(startsOf(id)).toHaveLength(1);
    expect(house.scheduler.monitors).toBe(0);
  });

  test('stays the only one when its monitor is paused and resumed during it', async () => {
    const id = await createMonitor(database, clock.now());
    house.checkTakesMs = 10 * SECOND;
    await start();
    await clock.advance(SECOND);
    await editMonitor(database, id, { is_paused: 1 }, null);
    await clock.advance(SECOND);
    await editMonitor(database, id, { is_paused: 0 }, clock.now());
    await clock.advance(SECOND);
    expect(startsOf(id)).toHaveLength(1);
    expect(house.scheduler.monitors).toBe(1);
    await clock.advance(8 * SECOND);
    expect(startsOf(id)).toHaveLength(2);
  });
});

describe('a verdict', () => {
  test('a chain of rechecks absorbs the slots within it, then the grid continues [14.13]', async () => {
    const id = await createMonitor(database, clock.now());
    await start();
    await clock.advance(SECOND);
    await pastSlot(id);
    let rechecks = 0;
    house.answer = (round) => (rechecks++ < 3 ? { runAt: round.finishedAt + 20 * SECOND } : {});
    const first = await pastSlot(id);
    await clock.advance(61 * SECOND);
    const starts = startsOf(id).filter((at) => at >= first);
    expect(starts.map((at) => Math.round((at - first) / SECOND))).toEqual([0, 20, 40, 60]);
    expect(house.scheduler.counters).toMatchObject({ slots_absorbed: 2, slots_skipped: 0 });
    expect(await pastSlot(id)).toBe(first + 3 * INTERVAL);
    expect(house.rounds.at(-1)!.slot).toBe(first + 3 * INTERVAL);
  });

  test('gone: the monitor is dropped', async () => {
    const id = await createMonitor(database, clock.now());
    house.answer = () => ({ outcome: 'gone' });
    await start();
    await clock.advance(5 * MINUTE);
    expect(startsOf(id)).toHaveLength(1);
    expect(house.scheduler.monitors).toBe(0);
  });

  test('duplicate: another process recorded later rounds; ours continue after its slot', async () => {
    const id = await createMonitor(database, clock.now());
    await start();
    await clock.advance(SECOND);
    const far = clock.now() + 10 * MINUTE;
    house.answer = ({ slot }) => (slot <= far ? { outcome: 'duplicate', lastSlot: far } : {});
    await pastSlot(id);
    await pastSlot(id);
    expect(house.rounds.at(-1)!.slot).toBe(far + 1);
  });
});

describe('the clock', () => {
  test.each([
    ['forward', 3_600_000 + 7_000],
    ['back', -3_600_000 - 7_000],
    ['forward by a second', 1_000],
    ['back by a second', -1_000],
  ])('that steps %s only shifts the next slot', async (_, stepMs) => {
    const id = await createMonitor(database, clock.now());
    await start();
    await clock.advance(2 * MINUTE);
    clock.stepWall(stepMs);
    const steppedAt = clock.now();
    const before = startsOf(id).length;
    await clock.advance(10 * INTERVAL);
    const starts = startsOf(id).slice(before);
    expect(starts.length).toBeGreaterThanOrEqual(9);
    expect(starts.length).toBeLessThanOrEqual(12);
    const onGrid = starts.filter((at) => at - latestSlot(id, INTERVAL, at) <= 10);
    expect(onGrid.length).toBeGreaterThanOrEqual(9);
    expect(starts[0]! - steppedAt).toBeLessThanOrEqual(INTERVAL + SECOND);
    const slots = house.rounds.map(({ slot }) => slot);
    expect(slots).toEqual([...new Set(slots)].toSorted((a, b) => a - b));
    expect(house.scheduler.counters.clock_steps).toBe(1);
  });

  test('that steps far forward runs long intervals soon, not after another interval', async () => {
    await importMonitors(database, firstIds(100), clock.now(), { check_interval: 60 });
    await start();
    await clock.advance(SECOND);
    clock.stepWall(2 * 3_600_000);
    await clock.advance(35 * SECOND);
    expect(new Set(house.started.map(({ monitorId }) => monitorId)).size).toBe(100);
  });

  test.each([
    ['forward', 25 * 3_600_000],
    ['back', -25 * 3_600_000],
  ])('that steps far %s delays no edit made before the step is noticed', async (_, stepMs) => {
    const id = await createMonitor(database, clock.now(), { check_interval: 60 });
    await start();
    await clock.advance(2 * MINUTE + 300);
    clock.stepWall(stepMs);
    const steppedAt = clock.now();
    await editMonitor(database, id, { url: 'http://other.example/' }, clock.now());
    house.scheduler.wake(shardOf(id));
    await clock.advance(5 * SECOND);
    expect(startsOf(id).filter((at) => Math.abs(at - steppedAt) < 10 * SECOND)).toHaveLength(1);
  });

  test('a frozen process makes up for missed rounds, spread out, and skips none [40.13]', async () => {
    await importMonitors(database, firstIds(3_000), clock.now());
    await start();
    await clock.advance(INTERVAL);
    house.started.length = 0;
    clock.freeze(10 * MINUTE);
    const thawedAt = clock.now();
    await clock.advance(30 * SECOND);
    const counts = Array.from({ length: 30 }, () => 0);
    for (const { at } of house.started)
      counts[Math.min(29, Math.floor((at - thawedAt) / SECOND))]!++;
    expect(Math.max(...counts)).toBeLessThan(3 * (3_000 / 30));
    expect(new Set(house.started.map(({ monitorId }) => monitorId)).size).toBe(3_000);
    const { counters } = house.scheduler;
    expect(counters.slots_skipped).toBe(0);
    expect(counters.freezes).toBe(1);
    expect(counters.slots_missed_in_gap).toBe(20 * 3_000);
  });
});

describe('a restart', () => {
  test('keeps the grid [14.3]', async () => {
    const id = await createMonitor(database, clock.now());
    await start();
    await pastSlot(id);
    await clock.advance(5 * SECOND);
    await restart();
    const slot = await pastSlot(id);
    expect(house.rounds.map((round) => round.slot)).toEqual([slot]);
  });

  test('after a long time checks every monitor within 30 s, spread out [14.10]', async () => {
    await importMonitors(database, firstIds(3_000), clock.now() - 3_600_000, {
      check_interval: 60,
    });
    const startedAt = clock.now();
    await start();
    await clock.advance(31 * SECOND);
    expect(new Set(house.started.map(({ monitorId }) => monitorId)).size).toBe(3_000);
    const counts = Array.from({ length: 31 }, () => 0);
    for (const { at } of house.started) counts[Math.floor((at - startedAt) / SECOND)]!++;
    expect(Math.max(...counts)).toBeLessThan(130);
  });
});

test('a round that no probe made runs again as soon as there is one, once', async () => {
  const id = await createMonitor(database, clock.now());
  await start();
  house.result = unknownResult('no_probe', 'for a test');
  const slot = await pastSlot(id);
  await clock.advance(10 * SECOND);
  const made = startsOf(id).filter((at) => at >= slot);
  expect(made).toHaveLength(2);
  expect(made[1]! - slot).toBeLessThan(5 * SECOND);
});

describe('stopping', () => {
  test('starts no more rounds and waits for rounds in flight as long as requested', async () => {
    await createMonitor(database, clock.now());
    house.checkTakesMs = 5 * SECOND;
    await start();
    await clock.advance(SECOND);
    let isStopped = false;
    void house.scheduler.stop(20 * SECOND).then(() => (isStopped = true));
    await clock.advance(3 * SECOND);
    expect(isStopped).toBe(false);
    await clock.advance(2 * SECOND);
    expect(isStopped).toBe(true);
    expect(house.rounds).toHaveLength(1);
    await clock.advance(5 * MINUTE);
    expect(house.started).toHaveLength(1);
    expect(clock.pending()).toEqual({ timers: 0, soons: 0 });
  });

  test('records rounds that it aborts as cut short [39.18]', async () => {
    const id = await createMonitor(database, clock.now());
    await start();
    const slot = await pastSlot(id);
    house.checkTakesMs = 5 * SECOND;
    const aborted = await pastSlot(id);
    expect(aborted).toBe(slot + INTERVAL);
    house.result = unknownResult('aborted', 'for a test');
    const stopped = house.scheduler.stop(20 * SECOND);
    await clock.advance(6 * SECOND);
    await stopped;
    expect(house.rounds.at(-2)).toMatchObject({ slot, isCutShort: false });
    expect(house.rounds.at(-1)).toMatchObject({ slot: aborted, isCutShort: true });
  });

  test('does not wait longer than requested', async () => {
    await createMonitor(database, clock.now());
    house.checkTakesMs = 10 * MINUTE;
    await start();
    await clock.advance(SECOND);
    let isStopped = false;
    void house.scheduler.stop(2 * SECOND).then(() => (isStopped = true));
    await clock.advance(2 * SECOND);
    expect(isStopped).toBe(true);
  });
});

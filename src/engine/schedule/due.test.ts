import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dueAfterGap, dueAgain, nextDue, slotOfRound, type Timing } from './due.ts';
import { latestSlot, nextSlot } from './grid.ts';

const NOW = Date.UTC(2030, 0, 1);
const MINUTE = 60_000;

const timing = (fields: Partial<Timing> = {}): Timing => ({
  monitorId: 7,
  intervalMs: 5 * MINUTE,
  runAt: null,
  lastSlot: null,
  lastCheckedAt: null,
  ...fields,
});

const gridAfter = (now: number) => nextSlot(7, 5 * MINUTE, now);

describe('nextDue', () => {
  test.each([
    ['without a requested round: the grid', null, 'grid', gridAfter(NOW)],
    ['a recheck in 10 s', NOW + 10_000, 'run_at', NOW + 10_000],
    ['a recheck that is overdue', NOW - 10_000, 'run_at', NOW - 10_000],
    ['a look within the minute, after the grid too', NOW + 60_000, 'run_at', NOW + 60_000],
    ['a time that a clock ahead of ours wrote', NOW + 3_600_000, 'grid', gridAfter(NOW)],
  ])('%s', (_, runAt, kind, at) => {
    expect(nextDue(timing({ runAt }), NOW)).toEqual({ at, kind });
  });

  test('keeps a distant run_at that comes before the next slot', () => {
    const hourly = timing({ intervalMs: 60 * MINUTE });
    const slot = nextSlot(7, 60 * MINUTE, NOW);
    const runAt = slot - 1;
    expect(runAt).toBeGreaterThan(NOW + MINUTE);
    expect(nextDue({ ...hourly, runAt }, NOW)).toEqual({ at: runAt, kind: 'run_at' });
  });

  test('a recheck scheduled before the clock stepped back waits at most one interval', () => {
    const often = { ...timing(), intervalMs: 30_000 };
    const recheck = (afterMs: number) => nextDue({ ...often, runAt: NOW + afterMs }, NOW);
    expect(recheck(20_000)).toEqual({ at: NOW + 20_000, kind: 'run_at' });
    expect(recheck(58_000)).toEqual({ at: nextSlot(7, 30_000, NOW), kind: 'grid' });
  });

  test('a round that started slightly early is not repeated for its slot', () => {
    const slot = gridAfter(NOW);
    expect(nextDue(timing(), slot - 3, slot).at).toBe(slot + 5 * MINUTE);
    expect(nextDue(timing(), slot - 3, null).at).toBe(slot);
  });

  test('ignores a last round far ahead, from before the clock stepped back', () => {
    expect(nextDue(timing(), NOW, NOW + 86_400_000).at).toBe(gridAfter(NOW));
  });

  test('is never more than an interval away, whatever was stored', () => {
    const near = fc.integer({ min: NOW - 100_000, max: NOW + 100_000 });
    const far = fc.integer({ min: NOW - 1e9, max: NOW + 1e9 });
    const time = fc.option(fc.oneof(near, far), { nil: null });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e9 }),
        fc.integer({ min: 30_000, max: 3_600_000 }),
        time,
        time,
        time,
        (monitorId, intervalMs, runAt, lastSlot, lastCheckedAt) => {
          const any = { monitorId, intervalMs, runAt, lastSlot, lastCheckedAt };
          const longest = NOW + intervalMs;
          expect(nextDue(any, NOW).at).toBeLessThanOrEqual(longest);
          expect(dueAfterGap(any, NOW).at).toBeLessThanOrEqual(longest);
        },
      ),
    );
  });
});

/** A monitor that was last checked a minute ago. */
const lately = (intervalMs: number) => ({
  monitorId: 7,
  intervalMs,
  runAt: null,
  lastSlot: NOW - 60_000,
  lastCheckedAt: NOW - 60_000,
});

describe('dueAgain', () => {
  test('comes within a quarter of the time since the round was due', () => {
    const { at, kind } = dueAgain(lately(3_600_000), NOW - 40_000, NOW);
    expect(kind).toBe('catch_up');
    expect(at).toBeGreaterThanOrEqual(NOW);
    expect(at).toBeLessThanOrEqual(NOW + 10_000);
  });

  test('is the next round if that comes as soon', () => {
    const next = nextDue(lately(30_000), NOW);
    const wasDue = NOW - 1_000_000;
    expect(dueAgain(lately(30_000), wasDue, next.at - 1)).toEqual(next);
  });

  test('is what was asked for if that comes as soon', () => {
    const asked = { ...lately(3_600_000), runAt: NOW };
    expect(dueAgain(asked, NOW - 40_000, NOW)).toEqual({ at: NOW, kind: 'run_at' });
  });
});

describe('dueAfterGap', () => {
  const latest = latestSlot(7, 5 * MINUTE, NOW);

  test('follows the grid when nothing was missed', () => {
    expect(dueAfterGap(timing({ lastSlot: latest }), NOW)).toEqual(nextDue(timing(), NOW));
    const looked = timing({ lastSlot: latest - 5 * MINUTE, lastCheckedAt: latest + 1 });
    expect(dueAfterGap(looked, NOW)).toEqual(nextDue(looked, NOW));
  });

  test('runs a missed slot within 30 s', () => {
    const due = dueAfterGap(timing({ lastSlot: latest - 5 * MINUTE }), NOW);
    expect(due.kind).toBe('catch_up');
    expect(due.at).toBeGreaterThanOrEqual(NOW);
    expect(due.at).toBeLessThan(NOW + 30_000);
  });

  test('after a gap of seconds, as in a takeover, no interval is left out', () => {
    for (let monitorId = 1; monitorId <= 1_000; monitorId++) {
      const intervalMs = 30_000;
      const missed = latestSlot(monitorId, intervalMs, NOW);
      const takenOverAt = missed + 8_000;
      const lastSlot = missed - intervalMs;
      const due = dueAfterGap(timing({ monitorId, intervalMs, lastSlot }), takenOverAt);
      expect(due.kind).toBe('catch_up');
      expect(due.at).toBeGreaterThanOrEqual(takenOverAt);
      expect(due.at).toBeLessThanOrEqual(takenOverAt + 2_000);
    }
  });

  test('a recheck that a takeover delayed by seconds runs in seconds', () => {
    const due = dueAfterGap(timing({ lastSlot: latest, runAt: NOW - 8_000 }), NOW);
    expect(due.kind).toBe('run_at');
    expect(due.at).toBeLessThanOrEqual(NOW + 2_000);
  });

  test('waits for the next slot when it comes sooner', () => {
    const shortBefore = gridAfter(NOW) - 1;
    const due = dueAfterGap(timing({ lastSlot: NOW - 86_400_000 }), shortBefore);
    expect(due).toEqual({ at: gridAfter(NOW), kind: 'grid' });
  });

  test('a monitor that was never checked is due at once', () => {
    const created = timing({ runAt: NOW - 3_000 });
    expect(dueAfterGap(created, NOW)).toEqual({ at: NOW - 3_000, kind: 'run_at' });
  });

  test('keeps a pending recheck; runs a missed one within 10 s [14.11]', () => {
    const lastSlot = latest;
    const coming = dueAfterGap(timing({ lastSlot, runAt: NOW + 4_000 }), NOW);
    expect(coming).toEqual({ at: NOW + 4_000, kind: 'run_at' });
    const passed = dueAfterGap(timing({ lastSlot, runAt: NOW - 4_000 }), NOW);
    expect(passed.kind).toBe('run_at');
    expect(passed.at).toBeGreaterThanOrEqual(NOW);
    expect(passed.at).toBeLessThan(NOW + 10_000);
  });

  test('spreads the missed rounds of 10,000 monitors evenly', () => {
    const counts = Array.from({ length: 30 }, () => 0);
    for (let monitorId = 1; monitorId <= 10_000; monitorId++) {
      const { at } = dueAfterGap(timing({ monitorId, intervalMs: 60 * MINUTE, lastSlot: 0 }), NOW);
      const second = Math.floor((at - NOW) / 1_000);
      if (second < 30) counts[second]!++;
    }
    expect(Math.min(...counts)).toBeGreaterThan(300);
    expect(Math.max(...counts)).toBeLessThan(370);
  });
});

test('slots of rounds strictly increase, also when the clock steps back', () => {
  expect(slotOfRound(NOW, null)).toBe(NOW);
  expect(slotOfRound(NOW, NOW - 30_000)).toBe(NOW);
  expect(slotOfRound(NOW, NOW)).toBe(NOW + 1);
  expect(slotOfRound(NOW - 3_600_000, NOW)).toBe(NOW + 1);
});

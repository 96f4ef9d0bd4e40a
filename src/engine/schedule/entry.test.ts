import type { CheckRequest } from '../../model/check.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { roundOf } from '../../../test/support/rounds.ts';
import type { MonitorState } from '../../model/state.ts';
import { Entry, type StoredTimes } from './entry.ts';
import { latestSlot, nextSlot } from './grid.ts';
import type { Plan } from './round.ts';

const INTERVAL = 30_000;
const MONITOR = 7;
const SLOT = nextSlot(MONITOR, INTERVAL, Date.UTC(2030, 0, 1));

const plan = (fields: Partial<Plan> = {}): Plan => ({
  monitorId: MONITOR,
  teamId: 1,
  shard: MONITOR,
  version: 1,
  revision: 1,
  regions: ['ash'],
  settings: {
    intervalMs: INTERVAL,
    failureThreshold: 2,
    recoveryThreshold: 1,
    slowResponseThresholdMs: null,
    content: null,
    inspections: [],
    checkBothFamilies: false,
  },
  request: { monitorId: MONITOR, type: 'ping', host: 'a', timeoutMs: 1_000 } as CheckRequest,
  ...fields,
});

const times = (lastSlot: number | null, runAt: number | null = null): StoredTimes => ({
  lastSlot,
  lastCheckedAt: lastSlot,
  runAt,
});

const state = (fields: Partial<MonitorState> = {}): MonitorState => ({
  monitorId: MONITOR,
  teamId: 1,
  revision: 1,
  status: 'online',
  lastSlot: SLOT,
  lastCheckedAt: SLOT,
  runAt: null,
  observedUntil: null,
  isPaused: false,
  evaluatedRevision: 1,
  confirmations: {},
  newest: {},
  ...fields,
});

const round = roundOf('u', { monitorId: MONITOR, slot: SLOT });
const NEXT = { at: SLOT + INTERVAL, kind: 'grid' };

let entry: Entry;

/** The round of SLOT has begun; the row still holds what was there before it. */
beforeEach(() => {
  entry = new Entry(plan(), times(SLOT - INTERVAL), SLOT - 1, false);
  entry.begin(SLOT, SLOT);
});

describe('an edit while a round is in flight or being judged', () => {
  test('of the name: the time that the round began with is not asked for again', () => {
    entry.finish(SLOT + 100);
    const stored = times(SLOT - INTERVAL, SLOT);
    expect(entry.edit(plan({ version: 2 }), stored, SLOT + 200)).toBe(false);
    expect(entry.due).toEqual(NEXT);
  });

  test('a look that was asked for since then is kept, and comes when the round has ended', () => {
    entry.edit(plan({ version: 2 }), times(SLOT - INTERVAL, SLOT + 50), SLOT + 60);
    entry.finish(SLOT + 100);
    expect(entry.due).toEqual({ at: SLOT + 50, kind: 'run_at' });
  });

  test('of the check itself always counts, though the clock of who wrote it is behind ours', () => {
    const stored = times(SLOT - INTERVAL, SLOT - 500);
    entry.edit(plan({ version: 2, revision: 2 }), stored, SLOT + 60);
    entry.finish(SLOT + 100);
    expect(entry.due).toEqual({ at: SLOT - 500, kind: 'run_at' });
  });

  test('a recheck that the judge answered stays though the row was read before', () => {
    entry.finish(SLOT + 100);
    entry.applyVerdict(round, state({ runAt: SLOT + 10_000 }), SLOT + 150);
    entry.edit(plan({ version: 2 }), times(SLOT - INTERVAL, null), SLOT + 200);
    expect(entry.due).toEqual({ at: SLOT + 10_000, kind: 'run_at' });
  });

  test('a row read after the judge wrote it is the truth', () => {
    entry.finish(SLOT + 100);
    entry.edit(plan({ version: 2 }), times(SLOT, SLOT + 10_000), SLOT + 200);
    expect(entry.due).toEqual({ at: SLOT + 10_000, kind: 'run_at' });
  });

  test('that is older than what is known changes nothing', () => {
    entry.edit(plan({ version: 3, revision: 3 }), times(null, SLOT + 50), SLOT + 60);
    const old = plan({ version: 2, revision: 2 });
    expect(entry.edit(old, times(null, null), SLOT + 70)).toBe(false);
    expect(entry.plan.version).toBe(3);
    expect(entry.runAt).toBe(SLOT + 50);
  });
});

describe('the answer of the judge', () => {
  test('brings a recheck', () => {
    entry.finish(SLOT + 100);
    expect(entry.applyVerdict(round, state({ runAt: SLOT + 10_000 }), SLOT + 150)).toBe(true);
    expect(entry.due).toEqual({ at: SLOT + 10_000, kind: 'run_at' });
  });

  test('without one leaves the grid', () => {
    entry.finish(SLOT + 100);
    expect(entry.applyVerdict(round, state(), SLOT + 150)).toBe(false);
    expect(entry.due).toEqual(NEXT);
  });

  test('to a round before the one in flight says nothing of when', () => {
    entry.finish(SLOT + 100);
    entry.begin(SLOT + INTERVAL, SLOT + INTERVAL);
    const late = state({ runAt: SLOT + INTERVAL + 1 });
    expect(entry.applyVerdict(round, late, SLOT + INTERVAL + 10)).toBe(false);
    expect(entry.runAt).toBeNull();
  });

  test('of a newer revision waits for the monitor to be loaded', () => {
    entry.finish(SLOT + 100);
    const newer = state({ revision: 2, runAt: SLOT + 120 });
    expect(entry.applyVerdict(round, newer, SLOT + 150)).toBe(false);
  });

  test('does not undo a look that an edit asked for since the round began', () => {
    entry.finish(SLOT + 100);
    entry.edit(plan({ version: 2 }), times(SLOT - INTERVAL, SLOT + 120), SLOT + 130);
    entry.applyVerdict(round, state(), SLOT + 150);
    expect(entry.due).toEqual({ at: SLOT + 120, kind: 'run_at' });
  });
});

describe('slots of the grid', () => {
  test('that pass while a round is in flight are skipped, but for the one that the next round serves', () => {
    entry.finish(SLOT + 3 * INTERVAL + 100);
    expect(entry.begin(entry.due.at, entry.due.at)).toEqual({ skipped: 3, absorbed: 0 });
  });

  test('that pass before a recheck are absorbed', () => {
    entry.finish(SLOT + 16_000);
    entry.applyVerdict(round, state({ runAt: SLOT + INTERVAL + 5_000 }), SLOT + 16_050);
    expect(entry.begin(entry.due.at, entry.due.at)).toEqual({ skipped: 0, absorbed: 1 });
    entry.finish(entry.due.at + 100);
    expect(entry.begin(entry.due.at, entry.due.at)).toEqual({ skipped: 0, absorbed: 0 });
  });

  test('that pass while a round off the grid is in flight are absorbed', () => {
    entry.finish(SLOT + 100);
    entry.applyVerdict(round, state({ runAt: SLOT + 10_000 }), SLOT + 150);
    entry.begin(SLOT + 10_000, SLOT + 10_000);
    expect(entry.finish(SLOT + INTERVAL + 1_000)).toBe(1);
    expect(entry.begin(entry.due.at, entry.due.at)).toEqual({ skipped: 0, absorbed: 0 });
  });

  test('that pass in a gap of ours are missed, once, and none of them is skipped too', () => {
    entry.finish(SLOT + 100);
    const now = SLOT + 10 * INTERVAL + 5_000;
    expect(entry.endGap(now, 0)).toBe(10);
    expect(entry.endGap(now, 0)).toBe(0);
    expect(entry.due.at).toBeGreaterThanOrEqual(now);
    expect(entry.due.at).toBeLessThanOrEqual(nextSlot(MONITOR, INTERVAL, now));
    expect(entry.begin(entry.due.at, entry.due.at).skipped).toBe(0);
  });

  test('a slot that is late by less than what is tolerated is run, not missed', () => {
    entry.finish(SLOT + 100);
    expect(entry.endGap(SLOT + INTERVAL + 1_500, 2_000)).toBe(0);
    expect(entry.due).toEqual(NEXT);
  });

  test('a gap in which nothing was due changes nothing', () => {
    entry.finish(SLOT + 100);
    expect(entry.endGap(SLOT + 20_000, 0)).toBe(0);
    expect(entry.due).toEqual(NEXT);
  });

  test('after the clock was set back the grid goes on at once', () => {
    entry.finish(SLOT + 100);
    const now = SLOT - 3_600_000 + 100;
    entry.onClockSetBack(now);
    expect(entry.due).toEqual({ at: nextSlot(MONITOR, INTERVAL, now), kind: 'grid' });
    expect(latestSlot(MONITOR, INTERVAL, now)).toBe(entry.due.at - INTERVAL);
    expect(entry.begin(SLOT + 1, entry.due.at)).toEqual({ skipped: 0, absorbed: 0 });
  });
});

import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadRecurrences, parseRecurrence, type Recurrences } from '../../lib/recurrence.ts';
import {
  startedAndNext,
  endOfChain,
  heldUntil,
  hasGoodRounds,
  isInScope,
  nextRunAt,
  stateOf,
  occurrencesAfter,
  type MaintenanceScope,
} from './window.ts';

const SCOPE: MaintenanceScope = { monitors: [], groups: [], tags: [] };
const MONITOR = { id: 7, groupIds: [3, 1], tags: ['shop'] };
const HOUR = 3_600_000;

test.each<[Partial<MaintenanceScope>, boolean]>([
  [{}, true],
  [{ monitors: [7] }, true],
  [{ monitors: [8] }, false],
  [{ groups: [3] }, true],
  [{ groups: [1] }, true],
  [{ groups: [7] }, false],
  [{ tags: ['shop', 'x'] }, true],
  [{ tags: ['Shop'] }, false],
  [{ monitors: [8], tags: ['shop'] }, true],
])('%o takes in a monitor: %s', (scope, wanted) => {
  expect(isInScope({ ...SCOPE, ...scope }, MONITOR)).toBe(wanted);
});

/** `0-20 21-30`: from and to. */
const rangesOf = (text: string) =>
  (text.match(/\S+/g) ?? []).map((range) => range.split('-').map(Number) as [number, number]);

test.each<[string, string, number | null]>([
  ['no window', '', null],
  ['one that runs', '0-20', 20],
  ['one that begins now', '10-20', 20],
  ['one that ends now', '0-10', null],
  ['one that comes', '11-20', null],
  ['a chain, in any order', '30-40 5-20 20-30', 40],
  ['one within another', '0-50 8-20', 50],
  ['a pause', '0-20 21-30', 20],
])('held through %s', (_name, windows, wanted) => {
  const all = rangesOf(windows).map(([from, to]) => ({
    ...SCOPE,
    windowId: 1,
    teamId: 1,
    from,
    to,
  }));
  expect(heldUntil(all, MONITOR, 10)).toBe(wanted);
  const others = { ...SCOPE, monitors: [8], windowId: 2, teamId: 1, from: 0, to: 99 };
  expect(heldUntil([...all, others], MONITOR, 10)).toBe(wanted);
});

test('a chain ends at the first instant without an occurrence', () => {
  const window = fc
    .tuple(fc.nat(30), fc.nat(10))
    .map(([from, size]) => ({ from, to: from + size }));
  fc.assert(
    fc.property(fc.array(window, { maxLength: 8 }), fc.nat(30), (windows, now) => {
      const isCovered = (at: number) => windows.some(({ from, to }) => from <= at && at < to);
      let end = now;
      while (isCovered(end)) end += 1;
      expect(endOfChain(windows, now)).toBe(end === now ? null : end);
    }),
  );
});

describe('occurrences', () => {
  let recurrences: Recurrences;
  beforeAll(async () => void (recurrences = await loadRecurrences()));
  const startsAt = Date.UTC(2030, 9, 26, 1);

  test('of a single window', () => {
    const once = { startsAt, endsAt: startsAt + HOUR, rule: null, timezone: 'UTC' };
    expect([...occurrencesAfter(once, startsAt - 1, null)]).toEqual([
      { from: startsAt, to: startsAt + HOUR },
    ]);
    expect([...occurrencesAfter(once, startsAt, null)]).toEqual([]);
  });

  test('of a recurring window last as long as the first, also across a change of daylight saving time', () => {
    const parsed = parseRecurrence('FREQ=DAILY');
    if ('fault' in parsed) throw new Error(parsed.fault);
    const timezone = 'Europe/Berlin';
    const daily = { startsAt, endsAt: startsAt + 2 * HOUR, rule: parsed.rule, timezone };
    const times = startedAndNext(
      occurrencesAfter(daily, startsAt - 1, recurrences),
      startsAt + 30 * HOUR,
      99,
    );
    expect(times.map(({ from, to }) => [(from - startsAt) / HOUR, (to - from) / HOUR])).toEqual([
      [0, 2],
      [25, 2],
      [49, 2],
    ]);
    expect(
      startedAndNext(occurrencesAfter(daily, startsAt - 1, recurrences), startsAt, 1),
    ).toHaveLength(1);
  });
});

test.each<[string, [number, number][], boolean, object, number | null]>([
  ['nothing', [], true, { status: 'over', activeUntil: null, next: null }, null],
  ['what comes', [[20, 30]], true, { status: 'scheduled', next: { from: 20, to: 30 } }, 20],
  ['what runs', [[5, 30]], false, { status: 'active', activeUntil: 30, next: null }, 30],
  ['what runs and may end early', [[5, 9_000]], true, { status: 'active' }, 2_010],
  ['what ends before that', [[5, 30]], true, { status: 'active' }, 30],
  [
    'what runs and comes',
    [
      [5, 30],
      [25, 50],
    ],
    false,
    { activeUntil: 30, next: { from: 25 } },
    25,
  ],
])('%s', (_name, windows, endsEarly, state, look) => {
  const times = windows.map(([from, to]) => ({ from, to }));
  expect(stateOf(times, 10)).toMatchObject(state);
  expect(nextRunAt(times, 10, endsEarly)).toBe(look);
});

test.each([
  ['up up up', true],
  ['down up up up', true],
  ['up up', false],
  ['up down up up', false],
  ['up regional up up', false],
  ['up up unknown up', true],
  ['up up up down', false],
  ['', false],
])('rounds %s: %s', (text, wanted) => {
  const rounds = text.split(' ').map((one) => ({ class: one as 'up' }));
  expect(hasGoodRounds(text === '' ? [] : rounds, 3)).toBe(wanted);
});

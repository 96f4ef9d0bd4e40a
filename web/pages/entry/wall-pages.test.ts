import { expect, test } from 'vitest';
import { en } from '../../words/en.ts';
import { headlineOf, pagesOf, POLL_MS, silentSince } from './wall-pages.ts';

const one = (id: number, more: object = {}) => ({
  id,
  name: `Monitor ${id}`,
  status: 'online' as const,
  since: 1,
  ...more,
});

test.each([
  [[], 'No monitors', 'pending'],
  [[one(1)], 'The monitor is up', 'online'],
  [[one(1), one(2), one(3, { is_paused: true })], 'All 2 monitors are up', 'online'],
  [[one(1), one(2, { status: 'offline' })], '1 of 2 monitors is down', 'offline'],
  [[one(1), one(2, { status: 'degraded' })], '1 of 2 monitors has problems', 'degraded'],
  // What is not observed is neither up nor down.
  [
    [one(1), one(2, { status: 'offline', observed_until: 5 })],
    '1 monitor is not observed',
    'unknown',
  ],
  [[one(1), one(2, { status: 'offline', maintenance_until: 9 })], 'The monitor is up', 'online'],
])('%o is said as %s', (monitors, text, displayStatus) => {
  expect(headlineOf(monitors, en.walls)).toEqual({ text, displayStatus });
});

test('each group is a page, a large one several, and what is down comes first', () => {
  const monitors = [
    ...Array.from({ length: 30 }, (_, index) => one(index + 1, { group_id: 7 })),
    one(40, { status: 'offline', group_id: 7 }),
    one(50),
    one(51, { group_id: 99 }),
  ];
  const pages = pagesOf({ team: 'Northwind', groups: [{ id: 7, name: 'Web' }], monitors });
  expect(pages.map(({ name, monitors: own }) => [name, own.length])).toEqual([
    ['Web', 24],
    ['Web', 7],
    ['Northwind', 2],
  ]);
  expect(pages[0]!.monitors[0]!.id).toBe(40);
});

test('a wall asks every 10 seconds, and says since when it has no news after half a minute [62.3]', () => {
  const news = Date.UTC(2030, 0, 1);
  expect(POLL_MS).toBe(10_000);
  // Two polls may be lost.
  for (const later of [0, POLL_MS, 2 * POLL_MS, 30_000])
    expect(silentSince(news, news + later)).toBeNull();
  for (const later of [35_000, 3_600_000]) expect(silentSince(news, news + later)).toBe(news);
});

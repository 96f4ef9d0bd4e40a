import { expect, test } from 'vitest';
import type { MonitorOverview, OverviewMonitor } from '../app/api.gen.ts';
import { readingEvery, unknownSince, withoutNews, type Reading } from './observed.ts';

const NOW = 1_000_000_000;
const ago = (seconds: number) => NOW - seconds * 1_000;
const reading = (changes: Partial<Reading>): Reading => ({
  readAt: ago(5),
  isFailing: false,
  everyMs: 10_000,
  isLive: true,
  lastNewsAt: ago(5),
  ...changes,
});

test.each<[string, Partial<Reading>, number | null]>([
  ['what was just read holds', {}, null],
  ['a lost connection, for a moment', { isLive: false }, null],
  ['a lost connection while it can be read', { isLive: false, lastNewsAt: ago(300) }, null],
  ['no news and nothing read', { isLive: false, readAt: ago(30), lastNewsAt: ago(26) }, ago(26)],
  ['no stream ever', { isLive: false, readAt: ago(26), lastNewsAt: null }, ago(26)],
  ['news, while reading fails', { isFailing: true, readAt: ago(26) }, ago(26)],
  ['a reading that failed', { isFailing: true, readAt: ago(20) }, null],
  ['a tab in the background', { readAt: ago(70) }, null],
  ['a reading that hangs', { readAt: ago(101) }, ago(101)],
])('%s', (_, changes, since) => {
  expect(unknownSince(reading(changes), NOW)).toBe(since);
});

test('large teams are read less often', () => {
  expect([1, 1_000, 10_000].map(readingEvery)).toEqual([10_000, 10_000, 60_000]);
});

test('without news no monitor is observed that had a status', () => {
  const monitor: OverviewMonitor = {
    id: 1,
    name: 'A',
    since: 0,
    type: 'http',
    status: 'online',
    bar: '',
  };
  const monitors: OverviewMonitor[] = [
    monitor,
    { ...monitor, status: 'pending' },
    { ...monitor, is_paused: true },
    { ...monitor, observed_until: 5 },
  ];
  const overview = { monitors } as MonitorOverview;
  const untils = withoutNews(overview, 9_999).monitors.map((one) => one.observed_until);
  expect(untils).toEqual([9, undefined, undefined, 5]);
});

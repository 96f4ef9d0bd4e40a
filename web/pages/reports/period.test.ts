import { expect, test } from 'vitest';
import { dataQuery, fileUrl, readPeriod, slotsOf } from './period.ts';

test.each([
  ['?period=last_month', { period: 'last_month' }],
  ['?from=2026-11-01&to=2026-11-07', { from: '2026-11-01', to: '2026-11-07' }],
  ['?from=2026-11-01', { period: 'last_30_days' }],
  ['?period=forever', { period: 'last_30_days' }],
])('reads the period of %s', (search, period) => {
  expect(readPeriod(new URLSearchParams(search), 'last_30_days')).toEqual(period);
});

const NOTHING = {
  up_seconds: 0,
  degraded_seconds: 0,
  down_seconds: 0,
  excluded_seconds: 0,
  unobserved_seconds: 0,
};

test.each([
  ['before the monitor existed', {}, '-'],
  ['up', { up_seconds: 86_400 }, 'u'],
  ['down for a moment', { up_seconds: 86_399, down_seconds: 1 }, 'd'],
  ['degraded and excluded', { degraded_seconds: 60, excluded_seconds: 86_340 }, 'w'],
  ['mostly unobserved', { up_seconds: 40_000, unobserved_seconds: 46_400 }, '?'],
  ['mostly excluded', { up_seconds: 40_000, excluded_seconds: 46_400 }, 'm'],
  ['a little unobserved', { up_seconds: 86_000, unobserved_seconds: 400 }, 'u'],
])('a day that was %s', (_what, seconds, slot) => {
  expect(slotsOf([{ ...NOTHING, ...seconds }])).toBe(slot);
});

test('files have the same query, lists repeated', () => {
  expect(
    fileUrl('/x', { ...dataQuery({ period: 'last_month' }, false), tag: ['a', 'b'] }, 'csv'),
  ).toBe('/x?period=last_month&corrected=false&tag=a&tag=b&format=csv');
});

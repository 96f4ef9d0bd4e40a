import fc from 'fast-check';
import { expect, test } from 'vitest';
import { durationOf, timesOf } from './times.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

test.each([
  [-5, '1 s'],
  [0, '1 s'],
  [40 * SECOND, '40 s'],
  [60 * SECOND - 1, '59 s'],
  [9 * MINUTE + 59 * SECOND, '9 min'],
  [HOUR, '1 h'],
  [HOUR + 5 * MINUTE, '1 h 5 min'],
  [2 * DAY + 3 * HOUR + 4 * MINUTE, '2 d 3 h'],
  [DAY + 59 * MINUTE, '1 d'],
  [400 * DAY, '400 d'],
])('%d ms are %s', (milliseconds, words) => {
  expect(durationOf(milliseconds)).toBe(words);
});

const NOW = Date.UTC(2026, 10, 21, 7, 30);

test.each([
  ['UTC', '07:02 UTC'],
  ['Europe/Berlin', '08:02 CET'],
  ['Europe/London', '07:02 GMT'],
  ['America/New_York', '02:02 EST'],
  ['America/Los_Angeles', '20 Nov, 23:02 PST'],
  ['Asia/Tokyo', '16:02 UTC+9'],
  ['Asia/Kolkata', '12:32 UTC+5:30'],
  ['Asia/Kathmandu', '12:47 UTC+5:45'],
  ['America/Sao_Paulo', '04:02 UTC−3'],
  ['Mars/Phobos', '07:02 UTC'],
  ['', '07:02 UTC'],
])('in %s it was %s [33.3]', (timezone, shown) => {
  const now = timezone === 'America/Los_Angeles' ? NOW + HOUR : NOW;
  expect(timesOf(timezone, now).short(NOW - 28 * MINUTE)).toBe(shown);
});

test('the day is named where it is another one, and the year where that is another one', () => {
  const times = timesOf('Europe/Berlin', NOW);
  expect(times.short(NOW - 9 * HOUR)).toBe('20 Nov, 23:30 CET');
  expect(times.short(NOW - 365 * DAY)).toBe('21 Nov 2025, 08:30 CET');
  expect(times.short(NOW - 8 * HOUR)).toBe('00:30 CET');
  expect(times.exact(NOW - 9 * HOUR)).toBe('20 Nov 2026, 23:30:00 CET');
});

test('a range names what it must: one day, two, and both zones where the clocks changed', () => {
  const times = timesOf('Europe/Berlin', NOW);
  expect(times.shortRange(NOW, NOW + 9 * MINUTE)).toBe('08:30 to 08:39 CET');
  expect(times.shortRange(NOW - 9 * HOUR, NOW)).toBe('20 Nov, 23:30 to 08:30 CET');
  expect(times.exactRange(NOW, NOW + 9 * MINUTE)).toBe('21 Nov 2026, 08:30:00 to 08:39:00 CET');
  expect(times.exactRange(NOW - 9 * HOUR, NOW)).toBe(
    '20 Nov 2026, 23:30:00 to 21 Nov 2026, 08:30:00 CET',
  );
  const autumn = Date.UTC(2026, 9, 25, 0, 50);
  expect(timesOf('Europe/Berlin', autumn).shortRange(autumn, autumn + 20 * MINUTE)).toBe(
    '02:50 CEST to 02:10 CET',
  );
});

test.each([
  ['at 2026-11-21 07:00:00 UTC, or 2026-11-20 23:30:05 UTC.', 'at 08:00 CET, or 00:30:05 CET.'],
  ['since 2026-11-20 07:02 UTC', 'since 20 Nov, 08:02 CET'],
  ['on 2026-11-26, 07:02 UTC', 'on 2026-11-26, 07:02 UTC'],
  ['at 2026-13-41 07:00:00 UTC', 'at 2026-13-41 07:00:00 UTC'],
])('"%s" is "%s" in Berlin', (text, there) => {
  expect(timesOf('Europe/Berlin', NOW).within(text)).toBe(there);
});

test('whatever the time and the zone, there is one', () => {
  const zone = fc.constantFrom('UTC', 'Europe/Berlin', 'Pacific/Apia', 'Asia/Tokyo', 'x', '\0');
  const at = fc.oneof(fc.integer(), fc.maxSafeInteger());
  fc.assert(
    fc.property(zone, at, at, (timezone, now, then) => {
      const times = timesOf(timezone, now);
      for (const text of [times.short(then), times.exact(then), times.exactRange(now, then)])
        expect(text).not.toMatch(/undefined|NaN|Invalid/);
    }),
  );
});

test('a range within a minute has seconds', () => {
  const times = timesOf('Europe/Berlin', NOW);
  expect(times.shortRange(NOW, NOW + 20_000)).toMatch(/^08:30:\d\d to 08:30:\d\d CET$/);
});

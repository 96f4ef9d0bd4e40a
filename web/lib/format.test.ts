import { describe, expect, test } from 'vitest';
import { de } from '../words/de.ts';
import {
  absolute,
  clock,
  count,
  day,
  dayAndTime,
  duration,
  milliseconds,
  percent,
  relative,
  roughDuration,
} from './format.ts';

const S = 1_000;
const MIN = 60 * S;
const H = 60 * MIN;
const D = 24 * H;
/** Tuesday, in winter. */
const NOW = Date.UTC(2030, 0, 15, 12, 30);
const ZONE = 'Europe/Berlin';
/** Units have a narrow space before them. */
const plain = (text: string) => text.replaceAll('\u202f', ' ');

test.each([
  [-5 * S, '0 s', '0 s'],
  [0, '0 s', '0 s'],
  [59_999, '59 s', '59 s'],
  [MIN, '1 min', '1 min'],
  [MIN + S, '1 min 1 s', '1 min'],
  [10 * MIN + 30 * S, '10 min', '10 min'],
  [H, '1 h', '1 h'],
  [3 * H + 40 * MIN + 59 * S, '3 h 40 min', '3 h'],
  [D, '1 d', '1 d'],
  [2 * D + 5 * H, '2 d 5 h', '2 d'],
  [10 * D + 5 * H, '10 d', '10 d'],
])('%i ms are %j, roughly %j', (ms, exact, rough) => {
  expect(plain(duration(ms))).toBe(exact);
  expect(plain(roughDuration(ms))).toBe(rough);
});

test.each([
  [0, 'just now'],
  [-4_999, 'just now'],
  [-5 * S, '5 s ago'],
  [-2 * H, '2 h ago'],
  [3 * H, 'in 3 h'],
  [-D, 'yesterday'],
  [-3 * D, '12 Jan'],
  [-40 * D, '6 Dec 2029'],
])('%i ms from now is %j', (ms, text) => {
  expect(plain(relative(NOW + ms, NOW, ZONE))).toBe(text);
});

describe('days and times', () => {
  test('a day ends at midnight of the zone', () => {
    const late = Date.UTC(2030, 0, 14, 23, 30);
    expect(day(late, NOW, ZONE)).toBe('today');
    expect(day(late, NOW, 'UTC')).toBe('yesterday');
    expect(dayAndTime(late, NOW, ZONE)).toBe('today, 00:30');
  });

  test('times of day have 24 hours', () => {
    expect(clock(Date.UTC(2030, 0, 15, 23, 5, 9), ZONE)).toBe('00:05');
    expect(clock(Date.UTC(2030, 6, 15, 11, 5, 9), ZONE, true)).toBe('13:05:09');
  });

  test('a time in full has its zone', () => {
    expect(absolute(NOW, ZONE)).toBe('15 Jan 2030, 13:30:00 CET');
    expect(absolute(NOW, ZONE, 'de-DE')).toContain('MEZ');
  });
});

test.each([
  [100, '100', '100'],
  [99.9999, '99.999', '99,999'],
  [99.9, '99.900', '99,900'],
  [99.899, '99.89', '99,89'],
  [12.345, '12.34', '12,34'],
  [9.99, '9.9', '9,9'],
  [0, '0.0', '0,0'],
])('an uptime of %d is %j, in German %j', (value, english, german) => {
  expect(percent(value)).toBe(english);
  expect(percent(value, de.time.locale)).toBe(german);
});

test.each([
  [7, '7'],
  [7.25, '7.3'],
  [12.6, '13'],
  [1_840, '1,840'],
])('%d ms are written %j', (value, text) => {
  expect(milliseconds(value)).toBe(text);
});

test('counts have separators of thousands', () => {
  expect([count(10_000), count(10_000, 'de-DE')]).toEqual(['10,000', '10.000']);
});

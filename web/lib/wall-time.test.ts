import { expect, it } from 'vitest';
import { fromWallTime, toWallMinute, toWallTime } from './wall-time.ts';

it.each([
  ['2026-11-23T14:02:11', 'Europe/Berlin', '2026-11-23T13:02:11.000Z'],
  ['2026-07-01T14:02', 'Europe/Berlin', '2026-07-01T12:02:00.000Z'],
  ['2026-11-23T00:30:00', 'America/New_York', '2026-11-23T05:30:00.000Z'],
  ['2026-11-23T14:02:11', 'Asia/Kolkata', '2026-11-23T08:32:11.000Z'],
  ['2026-11-23T14:02:11', 'UTC', '2026-11-23T14:02:11.000Z'],
  ['2026-11-23T14:02', 'Pacific/Kiritimati', '2026-11-23T00:02:00.000Z'],
  // The first of the two.
  ['2027-10-31T02:30:00', 'Europe/Berlin', '2027-10-31T00:30:00.000Z'],
  // Skipped: 02:30 is half an hour after the change, which is 03:30.
  ['2027-03-28T02:30:00', 'Europe/Berlin', '2027-03-28T01:30:00.000Z'],
])('reads %s in %s as %s', (text, zone, time) => {
  expect(fromWallTime(text, zone)).toBe(time);
});

it('writes what it reads', () => {
  expect(toWallTime(Date.parse('2026-11-23T13:02:11Z'), 'Europe/Berlin')).toBe(
    '2026-11-23T14:02:11',
  );
  expect(toWallMinute(Date.parse('2026-11-23T13:02:59Z'), 'Europe/Berlin')).toBe(
    '2026-11-23T14:02',
  );
});

it('knows what is no time', () => {
  expect(fromWallTime('', 'UTC')).toBeNull();
  expect(fromWallTime('soon', 'UTC')).toBeNull();
});

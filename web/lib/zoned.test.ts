import { expect, test } from 'vitest';
import { fromZoned, toZoned } from './zoned.ts';

const BERLIN = 'Europe/Berlin';

test.each([
  ['in winter', '2026-11-23T14:02', BERLIN, '2026-11-23T13:02:00.000Z'],
  ['in summer', '2026-07-01T00:00', BERLIN, '2026-06-30T22:00:00.000Z'],
  ['first of a repeated hour', '2026-10-25T02:30', BERLIN, '2026-10-25T00:30:00.000Z'],
  ['left out by a clock change', '2026-03-29T02:30', BERLIN, '2026-03-29T01:30:00.000Z'],
  ['beyond a day line', '2026-11-23T14:02', 'Pacific/Kiritimati', '2026-11-23T00:02:00.000Z'],
  ['incomplete', '2026-11', BERLIN, '2026-11'],
])('reads a time %s', (_what, text, zone, time) => {
  expect(fromZoned(text, zone)).toBe(time);
});

test('writes a time in a zone', () => {
  expect(toZoned(Date.parse('2026-11-23T13:02:30Z'), BERLIN)).toBe('2026-11-23T14:02');
});

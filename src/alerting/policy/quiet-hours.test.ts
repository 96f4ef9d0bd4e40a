import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { QuietHours } from './routing.ts';
import { quietUntil } from './holds.ts';

const NIGHT: QuietHours = {
  from: '22:00',
  to: '07:00',
  timezone: 'Europe/Berlin',
  allow_critical: true,
};
const at = (text: string) => Date.parse(text);
const iso = (time: number | null) => time && new Date(time).toISOString();

describe('quiet hours', () => {
  test.for<[string, string, string | null]>([
    ['begin at their first minute', '2030-01-10T21:00:00Z', '2030-01-11T06:00:00.000Z'],
    ['have not begun a moment before', '2030-01-10T20:59:59.999Z', null],
    ['pass midnight', '2030-01-11T02:00:00Z', '2030-01-11T06:00:00.000Z'],
    ['are over at their end', '2030-01-11T06:00:00Z', null],
    ['are not at noon', '2030-01-11T11:00:00Z', null],
    // On 31 March 2030 the clocks jump from 2 to 3.
    ['last an hour less when clocks jump', '2030-03-30T22:30:00Z', '2030-03-31T05:00:00.000Z'],
    // On 27 October 2030 they show 2 to 3 twice.
    ['last an hour more when clocks go back', '2030-10-26T22:30:00Z', '2030-10-27T06:00:00.000Z'],
  ])('%s', ([, now, until]) => {
    expect(iso(quietUntil(NIGHT, 'warning', at(now)))).toBe(until);
  });

  test('an end that no clock shows is the moment of the jump [31.18]', () => {
    const quiet = { ...NIGHT, to: '02:30' };
    expect(iso(quietUntil(quiet, 'info', at('2030-03-31T00:00:00Z')))).toBe(
      '2030-03-31T01:00:00.000Z',
    );
  });

  test('what is critical passes, unless it may not', () => {
    const now = at('2030-01-11T02:00:00Z');
    expect(quietUntil(NIGHT, 'critical', now)).toBe(null);
    expect(iso(quietUntil({ ...NIGHT, allow_critical: false }, 'critical', now))).toBe(
      '2030-01-11T06:00:00.000Z',
    );
  });

  test('a night belongs to the day on which it begins [31.16]', () => {
    const friday: QuietHours = { ...NIGHT, days: ['fri'] };
    expect(quietUntil(friday, 'warning', at('2030-01-10T23:00:00Z'))).toBe(null);
    expect(iso(quietUntil(friday, 'warning', at('2030-01-12T03:00:00Z')))).toBe(
      '2030-01-12T06:00:00.000Z',
    );
  });

  test('there are none without a setting', () => expect(quietUntil(null, 'info', 0)).toBe(null));

  test('they end where they say, and hold until then, in any zone and at any time', () => {
    const time = fc
      .tuple(fc.nat(23), fc.nat(59))
      .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'));
    const zone = fc.constantFrom('UTC', 'Europe/Berlin', 'Australia/Lord_Howe', 'Pacific/Apia');
    const instant = fc.integer({ min: at('2026-01-01Z'), max: at('2032-01-01Z') });
    fc.assert(
      fc.property(time, time, zone, instant, (from, to, timezone, now) => {
        const quiet: QuietHours = { from, to, timezone, allow_critical: false };
        const until = quietUntil(quiet, 'critical', now);
        if (until === null) return;
        expect(until).toBeGreaterThan(now);
        expect(until - now).toBeLessThanOrEqual(25 * 3_600_000);
        if (from !== to) expect(quietUntil(quiet, 'critical', until - 1)).toBe(until);
      }),
      { numRuns: 300 },
    );
  });
});

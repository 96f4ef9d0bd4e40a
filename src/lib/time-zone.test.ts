import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import { instantOfWall } from './time-zone.ts';

const wallOf = (text: string) => Date.parse(`${text}Z`);

describe('the instant of a wall time', () => {
  test.each([
    ['Europe/Berlin', '2030-01-15T12:00', '2030-01-15T11:00:00.000Z'],
    ['Europe/Berlin', '2030-07-15T12:00', '2030-07-15T10:00:00.000Z'],
    // Skipped: the clock goes from 02:00 to 03:00.
    ['Europe/Berlin', '2030-03-31T02:30', '2030-03-31T01:30:00.000Z'],
    ['Europe/Berlin', '2030-03-31T03:00', '2030-03-31T01:00:00.000Z'],
    // Repeated: the clock goes from 03:00 to 02:00.
    ['Europe/Berlin', '2030-10-27T02:30', '2030-10-27T00:30:00.000Z'],
    ['Australia/Lord_Howe', '2030-10-06T02:15', '2030-10-05T15:45:00.000Z'],
    ['Pacific/Apia', '2011-12-30T12:00', '2011-12-30T22:00:00.000Z'],
    ['UTC', '2030-01-15T12:00', '2030-01-15T12:00:00.000Z'],
  ])('%s %s is %s', (zone, wall, instant) => {
    expect(new Date(instantOfWall(zone, wallOf(wall))).toISOString()).toBe(instant);
  });

  test('is that of Temporal, skipped and repeated times included', () => {
    const zones = ['America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe', 'Asia/Kolkata'];
    const minutes = fc.integer({
      min: wallOf('2025-01-01T00:00') / 60_000,
      max: wallOf('2035-01-01T00:00') / 60_000,
    });
    fc.assert(
      fc.property(fc.constantFrom(...zones), minutes, (zone, minute) => {
        const wall = minute * 60_000;
        const plain = Temporal.PlainDateTime.from(new Date(wall).toISOString().slice(0, 19));
        const { epochMilliseconds } = plain.toZonedDateTime(zone, { disambiguation: 'compatible' });
        expect(instantOfWall(zone, wall)).toBe(epochMilliseconds);
      }),
      { numRuns: 1_000 },
    );
  });
});

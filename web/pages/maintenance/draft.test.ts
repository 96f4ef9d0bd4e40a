import { describe, expect, it } from 'vitest';
import { toWallMinute } from '../../lib/wall-time.ts';
import { lacksScope } from '../../parts/scope.ts';
import { bodyOf, laterWall, newDraft, presetTimes } from './draft.ts';

const at = (time: string) => Date.parse(time);

it.each([
  ['2030-07-01T12:00:00Z', 'Europe/Berlin', '2030-07-01T14:00'],
  ['2030-01-01T23:30:00Z', 'Asia/Tokyo', '2030-01-02T08:30'],
  ['2030-01-01T00:05:00Z', 'UTC', '2030-01-01T00:05'],
])('%s in %s is %s', (time, zone, wall) => {
  expect(toWallMinute(at(time), zone)).toBe(wall);
});

it('counts on over the end of a month', () => {
  expect(laterWall('2030-01-31T23:30', 3_600_000)).toBe('2030-02-01T00:30');
  expect(laterWall('', 3_600_000)).toBe('');
});

/** 2030-01-14 is a Monday. */
describe('presets in UTC', () => {
  it.each([
    ['hour', '2030-01-16T10:20:00Z', '2030-01-16T10:20', '2030-01-16T11:20'],
    ['tonight', '2030-01-16T10:20:00Z', '2030-01-16T22:00', '2030-01-17T06:00'],
    ['tonight', '2030-01-16T23:10:00Z', '2030-01-16T23:10', '2030-01-17T06:00'],
    ['tonight', '2030-01-16T03:00:00Z', '2030-01-16T03:00', '2030-01-16T06:00'],
    ['weekend', '2030-01-16T10:20:00Z', '2030-01-18T18:00', '2030-01-21T06:00'],
    ['weekend', '2030-01-19T10:20:00Z', '2030-01-19T10:20', '2030-01-21T06:00'],
    ['weekend', '2030-01-21T03:00:00Z', '2030-01-25T18:00', '2030-01-28T06:00'],
    ['weekend', '2030-01-21T07:00:00Z', '2030-01-25T18:00', '2030-01-28T06:00'],
  ] as const)('%s at %s', (preset, now, starts_at, ends_at) => {
    expect(presetTimes(preset, at(now), 'UTC')).toEqual({ starts_at, ends_at });
  });
});

it('sends the times of a stored window only when they were edited', () => {
  const stored = { ...newDraft(at('2030-01-16T10:20:00Z'), 'UTC'), name: 'Patches' };
  expect(bodyOf(stored)).toMatchObject({ starts_at: '2030-01-16T11:00', rrule: null });
  expect(bodyOf({ ...stored, name: 'More' }, stored)).not.toHaveProperty('starts_at');
  expect(bodyOf({ ...stored, ends_at: '2030-01-16T13:00' }, stored)).toHaveProperty('starts_at');
});

it('lacks a scope until something is named', () => {
  const { scope } = newDraft(at('2030-01-16T10:20:00Z'), 'UTC');
  expect(lacksScope(scope)).toBe(true);
  expect(lacksScope({ ...scope, tags: ['staging'] })).toBe(false);
  expect(lacksScope({ ...scope, isAll: true })).toBe(false);
});

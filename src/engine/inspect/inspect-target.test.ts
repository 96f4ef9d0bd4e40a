import { describe, expect, test } from 'vitest';
import type { InspectionRequest } from '../../model/inspection.ts';
import { createRegions } from '../../model/regions.ts';
import { inspectTarget, placeOfInspections, readStoredTarget, storedTarget } from './target.ts';

const REGIONS = createRegions(
  [
    { code: 'ash', title: 'Ashburn' },
    { code: 'nbg', title: 'Nuremberg' },
  ],
  [
    { code: 'office', title: 'Office', teamId: 7 },
    { code: 'lab', title: 'Lab', teamId: 7 },
    { code: 'store', title: 'Store', teamId: 8 },
  ],
);

test.each([
  [['ash', 'nbg'], null],
  [['office', 'ash'], null],
  [['office'], 'office'],
  [['lab', 'office'], 'lab'],
  // It names the region of another team, or one that exists no longer: its own comes first.
  [['store', 'office'], 'office'],
  [['moon', 'lab'], 'lab'],
  // Never outside, even where nothing is left to ask.
  [['store'], 'store'],
  [['moon'], 'moon'],
  [[], null],
])('the inspections of a monitor of team 7 in %j run in %s', (monitored, region) => {
  const place = region === null ? null : { teamId: 7, region };
  expect(placeOfInspections(REGIONS, 7, monitored)).toEqual(place);
});

test.each(['10.0.0.5:443', '2001:db8::1:443', 'shop.test', 'a@b'])(
  '%s is stored under another name for each place, and read again',
  (target) => {
    const places = [null, { teamId: 7, region: 'office' }, { teamId: 8, region: 'office' }];
    const stored = places.map((place) => storedTarget(target, place));
    expect(stored[0]).toBe(target);
    expect(new Set(stored).size).toBe(3);
    expect(stored.map(readStoredTarget)).toEqual(places.map((place) => ({ target, place })));
  },
);

const run = async (stored: string) => {
  const asked: [InspectionRequest, string | undefined][] = [];
  const bus = {
    inspect: async (request: InspectionRequest, region?: string) => {
      asked.push([request, region]);
      return { state: 'unknown', reason: 'busy' } as const;
    },
  };
  const result = await inspectTarget({ bus, regions: REGIONS }, 'ssl', stored, 5_000);
  return { asked, result };
};

describe('an inspection', () => {
  const request = { kind: 'ssl', host: '10.0.0.5', port: 443, timeoutMs: 5_000 };

  test('runs at its place', async () => {
    expect((await run('office@7 10.0.0.5:443')).asked).toEqual([[request, 'office']]);
    expect((await run('10.0.0.5:443')).asked).toEqual([[request, undefined]]);
    // A bus has no probe of a region that exists no longer.
    expect((await run('moon@7 10.0.0.5:443')).asked).toEqual([[request, 'moon']]);
  });

  test('runs nowhere once its region belongs to another team', async () => {
    const { asked, result } = await run('store@7 10.0.0.5:443');
    expect(asked).toEqual([]);
    expect(result).toEqual({ state: 'unknown', reason: 'No probe is running' });
  });
});

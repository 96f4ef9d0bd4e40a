import { expect, test } from 'vitest';
import type { Caller } from '../../identity/caller.ts';
import { createListRegions } from './service.ts';

const READER = { permissions: ['read'], role: 'viewer' } as unknown as Caller;
const SEEN: Record<string, number> = { ash: 70_000, pdx: 69_999 };
const VANTAGES: Record<string, string> = { ash: 'office', pdx: 'cellar' };

test('a region is live while its probe was seen of late [14.16, 14.20]', () => {
  const list = createListRegions({
    clock: { now: () => 100_000 },
    bus: {
      lastSeen: (region) => SEEN[region] ?? null,
      vantageOf: (region) => VANTAGES[region] ?? null,
    },
    regions: [
      { code: 'ash', title: 'Ashburn' },
      { code: 'pdx', title: 'Portland' },
      { code: 'nbg', title: 'Nuremberg' },
    ],
  });
  expect(list(READER)).toEqual({
    data: [
      { code: 'ash', title: 'Ashburn', vantage: 'office', is_live: true },
      { code: 'pdx', title: 'Portland', vantage: 'cellar', is_live: false },
      { code: 'nbg', title: 'Nuremberg', vantage: null, is_live: false },
    ],
  });
});

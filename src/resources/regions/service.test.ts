import { callOf } from '../../../test/support/call.ts';
import { expect, test } from 'vitest';
import type { ProbeInfo } from '../../engine/bus/contract.ts';
import type { Caller } from '../../identity/caller.ts';
import { createRegions } from '../../model/regions.ts';
import { createListRegions } from './service.ts';

const READER = { permissions: ['read'], role: 'viewer', team: { id: 1 } } as unknown as Caller;
const SEEN: Record<string, number> = { ash: 70_000, pdx: 69_999 };
const VANTAGES: Record<string, string> = { ash: 'office', pdx: 'cellar' };

const LOAD = { running: 2, waiting: 1, longestWaitMs: 5, capacity: 100, openFiles: null };
const PROBE: ProbeInfo = {
  vantage: 'office',
  version: '0.1.0',
  seenAt: 70_000,
  takesChecks: true,
  isRemote: true,
  load: [LOAD, LOAD],
};

test('a region is live while its probe was seen of late [14.16, 14.20]', () => {
  const list = createListRegions({
    clock: { now: () => 100_000 },
    bus: {
      lastSeen: (region) => SEEN[region] ?? null,
      vantageOf: (region) => VANTAGES[region] ?? null,
      probesOf: (region) => (region === 'ash' ? [PROBE] : []),
    },
    regions: createRegions([
      { code: 'ash', title: 'Ashburn' },
      { code: 'pdx', title: 'Portland' },
      { code: 'nbg', title: 'Nuremberg' },
    ]),
  });
  expect(list(callOf(READER))).toEqual({
    data: [
      {
        code: 'ash',
        title: 'Ashburn',
        vantage: 'office',
        is_live: true,
        probes: [
          {
            vantage: 'office',
            version: '0.1.0',
            last_seen_at: '1970-01-01T00:01:10.000Z',
            takes_checks: true,
            checks_running: 4,
            checks_waiting: 2,
            slots: 200,
          },
        ],
      },
      { code: 'pdx', title: 'Portland', vantage: 'cellar', is_live: false, probes: [] },
      { code: 'nbg', title: 'Nuremberg', vantage: null, is_live: false, probes: [] },
    ],
  });
});

import type { AnyRequest } from '../../monitor-types/registry.ts';
import { expect, test } from 'vitest';
import { createRegions } from '../../model/regions.ts';
import { NO_TIMINGS, type CheckResult } from '../../model/check.ts';
import { busOfTeam } from './compose.ts';

const REQUEST: AnyRequest = {
  type: 'port',
  monitorId: 1,
  timeoutMs: 1_000,
  host: '10.0.0.5',
  port: 80,
};
const up = (remoteAddress: string): CheckResult => ({
  vote: 'up',
  failure: null,
  responseTimeMs: 1,
  statusCode: null,
  timings: NO_TIMINGS,
  remoteAddress,
  evidence: null,
});
const REGIONS = createRegions(
  [{ code: 'nbg', title: 'Nuremberg' }],
  [
    { code: 'office', title: 'Office', teamId: 7 },
    { code: 'lab', title: 'Lab', teamId: 8 },
  ],
);

function scripted() {
  const asked: string[] = [];
  const bus = {
    check: async (region: string) => {
      asked.push(region);
      return up(region);
    },
    checkAll: async (regions: readonly string[]) => {
      asked.push(...regions);
      return regions.map(up);
    },
    lastSeen: () => 1,
    vantageOf: (region: string) => `rack ${region}`,
  };
  return { asked, bus };
}

test('a team reaches shared regions and its own', async () => {
  const { asked, bus } = scripted();
  const ours = busOfTeam(bus, REGIONS, 7);
  expect(await ours.check('office', REQUEST)).toMatchObject({ vote: 'up' });
  expect(await ours.checkAll!(['office', 'nbg'], REQUEST)).toMatchObject([
    { remoteAddress: 'office' },
    { remoteAddress: 'nbg' },
  ]);
  expect(asked).toEqual(['office', 'office', 'nbg']);
  expect([ours.lastSeen('office'), ours.vantageOf('office')]).toEqual([1, 'rack office']);
});

test('the region of another team is as one without a probe, and is asked nothing', async () => {
  const { asked, bus } = scripted();
  const ours = busOfTeam(bus, REGIONS, 7);
  const refused = {
    vote: 'unknown',
    failure: { code: 'no_probe', text: 'No probe is running in region lab' },
  };
  expect(await ours.check('lab', REQUEST)).toMatchObject(refused);
  expect(await ours.checkAll!(['lab', 'nbg', 'lab', 'office'], REQUEST)).toMatchObject([
    refused,
    { remoteAddress: 'nbg' },
    refused,
    { remoteAddress: 'office' },
  ]);
  expect(asked).toEqual(['nbg', 'office']);
  expect([ours.lastSeen('lab'), ours.vantageOf('lab')]).toEqual([null, null]);
});

test('without private regions it is the bus itself', () => {
  const { bus } = scripted();
  expect(busOfTeam(bus, createRegions([{ code: 'nbg', title: 'Nuremberg' }]), 7)).toBe(bus);
});

import { expect, it } from 'vitest';
import { NO_TIMINGS, type CheckRequest, type CheckResult } from '../../model/check.ts';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import type { Bus } from '../bus/contract.ts';
import { runRound, type Plan } from './round.ts';

const request = { type: 'port', monitorId: 1, timeoutMs: 1_000, host: 'a.test', port: 80 } as const;
const plan = {
  monitorId: 1,
  teamId: 2,
  revision: 3,
  regions: ['ash', 'nbg'],
  settings: {},
  request,
} as unknown as Plan;

const up = (remoteAddress: string): CheckResult => ({
  vote: 'up',
  failure: null,
  responseTimeMs: 1,
  statusCode: null,
  timings: NO_TIMINGS,
  remoteAddress,
  evidence: null,
});

function roundBy(bus: Partial<Bus>) {
  const clock = createFakeClock();
  const seen = { lastSeen: () => clock.now(), vantageOf: () => 'office' };
  return runRound({ ...seen, ...bus } as Bus, clock, plan, 0, 'process');
}

it('asks for all regions at once where the bus can', async () => {
  const asked: [readonly string[], CheckRequest][] = [];
  const { results } = await roundBy({
    async checkAll(regions, each) {
      asked.push([regions, each]);
      return regions.map(up);
    },
  });

  expect(asked).toEqual([[['ash', 'nbg'], request]]);
  expect(results).toMatchObject([
    { region: 'ash', remoteAddress: 'ash', vantage: 'office' },
    { region: 'nbg', remoteAddress: 'nbg', vantage: 'office' },
  ]);
});

it('asks for each region where it can not', async () => {
  const { results } = await roundBy({ check: async (region) => up(region) });

  expect(results.map(({ region, remoteAddress }) => [region, remoteAddress])).toEqual([
    ['ash', 'ash'],
    ['nbg', 'nbg'],
  ]);
});

const broken = () => Promise.reject(new Error('broken'));

it('ends as unknown if the bus rejects', async () => {
  for (const bus of [{ checkAll: broken }, { check: broken }]) {
    const { results } = await roundBy(bus);
    expect(results).toMatchObject([
      { region: 'ash', vote: 'unknown', failure: { code: 'probe_error' } },
      { region: 'nbg', vote: 'unknown', failure: { code: 'probe_error' } },
    ]);
  }
});

import type { AnyRequest } from '../../monitor-types/registry.ts';
import { expect, test } from 'vitest';
import { NO_TIMINGS } from '../../model/check.ts';
import { combineBuses } from './compose.ts';
import type { FleetBus, ProbedResult } from './contract.ts';

const REQUEST: AnyRequest = { type: 'port', monitorId: 1, timeoutMs: 1_000, host: 'a', port: 1 };

function busNamed(name: string): FleetBus & { closed: boolean } {
  const result = (region: string): ProbedResult => ({
    vote: 'up',
    failure: null,
    responseTimeMs: 1,
    statusCode: null,
    timings: NO_TIMINGS,
    remoteAddress: `${name} ${region}`,
    evidence: null,
  });
  return {
    closed: false,
    check: async (region) => result(region),
    checkAll: async (regions) => regions.map(result),
    inspect: async (_request, region = 'any') => ({
      state: 'unknown',
      reason: `${name} ${region}`,
    }),
    inspectMachine: async () => null,
    lastSeen: () => name.length,
    vantageOf: (region) => `${name} ${region}`,
    probesOf: () => [
      {
        vantage: name,
        version: '1',
        seenAt: 1,
        takesChecks: true,
        isRemote: name === 'far',
        load: [],
      },
    ],
    async close() {
      this.closed = true;
    },
  };
}

test('own probes run what they serve, the others the rest, in the order of the round', async () => {
  const [own, far] = [busNamed('own'), busNamed('far')];
  const bus = combineBuses(own, far, ['nbg', 'ash']);
  const round = await bus.checkAll(['sin', 'nbg', 'pdx', 'ash'], REQUEST);
  expect(round.map(({ remoteAddress }) => remoteAddress)).toEqual([
    'far sin',
    'own nbg',
    'far pdx',
    'own ash',
  ]);
  expect((await bus.check('sin', REQUEST)).remoteAddress).toBe('far sin');
  expect((await bus.check('nbg', REQUEST)).remoteAddress).toBe('own nbg');
  expect([bus.vantageOf('sin'), bus.vantageOf('nbg')]).toEqual(['far sin', 'own nbg']);
});

test('an inspection that names a region runs there, any other at the own probes', async () => {
  const bus = combineBuses(busNamed('own'), busNamed('far'), ['nbg']);
  const request = { kind: 'dns', host: 'shop.test', timeoutMs: 1 } as const;
  const places = [undefined, 'nbg', 'office'].map((region) => bus.inspect(request, region));
  expect(await Promise.all(places)).toMatchObject([
    { reason: 'own any' },
    { reason: 'own nbg' },
    { reason: 'far office' },
  ]);
});

test('the probes of a region are listed wherever they are', () => {
  const bus = combineBuses(busNamed('own'), busNamed('far'), ['nbg']);
  expect(bus.probesOf('nbg').map(({ vantage }) => vantage)).toEqual(['own', 'far']);
  expect(bus.probesOf('sin').map(({ vantage }) => vantage)).toEqual(['far']);
});

test('both end with it', async () => {
  const [own, far] = [busNamed('own'), busNamed('far')];
  await combineBuses(own, far, ['nbg']).close();
  expect([own.closed, far.closed]).toEqual([true, true]);
});

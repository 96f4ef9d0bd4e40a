import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CheckResult } from '../../src/model/check.ts';
import { openEngineHarness, type EngineHarness } from '../support/engine-harness.ts';
import { checkResult, REGIONS } from '../support/rounds.ts';

const MINUTE = 60_000;

let harness: EngineHarness;
beforeEach(async () => void (harness = await openEngineHarness()));
afterEach(() => harness.close());

/** Monitors of so many unrelated targets, each seen to be up. */
async function watched(count: number): Promise<number[]> {
  const ids: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const id = await harness.createMonitor({ url: `https://shop${index}.example-${index}.com/` });
    ids.push(id);
    setTarget(id, index, []);
  }
  await harness.clock.advance(MINUTE);
  return ids;
}

/** From now on the target can't be reached from these regions. */
function setTarget(id: number, index: number, broken: readonly string[]): void {
  const timedOut: Partial<CheckResult> = {
    failure: { code: 'connection_timeout', text: 'Connection timed out' },
  };
  harness.targets.set(id, (region) => ({
    ...(broken.includes(region) ? checkResult('down', timedOut) : checkResult('up')),
    remoteAddress: `203.0.${index}.7`,
  }));
}

const breakAll = (ids: number[], regions: readonly string[]) =>
  ids.forEach((id, index) => setTarget(id, index, regions));

async function incidents(ids: number[]) {
  return (await Promise.all(ids.map((id) => harness.incidents(id)))).flat();
}

test('four targets that one region alone does not reach are regional incidents [25.6]', async () => {
  const ids = await watched(6);
  breakAll(ids.slice(0, 4), ['ash']);
  await harness.clock.advance(3 * MINUTE);
  const found = await incidents(ids);
  expect(found.map(({ type }) => type)).toEqual(Array(4).fill('regional'));
  expect(harness.regions.quarantines().size).toBe(0);
});

test('a few targets that are gone are an outage, unless the machine knows that its network is broken', async () => {
  const ids = await watched(4);
  harness.machine = {
    ipv4: 'works',
    ipv6: 'broken',
    gateway: 'broken',
    resolver: 'broken',
    gatewayAddress: '192.0.2.1',
    resolverAddress: '192.0.2.53',
  };
  breakAll(ids, REGIONS);
  await harness.clock.advance(3 * MINUTE);
  expect(await incidents(ids)).toEqual([]);
  expect(harness.regions.quarantines().get('ash')!.reason).toContain(
    'the gateway 192.0.2.1 does not answer',
  );
  // It is back, and the targets are down indeed.
  harness.machine = { ...harness.machine, gateway: 'works', resolver: 'works' };
  await harness.clock.advance(2 * MINUTE);
  for (const id of ids) expect(await harness.status(id)).toBe('offline');
});

import { describe, expect, test, vi } from 'vitest';
import { SHARD_COUNT } from '../../src/model/monitor.ts';
import { postgres } from '../support/databases.ts';
import { roundsOf, startPair, untilOwned } from '../support/pair.ts';
import { incidents, useServices } from '../support/service.ts';
import { expectSoundHistory } from '../support/sound-history.ts';
import type { TargetServer } from '../support/target-server.ts';

vi.setConfig({ testTimeout: 120_000 });

const services = useServices();
const REGIONS = 4;

/** When each round of a monitor began: its regions look at the same moment. */
function roundsAt(target: TargetServer, index: number): number[] {
  return target.requests(`/${index}`).filter((_, arrival) => arrival % REGIONS === 0);
}

describe.skipIf('missing' in postgres)('two processes on one Postgres', () => {
  test('share the monitors: each is looked at once an interval, by one of them [40.4]', async () => {
    const MONITORS = 16;
    const { database, target, first, second, ids } = await startPair(services, MONITORS);
    const everyIndex = Array.from(ids.keys());
    // One round as it was created, and two of the grid.
    const rounds = () => Math.min(...everyIndex.map((index) => roundsAt(target, index).length));
    await expect.poll(rounds, { timeout: 300_000, interval: 100 }).toBeGreaterThanOrEqual(2);

    for (const index of everyIndex) {
      const grid = roundsAt(target, index).slice(1);
      const distances = grid.slice(1).map((at, round) => at - grid[round]!);
      for (const distance of distances) expect(distance).toBeGreaterThan(20_000);
      expect(grid.length).toBeLessThanOrEqual(2);
    }
    for (const service of [first, second]) {
      // Requests arrive before their round is counted.
      await expect.poll(() => roundsOf(service, 'counted')).toBeGreaterThan(0);
      expect(await roundsOf(service, 'duplicate')).toBe(0);
    }
    expect(await incidents(first)).toEqual([]);

    // One that is told to end gives its share back at once.
    await first.stop();
    await untilOwned(database, [SHARD_COUNT]);
    await second.stop();
    await expectSoundHistory(database);
  });
});

import { describe, expect, test, vi } from 'vitest';
import { SHARD_COUNT } from '../../src/model/monitor.ts';
import { postgres } from '../support/databases.ts';
import { roundsOf, startPair, untilOwned } from '../support/pair.ts';
import { incidents, PATIENTLY, untilAll, useServices } from '../support/service.ts';
import { expectSoundHistory } from '../support/sound-history.ts';

vi.setConfig({ testTimeout: 120_000 });

const services = useServices();

describe.skipIf('missing' in postgres)('two processes on one Postgres', () => {
  test('one killed in the middle of an outage: the other goes on, and no incident is double [40.5]', async () => {
    const MONITORS = 30;
    const { database, target, first, second, ids } = await startPair(services, MONITORS, {
      failure_threshold: 2,
    });
    await target.fail();
    const owned = await roundsOf(first, 'counted');
    expect(owned).toBeGreaterThan(0);
    for (const id of ids) await second.put(`/api/v1/monitors/${id}`, { request_timeout: 20 });
    // A bad round of some is counted: they are in the middle of their confirmation.
    await expect.poll(() => roundsOf(first, 'counted'), PATIENTLY).toBeGreaterThan(owned);
    const killedAt = Date.now();
    await first.kill();

    await untilOwned(database, [SHARD_COUNT]);
    // The lease of 10 s and some more.
    expect(Date.now() - killedAt).toBeLessThan(20_000);
    await untilAll(second, ids, 'offline');
    const opened = await incidents(second);
    const troubled = opened.map((incident) => incident.monitor_id);
    expect(troubled.toSorted((a, b) => a - b)).toEqual(ids.toSorted((a, b) => a - b));
    expect(opened.every(({ type, status }) => type === 'uptime' && status === 'open')).toBe(true);

    await target.heal();
    await untilAll(second, ids, 'online');
    await second.stop();
    await expectSoundHistory(database);
    const total = await database.read.selectFrom('incident').select('id').execute();
    expect(total).toHaveLength(MONITORS);
  });
});

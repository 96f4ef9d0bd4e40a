import { expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/databases.ts';
import { createFakeClock, type FakeClock } from '../../../test/support/fake-clock.ts';
import { silentLog } from '../../lib/log.ts';
import type { Database } from '../../store/database/contract.ts';
import { createOverloadMonitor } from './overload-monitor.ts';

function watching(database: Database, clock: FakeClock) {
  const lines: string[] = [];
  const house = { longestWaitMs: 0, lines };
  const write = (_fields: object, message: string) => void lines.push(message);
  const monitor = createOverloadMonitor({
    database,
    clock,
    log: { ...silentLog, info: write, warn: write },
    probe: 'cellar:3000',
    observe: () => ({
      loads: [
        {
          running: 16,
          waiting: 9,
          longestWaitMs: house.longestWaitMs,
          capacity: 16,
          openFiles: 64,
        },
      ],
      punctuality: { due: 100, late: 0 },
    }),
  });
  return Object.assign(house, { monitor });
}

const rows = (database: Database) =>
  database.read.selectFrom('probe_overload').selectAll().execute();

eachDatabase((_name, open) => {
  test('an overload is logged and stored once as it begins, and once as it ends', async () => {
    const database = await open();
    const clock = createFakeClock();
    const house = watching(database, clock);
    await house.monitor.load();
    house.monitor.start();
    await clock.advance(5_000);
    expect([house.lines, await rows(database)]).toEqual([[], []]);

    house.longestWaitMs = 4_000;
    await clock.advance(1_000);
    const since = clock.now();
    await clock.advance(120_000);
    await expect
      .poll(() => rows(database))
      .toMatchObject([
        { probe: 'cellar:3000', overloaded_at: since, changed_at: since, notified_at: null },
      ]);
    expect(house.monitor.overload()).toMatchObject({ since });
    expect(house.lines).toEqual(['The probe is overloaded.']);

    house.longestWaitMs = 0;
    await clock.advance(62_000);
    expect(house.lines).toEqual(['The probe is overloaded.', 'The probe keeps up again.']);
    expect(house.monitor.overload()).toBeNull();
    await expect.poll(() => rows(database)).toMatchObject([{ overloaded_at: null }]);
    house.monitor.stop();
    await clock.settle();
    expect(clock.pending().timers).toBe(0);
  });

  test('an overload of before a restart ends, too', async () => {
    const database = await open();
    const clock = createFakeClock();
    const before = watching(database, clock);
    before.longestWaitMs = 4_000;
    before.monitor.start();
    await clock.advance(1_000);
    const since = clock.now();
    await expect.poll(async () => (await rows(database)).length).toBe(1);
    before.monitor.stop();

    const after = watching(database, clock);
    await after.monitor.load();
    expect(after.monitor.overload()).toMatchObject({ since });
    after.monitor.start();
    await clock.advance(62_000);
    expect(after.lines).toEqual(['The probe keeps up again.']);
    await expect.poll(() => rows(database)).toMatchObject([{ overloaded_at: null }]);
    after.monitor.stop();
  });
});

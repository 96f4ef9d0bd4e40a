import { expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/databases.ts';
import { createFakeClock, type FakeClock } from '../../../test/support/fake-clock.ts';
import { silentLog } from '../../lib/log.ts';
import type { Database } from '../../store/database/contract.ts';
import { createOverloadDetector } from './overload.ts';

function startDetector(database: Database, clock: FakeClock) {
  const lines: string[] = [];
  const house = { longestWaitMs: 0, lines };
  const write = (_fields: object, message: string) => void lines.push(message);
  const detector = createOverloadDetector({
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
  return Object.assign(house, { detector });
}

const rows = (database: Database) =>
  database.read.selectFrom('probe_overload').selectAll().execute();

eachDatabase((_name, open) => {
  test('logs and stores an overload once at its start and once at its end', async () => {
    const database = await open();
    const clock = createFakeClock();
    const house = startDetector(database, clock);
    await house.detector.load();
    house.detector.start();
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
    expect(house.detector.overload()).toMatchObject({ since });
    expect(house.lines).toEqual(['The probe is overloaded.']);

    house.longestWaitMs = 0;
    await clock.advance(62_000);
    expect(house.lines).toEqual(['The probe is overloaded.', 'The probe keeps up again.']);
    expect(house.detector.overload()).toBeNull();
    await expect.poll(() => rows(database)).toMatchObject([{ overloaded_at: null }]);
    house.detector.stop();
    await clock.settle();
    expect(clock.pending().timers).toBe(0);
  });

  test('ends an overload that started before a restart', async () => {
    const database = await open();
    const clock = createFakeClock();
    const before = startDetector(database, clock);
    before.longestWaitMs = 4_000;
    before.detector.start();
    await clock.advance(1_000);
    const since = clock.now();
    await expect.poll(async () => (await rows(database)).length).toBe(1);
    before.detector.stop();

    const after = startDetector(database, clock);
    await after.detector.load();
    expect(after.detector.overload()).toMatchObject({ since });
    after.detector.start();
    await clock.advance(62_000);
    expect(after.lines).toEqual(['The probe keeps up again.']);
    await expect.poll(() => rows(database)).toMatchObject([{ overloaded_at: null }]);
    after.detector.stop();
  });
});

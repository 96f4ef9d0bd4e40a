import { expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/databases.ts';
import { createFakeClock, type FakeClock } from '../../../test/support/fake-clock.ts';
import { createJob, incidentsOf } from '../../../test/support/jobs.ts';
import { silentLog } from '../../lib/log.ts';
import { listGaps } from '../../store/engine/process-marks.ts';
import type { Database } from '../../store/database/contract.ts';
import { Alive } from './alive.ts';
import { createSweep } from './sweep.ts';

const START = Date.UTC(2030, 0, 1);
const SECOND = 1_000;
const JOB = { interval: 30, grace: 10 };
/** Of a job that never calls. */
const DEADLINE = START + 40 * SECOND;

/** One of several processes on a database, with a clock of its own: it stands still when nobody lets time pass. */
async function startProcess(stored: Database, processId: string) {
  let waitingSince: number | null = null;
  let busy = 0;
  const clock: FakeClock = createFakeClock({ now: START, busy: () => busy > 0 });
  const database: Database = {
    ...stored,
    isShared: true,
    async transaction(work) {
      busy += 1;
      try {
        return await stored.transaction(work);
      } finally {
        busy -= 1;
      }
    },
  };
  const oldestWaitingAt = () => waitingSince;
  const alive = new Alive({ database, clock, log: silentLog, processId, oldestWaitingAt });
  const sweep = createSweep({
    database,
    clock,
    log: silentLog,
    isCertain: () => alive.isCertain(),
    oldestWaitingAt,
    heardByOthers: (tx) => alive.heardByOthers(tx),
  });
  const started = alive.start();
  await clock.settle();
  await started;
  sweep.start();
  return {
    clock,
    setWaitingSince: (at: number | null) => void (waitingSince = at),
    async stop() {
      const ended = alive.stop();
      await clock.advance(SECOND);
      await ended;
      await sweep.stop();
    },
  };
}

type Running = Awaited<ReturnType<typeof startProcess>>;

async function passTime(processes: readonly Running[], until: number): Promise<void> {
  while (processes.some(({ clock }) => clock.now() < until))
    for (const { clock } of processes)
      if (clock.now() < until) await clock.advance(Math.min(SECOND, until - clock.now()));
}

const missed = async (database: Database, id: number) =>
  (await incidentsOf(database, id)).map(({ started_at }) => started_at);

const gapsSinceStart = async (database: Database) =>
  (await listGaps(database.read, START)).map(({ from, to }) => [
    (from - START) / SECOND,
    (to - START) / SECOND,
  ]);

eachDatabase((_, open) => {
  test('silence is known as soon as all processes have heard nothing [13.28]', async () => {
    const database = await open();
    const { id } = await createJob(database, START, JOB);
    const both = [await startProcess(database, 'one'), await startProcess(database, 'two')];
    await passTime(both, DEADLINE + 3 * SECOND - 500);
    expect(await missed(database, id)).toEqual([]);
    await passTime(both, DEADLINE + 6 * SECOND);
    expect(await missed(database, id)).toEqual([DEADLINE]);
    for (const one of both) await one.stop();
  });

  test('a ping that another process has not stored yet is no silence', async () => {
    const database = await open();
    const { id } = await createJob(database, START, JOB);
    const [one, two] = [await startProcess(database, 'one'), await startProcess(database, 'two')];
    await passTime([one, two], DEADLINE - 2 * SECOND);
    one.setWaitingSince(DEADLINE - 2 * SECOND);
    await passTime([one, two], DEADLINE + 20 * SECOND);
    expect(await missed(database, id)).toEqual([]);
    one.setWaitingSince(null);
    await passTime([one, two], DEADLINE + 25 * SECOND);
    expect(await missed(database, id)).toEqual([DEADLINE]);
    await one.stop();
    await two.stop();
  });

  test('what waits in the sockets of a process that stood still for a moment is no silence', async () => {
    const database = await open();
    const { id } = await createJob(database, START, JOB);
    const [one, two] = [await startProcess(database, 'one'), await startProcess(database, 'two')];
    await passTime([one, two], DEADLINE - SECOND);
    one.clock.freeze(6 * SECOND);
    await passTime([two], DEADLINE + 5 * SECOND);
    // It goes on, and says so at once.
    await one.clock.advance(100);
    await passTime([two], DEADLINE + 6 * SECOND);
    expect(await missed(database, id)).toEqual([]);
    await passTime([one, two], DEADLINE + 14 * SECOND);
    expect(await missed(database, id)).toEqual([DEADLINE]);
    await one.stop();
    await two.stop();
  });

  test('a process that died may have had a ping in its hands: the deadline is put off [13.29]', async () => {
    const database = await open();
    const { id } = await createJob(database, START, JOB);
    const [dead, other] = [
      await startProcess(database, 'one'),
      await startProcess(database, 'two'),
    ];
    await passTime([dead, other], DEADLINE - 2 * SECOND);
    await passTime([other], DEADLINE + 20 * SECOND);
    expect(await gapsSinceStart(database)).toEqual([[38, 48]]);
    expect(await missed(database, id)).toEqual([]);
    // An interval and the grace after the gap.
    await passTime([other], START + 95 * SECOND);
    expect(await missed(database, id)).toEqual([START + 88 * SECOND]);
    await other.stop();
  });

  test('one that ends in order leaves no gap, and nobody waits for it', async () => {
    const database = await open();
    const { id } = await createJob(database, START, JOB);
    const [ended, other] = [
      await startProcess(database, 'one'),
      await startProcess(database, 'two'),
    ];
    await passTime([ended, other], DEADLINE - 2 * SECOND);
    await ended.stop();
    await passTime([other], DEADLINE + 5 * SECOND);
    expect(await missed(database, id)).toEqual([DEADLINE]);
    expect(await gapsSinceStart(database)).toEqual([]);
    await other.stop();
  });
});

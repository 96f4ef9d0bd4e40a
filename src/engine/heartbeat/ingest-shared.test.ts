import { expect, test } from 'vitest';
import { onPostgres } from '../../../test/support/databases.ts';
import { createJobs, incidentsOf, pingOf, stateRowOf } from '../../../test/support/jobs.ts';
import { createMonitor } from '../../../test/support/monitor-rows.ts';
import { numbersOf } from '../../../test/support/pings.ts';
import { roundOf } from '../../../test/support/rounds.ts';
import { systemClock, type Clock } from '../../lib/clock.ts';
import { silentLog } from '../../lib/log.ts';
import { createRoundRecorder } from '../index.ts';
import { createIngest } from './ingest.ts';

/** A ping that waits for a row of another process is refused after 5 s: a busy machine has more than that here. */
const clock: Clock = {
  ...systemClock,
  after: (milliseconds, call) =>
    systemClock.after(milliseconds >= 1_000 ? 10 * milliseconds : milliseconds, call),
};
const START = Date.UTC(2030, 0, 1);
const times = <Value>(count: number, make: (index: number) => Value) =>
  Array.from({ length: count }, (_, index) => make(index));

onPostgres((openFresh) => {
  test('two processes and a recorder beside them lose nothing and never wait for each other in vain', async () => {
    const database = await openFresh();
    const jobs = await createJobs(database, START, 40);
    const monitors: number[] = [];
    for (let count = 0; count < 10; count++) monitors.push(await createMonitor(database, START));
    const ingests = times(2, () => createIngest({ database, clock, limit: null }));
    const recorder = createRoundRecorder({
      database,
      clock: systemClock,
      log: silentLog,
      gatherMs: 1,
    });

    /** Each job in turn, forwards in one process and backwards in the other; every fifth call tells of a failure. */
    const flood = async (place: number) => {
      const outcomes: string[] = [];
      for (let turn = 0; turn < 40; turn++) {
        const order = place === 0 ? jobs : jobs.toReversed();
        const taking = order.map(({ token }, index) =>
          ingests[place]!.take(
            pingOf(token, { kind: (index + turn) % 5 === 0 ? 'failure' : 'success' }),
          ),
        );
        // Several commits are under way in the other process meanwhile.
        outcomes.push(...(await Promise.all(taking)).map(({ kind }) => kind));
      }
      return outcomes;
    };
    const judging = async () => {
      const revisions = new Map<number, number>();
      for (const id of monitors) revisions.set(id, (await stateRowOf(database, id)).revision);
      for (let turn = 0; turn < 20; turn++) {
        const startedAt = START + turn * 30_000;
        const rounds = monitors.map((monitorId) =>
          roundOf(turn % 4 < 2 ? 'dddd' : 'uuuu', {
            monitorId,
            startedAt,
            revision: revisions.get(monitorId)!,
          }),
        );
        const recorded = await Promise.all(rounds.map((round) => recorder.submit(round)));
        expect(recorded.map(({ outcome }) => outcome)).toEqual(rounds.map(() => 'counted'));
      }
    };
    const [first, second] = await Promise.all([flood(0), flood(1), judging()]);
    expect([...first, ...second]).toEqual(times(3_200, () => 'recorded'));
    await Promise.all([...ingests.map((ingest) => ingest.close()), recorder.close()]);
    for (const { id } of jobs) {
      expect(await numbersOf(database, id)).toEqual(times(80, (index) => index + 1));
    }
    const incidents = await incidentsOf(database);
    const open = incidents.filter((one) => one.ended_at === null);
    const states = await database.read
      .selectFrom('monitor_state')
      .select(['monitor_id', 'status'])
      .execute();
    const offline = states.filter(({ status }) => status === 'offline');
    expect(open.map((one) => one.monitor_id).toSorted()).toEqual(
      offline.map((one) => one.monitor_id).toSorted(),
    );
    const told = await database.read.selectFrom('event').select('id').execute();
    expect(told).toHaveLength(incidents.length * 2 - open.length);
  });
});

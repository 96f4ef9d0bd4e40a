import { expect, test } from 'vitest';
import { onPostgres } from '../../../test/support/databases.ts';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { createJobs, pingOf, settling } from '../../../test/support/jobs.ts';
import { openImpatient } from '../../../test/support/locked-rows.ts';
import { numbersOf } from '../../../test/support/pings.ts';
import { createIngest } from './ingest.ts';
import { closedAfterEach } from '../../../test/support/closing.ts';

const START = Date.UTC(2030, 0, 1);
const turnOfTheEventLoop = () => new Promise<void>((resolve) => void setImmediate(resolve));

const closing = closedAfterEach<() => Promise<void>>();

onPostgres(() => {
  test('a job whose row another session holds holds up no other; its caller hears 503, and its ping is kept [12.27]', async () => {
    const { database, hold, close } = await openImpatient();
    closing.push(close);
    const jobs = await createJobs(database, START, 10);
    const clock = createFakeClock({ now: START });
    const refused: number[] = [];
    const ingest = createIngest({
      database,
      clock,
      limit: null,
      onRefused: (receivedAt) => refused.push(receivedAt),
    });
    const [first, ...others] = jobs;
    const release = await hold(first!.id);
    const held = ingest.take(pingOf(first!.token));
    while (ingest.heldUpSince(first!.id) === null) {
      await clock.settle();
      await turnOfTheEventLoop();
    }
    expect(ingest.heldUpSince(first!.id)).toBe(START);
    // Silence of others is judged all the same.
    expect(ingest.oldestWaitingAt()).toBeNull();
    const outcomes = await settling(
      clock,
      Promise.all(others.map(({ token }) => ingest.take(pingOf(token)))),
    );
    expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['recorded']));

    const heard: string[] = [];
    void held.then(({ kind }) => heard.push(kind));
    while (heard.length === 0) {
      await clock.advance(100);
      await turnOfTheEventLoop();
    }
    expect(heard).toEqual(['unavailable']);
    expect(clock.now() - START).toBeLessThanOrEqual(5_200);
    // No deadline of another job is postponed for it.
    expect(refused).toEqual([]);

    await release();
    while (ingest.heldUpSince(first!.id) !== null) {
      await clock.advance(100);
      await turnOfTheEventLoop();
    }
    expect(await numbersOf(database, first!.id)).toEqual([1]);
    await settling(clock, ingest.close());
  });
});

import { expect, test } from 'vitest';
import { eachDatabase, onPostgres, type OpenFresh } from '../../../test/support/databases.ts';
import {
  deliveriesOf,
  destinationOf,
  enqueue,
  eventOf,
  giveEndpoint,
  giveTeam,
} from '../../../test/support/deliveries.ts';
import { answer, holding, SECOND, startWorkers } from '../../../test/support/delivery-worker.ts';
import type { Database } from '../../store/database/contract.ts';

const PATIENCE_MS = 10_000;

const realTurn = () => new Promise((resolve) => setTimeout(resolve, 2));

/** A worker whose requests the test answers, and an endpoint with events of as many monitors as it is sent. */
async function worldOf(open: OpenFresh) {
  const opened = await open();
  const team = await giveTeam(opened);
  const { destinationId } = await giveEndpoint(opened, team, 'https://hooks.example.com/all');
  /** While there is one, transactions wait for it. */
  const stall = { until: null as Promise<void> | null, waiting: 0 };
  /** With what the next transaction fails, once. */
  const fault = { next: null as Error | null };
  const transaction: Database['transaction'] = async (work) => {
    const { next } = fault;
    fault.next = null;
    if (next !== null) throw next;
    if (stall.until !== null) {
      stall.waiting += 1;
      await stall.until;
    }
    return opened.transaction(work);
  };
  const database: Database = { ...opened, transaction };
  const work = startWorkers(database);
  await work.rest();
  const { held, take } = holding();
  work.script.answer = take;
  let monitors = 0;
  return {
    opened,
    destinationId,
    stall,
    fault,
    work,
    held,
    /** One event each of further monitors. */
    async send(count: number): Promise<void> {
      const events = Array.from({ length: count }, () => {
        monitors += 1;
        return eventOf(destinationId, String(monitors), monitors);
      });
      await enqueue(opened, events, work.clock.now());
    },
    /** Lets time pass, the database's real time too, until the test holds as many requests. */
    async until(count: number): Promise<void> {
      const deadline = performance.now() + PATIENCE_MS;
      while (held.length < count) {
        if (performance.now() > deadline) expect(held).toHaveLength(count);
        await work.clock.advance(10);
        await realTurn();
      }
    },
    /** Time in which nothing more should begin. */
    async linger(): Promise<void> {
      for (let turns = 0; turns < 20; turns += 1) {
        await work.clock.advance(10);
        await realTurn();
      }
    },
    /** Answers all that are held and come, until nothing waits any more. */
    async finish(): Promise<void> {
      work.script.answer = () => answer(200);
      for (const one of held.splice(0)) one.end(answer(200));
      await work.pass(2 * SECOND);
      const rows = await deliveriesOf(opened, destinationId);
      expect(rows.filter(({ status }) => status !== 'delivered')).toEqual([]);
      expect(work.errors).toEqual([]);
      await work.stop();
    },
  };
}

eachDatabase((engine, open) => {
  test('after a failure requests grow by one with each answer [29.22]', async () => {
    const { work, held, send, until, linger, finish } = await worldOf(open);
    await send(20);
    await until(16);
    for (const one of held.splice(0)) one.end(answer(503));
    await work.pass(2 * SECOND);
    // The hold of some seconds, and the probe.
    await until(1);
    for (const inFlight of [1, 2, 4, 8]) {
      await until(inFlight);
      await linger();
      expect(held).toHaveLength(inFlight);
      for (const one of held.splice(0)) one.end(answer(200));
    }
    await finish();
  });

  test('failures of one round are one, though they are recorded one after another', async () => {
    const { opened, destinationId, work, held, send, until, finish } = await worldOf(open);
    await send(16);
    await until(16);
    const attempts = async () =>
      (await deliveriesOf(opened, destinationId)).filter((row) => row.attempts > 0).length;
    for (const half of [8, 16]) {
      for (const one of held.splice(0, 8)) one.end(answer(503));
      while ((await attempts()) < half) await work.clock.advance(10);
    }
    expect(await destinationOf(opened, destinationId)).toMatchObject({ failures: 1 });
    await until(1);
    await finish();
  });

  test('what is enqueued while requests hang is sent beside them', async () => {
    const { work, held, send, until, finish } = await worldOf(open);
    await send(1);
    await until(1);
    await send(1);
    work.workers[0]!.wake();
    await until(2);
    expect(held.map(({ id }) => id)).toEqual(['1', '2']);
    await finish();
  });

  test('once somebody else has the endpoint, nothing more is sent to it', async () => {
    const { opened, destinationId, work, held, send, until, linger } = await worldOf(open);
    await send(40);
    await until(16);
    await opened.transaction((tx) =>
      tx
        .updateTable('destination')
        .set((eb) => ({ claim: eb('claim', '+', 1), next_at: null }))
        .where('id', '=', destinationId)
        .execute(),
    );
    // Its outcome can not be recorded; one more may begin before that is known.
    held.shift()!.end(answer(200));
    await linger();
    const before = work.sent.length;
    expect(before).toBeLessThanOrEqual(17);
    for (const one of held.splice(0)) one.end(answer(200));
    await linger();
    expect(work.sent).toHaveLength(before);
    await work.rest();
    const rows = await deliveriesOf(opened, destinationId);
    expect(rows.filter(({ attempts }) => attempts > 0)).toEqual([]);
    await work.stop();
  });

  test('outcomes that can not be recorded are logged, and nothing is sent again at once', async () => {
    const { fault, work, held, send, until, linger } = await worldOf(open);
    await send(1);
    await until(1);
    fault.next = new Error('This row is damaged.');
    held.shift()!.end(answer(200));
    await linger();
    await work.clock.advance(SECOND);
    await linger();
    expect(work.errors).toMatchObject([{ error: { message: 'This row is damaged.' } }]);
    expect(work.sent).toHaveLength(1);
    await work.stop();
  });

  // Reads of SQLite end while the clock stands still, so that it is known what was asked for before the second passed.
  if (engine === 'sqlite')
    test('no request begins while outcomes have not been recorded for a second', async () => {
      const { stall, work, held, send, until, linger, finish } = await worldOf(open);
      await send(40);
      await until(16);
      const recorded = Promise.withResolvers<void>();
      stall.until = recorded.promise;
      held.shift()!.end(answer(200));
      // Others begin while the commit is young.
      await until(16);
      while (stall.waiting === 0) await linger();
      await work.clock.advance(SECOND + 100);
      held.shift()!.end(answer(200));
      await linger();
      expect(held).toHaveLength(15);
      stall.until = null;
      recorded.resolve();
      await until(16);
      await finish();
    });
});

onPostgres((open) => {
  test('a process that stood still beyond its lease begins nothing that another one sends', async () => {
    const { opened, destinationId, work, held, send, until, linger } = await worldOf(open);
    await send(20);
    await until(16);
    const other = startWorkers(opened, { databaseClock: work.clock });
    work.clock.freeze(20 * SECOND);
    await other.pass(SECOND);
    expect(other.sent).toHaveLength(20);
    held[0]!.end(answer(200));
    await linger();
    expect(work.sent).toHaveLength(16);
    for (const one of held) one.end(answer(200));
    await work.rest();
    const rows = await deliveriesOf(opened, destinationId);
    expect(rows.map(({ attempts }) => attempts)).toEqual(rows.map(() => 1));
    await Promise.all([work.stop(), other.stop()]);
  });
});

import { describe, expect, test } from 'vitest';
import { eachDatabase, onPostgres } from '../../../test/support/databases.ts';
import {
  deliveriesOf,
  destinationOf,
  enqueue,
  eventOf,
  giveChannel,
  giveEndpoint,
  giveTeam,
} from '../../../test/support/deliveries.ts';
import {
  answer,
  bell,
  SECOND,
  START,
  startWorkers,
} from '../../../test/support/delivery-worker.ts';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { notice } from '../../../test/support/notices.ts';
import type { HttpResponse } from '../../net/http-client.ts';
import type { Database } from '../../store/database/contract.ts';
import { DatabaseUnavailable } from '../../store/database/errors.ts';
import type { ChannelOutcome } from '../channels/index.ts';
import { retryWhileUnavailable } from './leases.ts';

const AHEAD = 60 * SECOND;

const statuses = async (database: Database, destinationId: number) =>
  (await deliveriesOf(database, destinationId)).map(({ status }) => status);

const away = () => new DatabaseUnavailable('It is away.');

/** The database, which can be away, or lose the connection just when a commit would be acknowledged. */
function unsteady(database: Database) {
  const state = { isAway: false, losesNext: false };
  const transaction: Database['transaction'] = async (work) => {
    if (state.isAway) throw away();
    const result = await database.transaction(work);
    if (!state.losesNext) return result;
    state.losesNext = false;
    throw away();
  };
  const connection = new Proxy(database, {
    get(target, name) {
      if (name === 'transaction') return transaction;
      if (name === 'read' && state.isAway) throw away();
      return Reflect.get(target, name) as unknown;
    },
  });
  return { state, connection };
}

eachDatabase((engine, open) => {
  test('many hang, and the clock is set forward: others are served all the same', async () => {
    const database = await open();
    const rung: ((outcome: ChannelOutcome) => void)[] = [];
    const type = bell(() => new Promise((resolve) => rung.push(resolve)));
    const work = startWorkers(database, { channelType: () => type });
    await work.rest();
    const body = JSON.stringify(notice());
    const messages = [];
    for (const name of ['one', 'two', 'three', 'four', 'five']) {
      const team = await giveTeam(database, name);
      for (let index = 0; index < 12; index++) {
        const { destinationId } = await giveChannel(database, team);
        messages.push({ ...eventOf(destinationId, `${name} ${index}`), kind: 'alarm', body });
      }
    }
    const team = await giveTeam(database, 'another');
    const { destinationId } = await giveEndpoint(database, team, 'https://example.com/hook');
    await enqueue(database, messages, START);
    await work.pass(2 * SECOND, 60);
    expect(work.underWay()).toBe(60);
    work.clock.stepWall(2 * AHEAD);
    await enqueue(database, [eventOf(destinationId, 'night')], work.clock.now());
    await work.pass(SECOND, 60);
    expect(work.sent.map(({ id }) => id)).toEqual(['night']);
    for (const end of rung) end({ outcome: 'delivered', statusCode: 200 });
    await work.stop();
  });

  test.each([
    ['nothing waits behind it', []],
    ['more waits behind it', ['two']],
  ])(
    'an outcome whose commit was never confirmed is written once, and %s',
    async (_how, behind) => {
      const database = await open();
      const team = await giveTeam(database);
      const { destinationId } = await giveEndpoint(database, team, 'https://example.com/hook');
      const { state, connection } = unsteady(database);
      const work = startWorkers(connection);
      await work.rest();
      const held = Promise.withResolvers<HttpResponse>();
      work.script.answer = () => held.promise;
      const first = ['one', ...behind];
      await enqueue(
        database,
        first.map((name) => eventOf(destinationId, name)),
        START,
      );
      await work.pass(SECOND, 1);
      state.losesNext = true;
      work.script.answer = () => answer(200);
      held.resolve(answer(200));
      // It waits a second before it tries again.
      await work.pass(2 * SECOND, 1);
      await enqueue(database, [eventOf(destinationId, 'last')], work.clock.now());
      await work.pass(SECOND);
      expect(state.losesNext).toBe(false);
      expect(work.sent.map(({ id }) => id)).toEqual([...first, 'last']);
      expect(await deliveriesOf(database, destinationId)).toMatchObject(
        [...first, 'last'].map(() => ({ status: 'delivered', attempts: 1 })),
      );
      expect(work.errors).toEqual([]);
      await work.stop();
    },
  );

  test('the clock is set forward while something is sent: it is not taken up once more', async () => {
    const database = await open();
    const team = await giveTeam(database);
    const { destinationId } = await giveEndpoint(database, team, 'https://example.com/hook');
    const work = startWorkers(database);
    const held = Promise.withResolvers<HttpResponse>();
    work.script.answer = () => held.promise;
    await enqueue(database, [eventOf(destinationId, 'one')], START);
    await work.pass(SECOND, 1);
    work.clock.stepWall(AHEAD);
    await work.pass(2 * SECOND, 1);
    held.resolve(answer(200));
    await work.pass(SECOND);
    expect(work.sent.map(({ id }) => id)).toEqual(['one']);
    expect(await statuses(database, destinationId)).toEqual(['delivered']);
    await work.stop();
  });

  test('what a process that died was sending, the next one sends: at once where it is the only one', async () => {
    const database = await open();
    const team = await giveTeam(database);
    const { destinationId } = await giveEndpoint(database, team, 'https://example.com/hook');
    const dead = startWorkers(database);
    await dead.rest();
    const never = Promise.withResolvers<HttpResponse>();
    dead.script.answer = () => never.promise;
    await enqueue(database, [eventOf(destinationId, 'one')], START);
    dead.workers[0]!.wake();
    await dead.rest(1);
    expect(dead.underWay()).toBe(1);

    const next = startWorkers(database);
    await next.pass(SECOND);
    // On Postgres it may live on elsewhere: its lease of 10 s has to end.
    expect(next.sent.map(({ id }) => id)).toEqual(engine === 'sqlite' ? ['one'] : []);
    await next.pass(10 * SECOND);
    expect(next.sent.map(({ id }) => id)).toEqual(['one']);
    expect(await statuses(database, destinationId)).toEqual(['delivered']);
    await next.stop();
    never.resolve(answer(200));
    await dead.stop();
  });
});

onPostgres((open) => {
  async function world() {
    const database = await open();
    const team = await giveTeam(database);
    const { destinationId } = await giveEndpoint(database, team, 'https://example.com/hook');
    const send = (...names: string[]) =>
      enqueue(
        database,
        names.map((name) => eventOf(destinationId, name)),
        START - AHEAD,
      );
    return { database, team, destinationId, send };
  }

  describe.each([
    ['ahead', [0, AHEAD]],
    ['behind', [0, -AHEAD]],
  ])('the clock of another process is %s by a minute [40.17]', (_, aheadMs) => {
    test('it leaves alone what is being sent', async () => {
      const { database, destinationId, send } = await world();
      const work = startWorkers(database, { count: 2, aheadMs });
      await work.rest();
      const held = Promise.withResolvers<HttpResponse>();
      work.script.answer = () => held.promise;
      await send('one', 'two');
      work.workers[0]!.wake();
      await work.pass(14 * SECOND, 1);
      expect(work.workers.map((worker) => worker.underWay())).toEqual([1, 0]);
      work.script.answer = () => answer(200);
      held.resolve(answer(200));
      await work.pass(SECOND);
      expect(work.sent.map(({ id }) => id)).toEqual(['one', 'two']);
      expect(await statuses(database, destinationId)).toEqual(['delivered', 'delivered']);
      expect(work.errors).toEqual([]);
      await work.stop();
    });
  });

  test.each([0, 1])(
    'the database is away for longer than a lease: what process %i was sending stays its own',
    async (holder) => {
      const { database, destinationId, send } = await world();
      const { state, connection } = unsteady(database);
      const work = startWorkers(connection, { count: 2 });
      await work.rest();
      const held = Promise.withResolvers<HttpResponse>();
      work.script.answer = () => held.promise;
      await send('one');
      work.workers[holder]!.wake();
      await work.pass(2 * SECOND, 1);
      expect(work.workers[holder]!.underWay()).toBe(1);
      state.isAway = true;
      held.resolve(answer(200));
      await work.pass(14 * SECOND, 1);
      state.isAway = false;
      await work.pass(2 * SECOND, 1);
      await work.pass(8 * SECOND);
      expect(work.sent.map(({ id }) => id)).toEqual(['one']);
      expect(await statuses(database, destinationId)).toEqual(['delivered']);
      await work.stop();
    },
  );

  test('a lease is renewed for as long as an attempt takes', async () => {
    const { database, team } = await world();
    const { destinationId } = await giveChannel(database, team);
    const rung = Promise.withResolvers<ChannelOutcome>();
    let rings = 0;
    const type = bell(() => {
      rings += 1;
      return rung.promise;
    });
    const work = startWorkers(database, { count: 2, channelType: () => type });
    await work.rest();
    const message = { ...eventOf(destinationId, 'one'), kind: 'alarm', eventType: null };
    await enqueue(database, [{ ...message, body: JSON.stringify(notice()) }], START);
    await work.pass(50 * SECOND, 1);
    expect(rings).toBe(1);
    expect(work.underWay()).toBe(1);
    const { leased_until: leasedUntil } = await destinationOf(database, destinationId);
    expect(leasedUntil! - work.clock.now()).toBeGreaterThan(5 * SECOND);
    expect(leasedUntil! - work.clock.now()).toBeLessThanOrEqual(10 * SECOND);
    rung.resolve({ outcome: 'delivered', statusCode: 200 });
    await work.stop();
  });

  test('what a process that stands still was sending, another one sends under the same id ten seconds later', async () => {
    const { database, destinationId, send } = await world();
    const living = startWorkers(database);
    await living.rest();
    const still = startWorkers(database, { databaseClock: living.clock });
    await still.rest();
    const held = Promise.withResolvers<HttpResponse>();
    still.script.answer = () => held.promise;
    await send('one', 'two');
    still.workers[0]!.wake();
    await still.rest(1);
    expect(still.underWay()).toBe(1);

    await living.pass(9 * SECOND);
    expect(living.sent).toEqual([]);
    await living.pass(2 * SECOND);
    expect(living.sent.map(({ id }) => id)).toEqual(['one', 'two']);

    // It goes on, and comes too late.
    held.resolve(answer(503));
    await still.pass(SECOND);
    expect(still.sent.map(({ id }) => id)).toEqual(['one']);
    expect(await statuses(database, destinationId)).toEqual(['delivered', 'delivered']);
    expect(await destinationOf(database, destinationId)).toMatchObject({
      failures: 0,
      next_at: null,
      leased_until: null,
    });
    await Promise.all([living.stop(), still.stop()]);
  });
});

/** Work that is done once the database is back, that many tries later. */
function workAfter(failures: number, error: Error = new DatabaseUnavailable('it is away')) {
  const clock = createFakeClock();
  const triedAt: number[] = [];
  const work = () => {
    triedAt.push(clock.monotonic());
    return triedAt.length > failures ? Promise.resolve('done') : Promise.reject(error);
  };
  return { clock, triedAt, work };
}

test('Work is done once, and again each second while the database is away.', async () => {
  const { clock, triedAt, work } = workAfter(2);
  const answered = retryWhileUnavailable(clock, work, () => true);
  await clock.advance(5_000);
  expect(await answered).toBe('done');
  expect(triedAt).toEqual([0, 1_000, 2_000]);
});

test('It is given up when it may not be tried any more, never before the first try.', async () => {
  const { clock, triedAt, work } = workAfter(9);
  const answered = retryWhileUnavailable(clock, work, () => clock.monotonic() < 1_500);
  await clock.advance(5_000);
  expect(await answered).toBeNull();
  expect(triedAt).toEqual([0, 1_000, 2_000]);
});

test('Any other error is whose work it is.', async () => {
  const { clock, triedAt, work } = workAfter(1, new Error('one row is odd'));
  await expect(retryWhileUnavailable(clock, work, () => true)).rejects.toThrow('one row is odd');
  expect(triedAt).toEqual([0]);
});

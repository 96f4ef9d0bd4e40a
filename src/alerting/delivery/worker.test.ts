import type { Transaction } from 'kysely';
import { expect, test } from 'vitest';
import { untilLockWait } from '../../../test/support/lock-waits.ts';
import { eachDatabase, onPostgres } from '../../../test/support/databases.ts';
import {
  deliveriesOf,
  destinationOf,
  enqueue,
  eventOf,
  giveChannel,
  giveEndpoint,
  giveTeam,
  secretBox,
} from '../../../test/support/deliveries.ts';
import {
  answer,
  bell,
  HOUR,
  MINUTE,
  REFUSED,
  SECOND,
  START,
  startWorkers,
} from '../../../test/support/delivery-worker.ts';
import type { Database, Schema } from '../../store/database/contract.ts';
import { queueOf } from '../../store/alerting/deliveries.ts';
import { lockDestination } from '../../store/alerting/claims.ts';
import { destinationStore } from '../../store/alerting/destinations.ts';
import type { ChannelDelivery, ChannelOutcome } from '../channels/index.ts';
import { rowOf, updateRows } from '../../../test/support/rows.ts';

/** When what is enqueued at the start is taken up. */
const LOOK = 250;

const attemptsOf = (database: Database) =>
  database.read
    .selectFrom('delivery_attempt')
    .selectAll()
    .orderBy('delivery_id')
    .orderBy('number')
    .execute();

const statuses = async (database: Database, destinationId: number) =>
  (await deliveriesOf(database, destinationId)).map((one) => `${one.message_id} ${one.status}`);

eachDatabase((_, open) => {
  async function world(count = 1) {
    const database = await open();
    const team = await giveTeam(database);
    const endpoints = await Promise.all(
      Array.from({ length: count }, (_item, index) =>
        giveEndpoint(database, team, `https://hooks.example.com/${index}`),
      ),
    );
    const work = startWorkers(database);
    await work.rest();
    return { database, team, endpoints, endpoint: endpoints[0]!, work };
  }

  test('an event arrives as it was stored, and its attempt is recorded [29.18]', async () => {
    const { database, endpoint, work } = await world();
    const { destinationId } = endpoint;
    await enqueue(database, [eventOf(destinationId, 'first')], START);
    await work.pass(SECOND);
    expect(work.sent).toMatchObject([
      { url: 'https://hooks.example.com/0', id: 'first', body: '{"name":"first"}' },
    ]);
    expect(await deliveriesOf(database, destinationId)).toMatchObject([
      { status: 'delivered', attempts: 1, finished_at: expect.any(Number) },
    ]);
    expect(await attemptsOf(database)).toMatchObject([
      { number: 1, status_code: 200, error: null, response: 'status 200' },
    ]);
    expect(await destinationOf(database, destinationId)).toMatchObject({
      next_at: null,
      leased_until: null,
      failures: 0,
      last_delivered_at: expect.any(Number),
    });
    expect(work.counters).toMatchObject({ delivered: 1, postponed: 0, failed: 0 });
    await work.stop();
  });

  test('after a day an event expires, and the next has its own day [29.26]', async () => {
    const { database, endpoint, work } = await world();
    const { destinationId } = endpoint;
    work.script.answer = () => answer(503);
    await enqueue(database, [eventOf(destinationId, 'old')], START);
    for (let hour = 0; hour < 23; hour += 1) await work.leap(HOUR);
    await enqueue(database, [eventOf(destinationId, 'new')], work.clock.now());
    await work.leap(2 * HOUR);
    expect(await statuses(database, destinationId)).toEqual(['old expired', 'new pending']);
    expect(work.sent.at(-1)).toMatchObject({ id: 'new' });
    expect(work.counters.expired).toBe(1);
    work.script.answer = () => answer(200);
    await work.leap(HOUR);
    expect(await statuses(database, destinationId)).toEqual(['old expired', 'new delivered']);
    await work.stop();
  });

  test('a test goes first, is tried once, and what waits follows when it came through', async () => {
    const { database, endpoint, work } = await world();
    const { destinationId } = endpoint;
    const trial = (name: string) => ({ ...eventOf(destinationId, name), kind: 'test' });
    work.script.answer = () => answer(503);
    await enqueue(
      database,
      ['one', 'two'].map((name) => eventOf(destinationId, name)),
      START,
    );
    await work.pass(SECOND);
    await work.leap(6 * SECOND);
    const failingSince = (await destinationOf(database, destinationId)).failing_since;
    work.sent.length = 0;
    await enqueue(database, [trial('in vain')], work.clock.now());
    await work.pass(SECOND);
    expect(work.sent.map(({ id }) => id)).toEqual(['in vain']);
    work.script.answer = () => answer(200);
    await enqueue(database, [trial('well')], work.clock.now());
    await work.pass(SECOND);
    expect(work.sent.map(({ id }) => id)).toEqual(['in vain', 'well', 'one', 'two']);
    expect(await statuses(database, destinationId)).toEqual([
      'one delivered',
      'two delivered',
      'in vain failed',
      'well delivered',
    ]);
    expect(failingSince).toBe(START + LOOK);
    await work.stop();
  });

  test('410 switches the endpoint off, drops what waits and notifies the admins [29.27]', async () => {
    const { database, team, endpoint, work } = await world();
    const admin = await giveChannel(database, team, { isDefault: true });
    work.script.answer = () => answer(410);
    await enqueue(
      database,
      ['one', 'two'].map((name) => eventOf(endpoint.destinationId, name)),
      START,
    );
    await work.pass(SECOND);
    expect(work.sent.map(({ id }) => id)).toEqual(['one']);
    expect(await statuses(database, endpoint.destinationId)).toEqual(['one failed', 'two failed']);
    const row = await database.read
      .selectFrom('webhook_endpoint')
      .select(['is_active', 'deactivated_reason'])
      .where('id', '=', endpoint.id)
      .executeTakeFirstOrThrow();
    expect(row).toEqual({
      is_active: 0,
      deactivated_reason: 'The endpoint answered HTTP 410. It is gone for good.',
    });
    const [notice] = await deliveriesOf(database, admin.destinationId);
    expect(JSON.parse(notice!.body)).toMatchObject({
      kind: 'notice',
      severity: 'warning',
      headline: 'Webhook endpoint "Pager" was switched off',
      text: expect.stringContaining('hooks.example.com'),
    });
    expect(work.counters.deactivated).toBe(1);
    await work.stop();
  });

  test('three days of failure switch an endpoint off [29.28]', async () => {
    const { database, endpoint, work } = await world();
    const { destinationId } = endpoint;
    work.script.answer = () => REFUSED;
    for (let day = 0; day < 3; day += 1) {
      await enqueue(database, [eventOf(destinationId, `day ${day}`)], work.clock.now());
      for (let hour = 0; hour < 24; hour += 1) await work.leap(HOUR + MINUTE);
    }
    const row = () => rowOf(database, 'webhook_endpoint', { id: endpoint.id });
    await enqueue(database, [eventOf(destinationId, 'the last')], work.clock.now());
    for (const seconds of [1, 6]) await work.leap(seconds * SECOND);
    expect(await row()).toMatchObject({ is_active: 1 });
    for (const seconds of [16, 46]) await work.leap(seconds * SECOND);
    expect(await row()).toMatchObject({
      is_active: 0,
      deactivated_reason:
        'Nothing could be delivered since 2030-01-01 01:01 UTC. The last attempt: The endpoint could not be reached: Connection refused by 192.0.2.1 port 443.',
    });
    expect((await deliveriesOf(database, destinationId)).at(-1)).toMatchObject({
      status: 'failed',
    });
    await work.stop();
  });

  test('what waits for an endpoint that was switched off or deleted is not sent [29.33]', async () => {
    const { database, endpoints, work } = await world(2);
    const [off, gone] = endpoints as [(typeof endpoints)[0], (typeof endpoints)[0]];
    await work.stop();
    for (const { destinationId } of endpoints)
      await enqueue(database, [eventOf(destinationId, 'late')], START);
    await database.transaction(async (tx) => {
      await tx
        .updateTable('webhook_endpoint')
        .set({ is_active: 0 })
        .where('id', '=', off.id)
        .execute();
      await destinationStore(tx).delete(gone.destinationId);
      await tx.deleteFrom('webhook_endpoint').where('id', '=', gone.id).execute();
    });
    const again = startWorkers(database);
    await again.pass(SECOND);
    expect(again.sent).toEqual([]);
    expect(await statuses(database, off.destinationId)).toEqual(['late failed']);
    expect(await destinationOf(database, off.destinationId)).toMatchObject({ next_at: null });
    expect(again.errors).toEqual([]);
    await again.stop();
  });

  test('an endpoint that is deleted while it is being sent to leaves nothing behind', async () => {
    const { database, endpoint, work } = await world();
    work.script.answer = async () => {
      const { id, destinationId } = endpoint;
      await database.transaction(async (tx) => {
        await destinationStore(tx).delete(destinationId);
        await tx.deleteFrom('webhook_endpoint').where('id', '=', id).execute();
      });
      return answer(503);
    };
    await enqueue(database, [eventOf(endpoint.destinationId, 'one')], START);
    await work.pass(10 * SECOND);
    expect(work.sent).toHaveLength(1);
    expect(await attemptsOf(database)).toEqual([]);
    expect(work.errors).toEqual([]);
    await work.stop();
  });

  test('a secret that no key opens is said, and sent once the key is there again [35.14]', async () => {
    const { database, endpoint, work } = await world();
    const setUrl = (url: string) =>
      updateRows(database, 'webhook_endpoint', { url }, { id: endpoint.id });
    await setUrl('v1.00000000.AAAA');
    await enqueue(database, [eventOf(endpoint.destinationId, 'one')], START);
    await work.pass(SECOND);
    expect(await destinationOf(database, endpoint.destinationId)).toMatchObject({
      last_error: expect.stringContaining('add the former key to SECRET_KEY'),
    });
    const { team_id: teamId } = await rowOf(database, 'webhook_endpoint');
    const { seal } = secretBox.of('webhook_endpoint', teamId);
    await setUrl(seal('https://hooks.example.com/mended', 'url'));
    await work.pass(6 * SECOND);
    expect(work.sent.map(({ url }) => url)).toEqual(['https://hooks.example.com/mended']);
    await work.stop();
  });

  test('endpoints of one team that hang leave places to other teams, and to those that work [29.36, 34.29]', async () => {
    const database = await open();
    const [hanging, other] = [await giveTeam(database), await giveTeam(database, 'Other')];
    const held: (() => void)[] = [];
    const ids: number[] = [];
    for (let index = 0; index < 40; index += 1)
      ids.push((await giveEndpoint(database, hanging, 'https://hang.example.com')).destinationId);
    const working = await giveEndpoint(database, other, 'https://work.example.com');
    await enqueue(
      database,
      [...ids, working.destinationId].map((id) => eventOf(id, `to ${id}`)),
      START,
    );
    const work = startWorkers(database);
    work.script.answer = ({ url }) =>
      url.startsWith('https://hang')
        ? new Promise((resolve) => void held.push(() => resolve(answer(200))))
        : answer(200);
    await work.rest(16);
    expect(held).toHaveLength(16);
    expect(work.sent.map(({ url }) => url)).toContain('https://work.example.com');
    while (held.length > 0) {
      for (const release of held.splice(0)) release();
      await work.pass(250, Math.min(16, 41 - work.sent.length));
    }
    expect(new Set(work.sent.map(({ id }) => id)).size).toBe(41);
    await work.stop();
  });

  test('stopping breaks off what hangs, and records nothing of it [39.19]', async () => {
    const { database, endpoint, work } = await world();
    work.script.answer = ({ signal }) =>
      new Promise((resolve) => {
        const aborted = { code: 'aborted', text: 'The request was stopped' } as const;
        signal!.addEventListener('abort', () => resolve({ ok: false, failure: aborted }));
      });
    await enqueue(database, [eventOf(endpoint.destinationId, 'one')], START);
    await work.pass(SECOND, 1);
    const stopped = work.stop();
    await work.clock.advance(3_001);
    await stopped;
    expect(await attemptsOf(database)).toEqual([]);
    expect(await destinationOf(database, endpoint.destinationId)).toMatchObject({
      leased_until: null,
      next_at: expect.any(Number),
      failures: 0,
    });
    const next = startWorkers(database);
    await next.pass(5 * SECOND);
    expect(next.sent.map(({ id }) => id)).toEqual(['one']);
    await next.stop();
  });

  test('a test that comes through ends the failure of an endpoint for which nothing waits', async () => {
    const { database, endpoint, work } = await world();
    const { destinationId } = endpoint;
    work.script.answer = () => answer(404);
    await enqueue(database, [eventOf(destinationId, 'one')], START);
    await work.pass(SECOND);
    expect(await destinationOf(database, destinationId)).toMatchObject({ failures: 1 });
    work.script.answer = () => answer(200);
    const trial = { ...eventOf(destinationId, 'trial'), kind: 'test' };
    await enqueue(database, [trial], work.clock.now());
    await work.pass(SECOND);
    expect(await destinationOf(database, destinationId)).toMatchObject({
      failures: 0,
      failing_since: null,
      last_error: null,
      last_delivered_at: expect.any(Number),
    });
    await work.stop();
  });

  test('a channel that is gone is switched off [34.39]', async () => {
    const database = await open();
    const team = await giveTeam(database);
    const rung: ChannelDelivery[] = [];
    const gone: ChannelOutcome = { outcome: 'gone', reason: 'No such room.', statusCode: 410 };
    const type = bell((delivery) => {
      rung.push(delivery);
      return gone;
    });
    const work = startWorkers(database, { channelType: () => type });
    const { id, destinationId } = await giveChannel(database, team, { isDefault: true });
    const notice = { kind: 'alarm', team: null, severity: 'critical', at: START, alert: null };
    const rest = { troubles: [], troubleCount: 0, headline: 'Look', text: 'Now.', silence: null };
    const body = JSON.stringify({ ...notice, ...rest });
    await enqueue(database, [{ ...eventOf(destinationId, 'ring'), kind: 'alarm', body }], START);
    await work.pass(SECOND);
    expect(rung).toMatchObject([{ id: 'ring', action: 'trigger', dedupKey: null }]);
    const row = await database.read
      .selectFrom('alert_channel')
      .select('enabled')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(row.enabled).toBe(0);
    expect(work.errors).toEqual([]);
    await work.stop();
  });
});

onPostgres((open) => {
  test('two workers send each once, in order', async () => {
    const database = await open();
    const team = await giveTeam(database);
    const ids: number[] = [];
    for (let index = 0; index < 10; index += 1)
      ids.push((await giveEndpoint(database, team, `https://example.com/${index}`)).destinationId);
    const names = Array.from({ length: 8 }, (_item, index) => `event ${index}`);
    await enqueue(
      database,
      names.flatMap((name) => ids.map((id) => eventOf(id, name))),
      START,
    );
    const work = startWorkers(database, { count: 2 });
    await work.pass(2 * SECOND);
    for (let index = 0; index < 10; index += 1)
      expect(work.sent.filter(({ url }) => url.endsWith(`/${index}`)).map(({ id }) => id)).toEqual(
        names,
      );
    await work.stop();
  });

  test('what is enqueued while a worker lets go is not forgotten, whoever comes first', async () => {
    const database = await open();
    const team = await giveTeam(database);
    const { destinationId } = await giveEndpoint(database, team, 'https://example.com/');
    const claim = { id: destinationId, claim: 0 };
    /** The first transaction ends when the other one waits for it. */
    async function oneAfterTheOther(
      first: (tx: Transaction<Schema>) => Promise<void>,
      second: () => Promise<void>,
    ): Promise<void> {
      const done = Promise.withResolvers<void>();
      const end = Promise.withResolvers<void>();
      const holding = database.transaction(async (tx) => {
        await first(tx);
        done.resolve();
        await end.promise;
      });
      await done.promise;
      const waiting = second();
      await untilLockWait(database);
      end.resolve();
      await Promise.all([holding, waiting]);
    }
    const letGo = async (tx: Transaction<Schema>, now: number) => {
      expect(await lockDestination(tx, claim)).toBe(true);
      await queueOf(tx, destinationId).release(now);
    };

    await oneAfterTheOther(
      (tx) => letGo(tx, START),
      () => enqueue(database, [eventOf(destinationId, 'one')], START + 1),
    );
    expect(await destinationOf(database, destinationId)).toMatchObject({ next_at: START + 1 });

    await database.transaction((tx) => tx.deleteFrom('delivery').execute());
    await database.transaction((tx) => letGo(tx, START));
    expect(await destinationOf(database, destinationId)).toMatchObject({ next_at: null });
    await oneAfterTheOther(
      (tx) => destinationStore(tx).enqueue([eventOf(destinationId, 'two')], START + 1),
      () => database.transaction((tx) => letGo(tx, START + 2)),
    );
    expect(await destinationOf(database, destinationId)).toMatchObject({ next_at: START + 2 });
  });
});

import type { Insertable } from 'kysely';
import { expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/databases.ts';
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
  holding,
  SECOND,
  START,
  startWorkers,
} from '../../../test/support/delivery-worker.ts';
import type { Schema } from '../../store/database/contract.ts';
import { rowOf, updateRows } from '../../../test/support/rows.ts';

const URL = 'https://hooks.example.com/all';

const PATIENCE_MS = 10_000;

eachDatabase((_, open) => {
  async function world() {
    const database = await open();
    const team = await giveTeam(database);
    const endpoint = await giveEndpoint(database, team, URL);
    const work = startWorkers(database);
    await work.rest();
    /** Events of several monitors, the same number of each, as `monitor.number`. */
    const send = (monitors: number, each = 1) =>
      enqueue(
        database,
        Array.from({ length: monitors * each }, (_item, index) => {
          const monitorId = (index % monitors) + 1;
          const name = `${monitorId}.${Math.floor(index / monitors) + 1}`;
          return eventOf(endpoint.destinationId, name, monitorId);
        }),
        work.clock.now(),
      );
    const statuses = async () =>
      Map.groupBy(await deliveriesOf(database, endpoint.destinationId), (one) => one.status);
    const change = (columns: Partial<Insertable<Schema['webhook_endpoint']>>) =>
      updateRows(database, 'webhook_endpoint', columns, { id: endpoint.id });
    /** Lets time pass, the database's real time too, until the test holds as many requests. */
    const until = async (held: readonly unknown[], count: number) => {
      const deadline = performance.now() + PATIENCE_MS;
      while (held.length < count) {
        if (performance.now() > deadline) expect(held).toHaveLength(count);
        await work.clock.advance(10);
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    };
    return { database, team, endpoint, work, send, statuses, change, until };
  }

  test('events of sixteen monitors are in flight at once, and one of each [29.21]', async () => {
    const { work, send, statuses, until } = await world();
    const { held, take } = holding();
    work.script.answer = take;
    await send(20, 2);
    await until(held, 16);
    expect(held.map(({ id }) => id)).toEqual(Array.from({ length: 16 }, (_x, i) => `${i + 1}.1`));
    held.shift()!.end(answer(200));
    await until(held, 16);
    expect(held.at(-1)!.id).toBe('17.1');
    expect(held).toHaveLength(16);
    work.script.answer = () => answer(200);
    for (const one of held) one.end(answer(200));
    await work.pass(SECOND);
    expect((await statuses()).get('delivered')).toHaveLength(40);
    expect(work.sent).toHaveLength(40);
    for (let monitor = 1; monitor <= 20; monitor += 1) {
      const own = work.sent.filter(({ id }) => id.startsWith(`${monitor}.`)).map(({ id }) => id);
      expect(own).toEqual([`${monitor}.1`, `${monitor}.2`]);
    }
    await work.stop();
  });

  test('whatever fails, all arrive, the events of each monitor in their order [29.20]', async () => {
    const { work, send, statuses } = await world();
    let seed = 1;
    const random = () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647;
    let inFlight = 0;
    let most = 0;
    let isHeld = false;
    const crowded: string[] = [];
    const arrived: string[] = [];
    work.script.answer = async ({ headers }) => {
      const id = headers['webhook-id']!;
      // After a failure one request at a time, until one that began after it is answered.
      const isProbe = isHeld;
      if (isProbe && inFlight > 0) crowded.push(id);
      inFlight += 1;
      most = Math.max(most, inFlight);
      const turns = 1 + Math.floor(random() * 5);
      for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate);
      inFlight -= 1;
      const fails = random() < 0.15;
      // Once the worker has read the answer.
      if (fails) setImmediate(() => (isHeld = true));
      else if (isProbe) isHeld = false;
      if (!fails) arrived.push(id);
      return answer(fails ? 503 : 200);
    };
    await send(25, 4);
    for (let leaps = 0; leaps < 200 && (await statuses()).has('pending'); leaps += 1)
      await work.leap(20 * SECOND);
    expect([...(await statuses()).keys()]).toEqual(['delivered']);
    expect(crowded).toEqual([]);
    expect(arrived).toHaveLength(100);
    expect(most).toBeGreaterThan(8);
    expect(most).toBeLessThanOrEqual(16);
    for (let monitor = 1; monitor <= 25; monitor += 1) {
      const own = arrived.filter((id) => id.startsWith(`${monitor}.`));
      expect(own).toEqual([1, 2, 3, 4].map((number) => `${monitor}.${number}`));
      const tried = work.sent.filter(({ id }) => id.startsWith(`${monitor}.`)).map(({ id }) => id);
      expect(tried).toEqual(tried.toSorted());
    }
    expect(work.errors).toEqual([]);
    await work.stop();
  });

  test('sixteen requests that fail together are one failed round, and one probe follows', async () => {
    const { database, endpoint, work, send } = await world();
    work.script.answer = () => answer(503);
    await send(20);
    await work.pass(SECOND);
    expect(work.sent).toHaveLength(16);
    expect(await destinationOf(database, endpoint.destinationId)).toMatchObject({ failures: 1 });
    await work.pass(3 * SECOND);
    expect(work.sent).toHaveLength(16);
    await work.pass(3 * SECOND);
    // One that was not tried yet.
    expect(work.sent.slice(16).map(({ id }) => id)).toEqual(['17.1']);
    await work.pass(13 * SECOND);
    expect(work.sent).toHaveLength(17);
    work.script.answer = () => answer(200);
    await work.pass(3 * SECOND);
    expect(work.sent).toHaveLength(17 + 20);
    expect(await destinationOf(database, endpoint.destinationId)).toMatchObject({
      failures: 0,
      failing_since: null,
      held_until: null,
      next_at: null,
    });
    await work.stop();
  });

  test('Retry-After holds the whole endpoint, and what is enqueued meanwhile', async () => {
    const { database, endpoint, work, send, statuses } = await world();
    work.script.answer = ({ headers }) =>
      headers['webhook-id'] === '1.1' ? answer(429, { 'retry-after': '100' }) : answer(200);
    await send(16);
    await work.pass(SECOND);
    expect(work.sent).toHaveLength(16);
    await enqueue(database, [eventOf(endpoint.destinationId, 'late', 99)], work.clock.now());
    await work.leap(90 * SECOND);
    expect(work.sent).toHaveLength(16);
    work.script.answer = () => answer(200);
    await work.leap(11 * SECOND);
    expect((await statuses()).get('delivered')).toHaveLength(17);
    await work.stop();
  });

  test('a monitor whose events the endpoint always refuses with a 500 does not keep others back [29.23]', async () => {
    const { work, send, statuses } = await world();
    work.script.answer = ({ headers }) =>
      answer(headers['webhook-id']!.startsWith('1.') ? 500 : 200);
    await send(30, 2);
    await work.pass(15 * SECOND);
    const { pending = [], delivered = [] } = Object.fromEntries(await statuses());
    expect(pending.map((one) => one.message_id)).toEqual(['1.1', '1.2']);
    expect(delivered).toHaveLength(58);
    // What comes now need not wait for the next attempt of that monitor.
    await work.pass(60 * SECOND);
    const before = work.sent.length;
    await send(3);
    await work.pass(10 * SECOND);
    expect(work.sent.slice(before).map(({ id }) => id)).toEqual(
      expect.arrayContaining(['2.1', '3.1']),
    );
    expect(work.sent.filter(({ id }) => id === '1.2')).toEqual([]);
    await work.stop();
  });

  test('410 with fifteen others in flight switches the endpoint off once', async () => {
    const { database, team, work, send, statuses, until } = await world();
    const admin = await giveChannel(database, team, { isDefault: true });
    const { held, take } = holding();
    work.script.answer = take;
    await send(20, 2);
    await until(held, 16);
    held[3]!.end(answer(410));
    const isOff = async () => (await statuses()).has('failed');
    while (!(await isOff())) await work.clock.advance(10);
    for (const [index, one] of held.entries()) one.end(answer([200, 410, 503][index % 3]!));
    await work.pass(2 * SECOND);
    expect(work.sent).toHaveLength(16);
    const { delivered = [], failed = [], ...others } = Object.fromEntries(await statuses());
    expect(others).toEqual({});
    expect(delivered.map((one) => one.message_id)).toEqual(['1.1', '7.1', '10.1', '13.1', '16.1']);
    expect(failed).toHaveLength(35);
    expect(await deliveriesOf(database, admin.destinationId)).toHaveLength(1);
    expect(work.counters.deactivated).toBe(1);
    await work.stop();
  });

  test('a url and a secret that are changed while requests are in flight hold for the next ones [29.32]', async () => {
    const { work, send, change, until, database } = await world();
    const { team_id: teamId } = await rowOf(database, 'webhook_endpoint');
    const { seal } = secretBox.of('webhook_endpoint', teamId);
    const { held, take } = holding();
    work.script.answer = take;
    await change({ signing_secret: seal('the first secret', 'signing_secret') });
    await send(20);
    await until(held, 16);
    await change({
      url: seal('https://new.example.com/', 'url'),
      signing_secret: seal('another secret', 'signing_secret'),
      previous_signing_secret: seal('the first secret', 'previous_signing_secret'),
      previous_secret_until: START + 60 * SECOND,
    });
    for (const one of held.splice(0)) one.end(answer(200));
    await until(held, 4);
    // Those that follow at once may still have the former ones; each goes to one place, signed for it.
    for (const one of held.splice(0)) one.end(answer(200));
    await work.rest();
    await send(4);
    await until(held, 4);
    expect(held.map(({ request }) => request.url)).toEqual(
      Array.from({ length: 4 }, () => 'https://new.example.com/'),
    );
    for (const { request } of held)
      expect(request.headers['webhook-signature']!.split(' ')).toHaveLength(2);
    for (const one of held) one.end(answer(200));
    await work.pass(SECOND);
    await work.stop();
  });

  test('a test goes at once, beside what is in flight and while the endpoint is held [29.31]', async () => {
    const { database, endpoint, work, send } = await world();
    const trial = (name: string) => ({
      ...eventOf(endpoint.destinationId, name, null),
      kind: 'test',
    });
    work.script.answer = () => answer(503);
    await send(2);
    await work.pass(SECOND);
    expect(work.sent).toHaveLength(2);
    work.script.answer = () => answer(200);
    await enqueue(database, [trial('trial')], work.clock.now());
    await work.pass(SECOND);
    expect(work.sent.slice(2).map(({ id }) => id)).toEqual(['trial', '1.1', '2.1']);
    await work.stop();
  });

  test('what is sent again follows what waits of its monitor [29.16]', async () => {
    const { database, endpoint, work, send, until } = await world();
    const { held, take } = holding();
    work.script.answer = take;
    await send(2, 2);
    await enqueue(database, [eventOf(endpoint.destinationId, '1.1 again', 1)], work.clock.now());
    for (const together of [2, 2, 1]) {
      await until(held, together);
      for (const one of held.splice(0)) one.end(answer(200));
    }
    await work.rest();
    const own = work.sent.filter(({ id }) => id.startsWith('1.')).map(({ id }) => id);
    expect(own).toEqual(['1.1', '1.2', '1.1 again']);
    await work.stop();
  });
});

import { expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/databases.ts';
import {
  deliveriesOf,
  destinationOf,
  enqueue,
  eventOf,
  giveEndpoint,
  giveTeam,
} from '../../../test/support/deliveries.ts';
import { answer, SECOND, START, workerOn } from '../../../test/support/delivery-worker.ts';
import { turnOfTheEventLoop, waitUntil } from '../../../test/support/event-loop.ts';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import type { HttpClient } from '../../net/http-client.ts';
import type { Database } from '../../store/database/contract.ts';

/** Never answers: the process is no more. */
const dead = () => new Promise<never>(() => {});

/** Ends a process at its n-th step: before and after each transaction, and before and after each request. */
function mortal(database: Database, http: HttpClient, stepsToLive: number) {
  let left = stepsToLive;
  const step = async (): Promise<void> => {
    left -= 1;
    if (left < 0) await dead();
  };
  const around = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    await step();
    const result = await work();
    await step();
    return result;
  };
  return {
    isDead: () => left < 0,
    http: { request: (request) => around(() => http.request(request)) } satisfies HttpClient,
    database: new Proxy(database, {
      get(target, name) {
        if (name !== 'transaction') return Reflect.get(target, name) as unknown;
        return (work: Parameters<Database['transaction']>[0]) =>
          around(() => target.transaction(work));
      },
    }),
  };
}

const PATIENCE_MS = 15_000;

eachDatabase((engine, open) => {
  /** On Postgres another worker lives on beside it. */
  const beside = engine === 'postgres' ? 1 : 0;

  async function lifeOf(database: Database, team: number, stepsToLive: number) {
    const names = ['one', 'two'];
    const ids: number[] = [];
    for (const path of ['well', 'often'])
      ids.push((await giveEndpoint(database, team, `https://example.com/${path}`)).destinationId);
    await enqueue(
      database,
      names.flatMap((name) => ids.map((id) => eventOf(id, `${name} ${id}`))),
      START,
    );
    const arrived: { path: string; id: string; body: string }[] = [];
    const refused = new Set<string>();
    const http: HttpClient = {
      async request({ url, headers, body }) {
        const id = headers['webhook-id']!;
        const path = new URL(url).pathname;
        // The second endpoint takes each message at the second attempt only.
        if (path === '/often' && !refused.has(id)) {
          refused.add(id);
          return answer(503);
        }
        arrived.push({ path, id, body: String(body) });
        return answer(200);
      },
    };
    const clock = createFakeClock({ now: START });
    const first = mortal(database, http, stepsToLive);
    const victim = workerOn(first.database, { http: first.http, clock });
    const survivors = Array.from({ length: beside }, () => workerOn(database, { http, clock }));
    for (const worker of [victim, ...survivors]) worker.start();
    const isAllDone = async () => {
      const rows = await database.read
        .selectFrom('delivery')
        .select('id')
        .where('status', '=', 'pending')
        .execute();
      return rows.length === 0;
    };
    /** The destinations were given back as well. */
    const isAtRest = async () => {
      const rows = await Promise.all(ids.map((id) => destinationOf(database, id)));
      return rows.every((row) => row.next_at === null) && (await isAllDone());
    };
    const living = [...survivors];
    const isAnyBusy = () =>
      living.some((worker) => worker.underWay() > 0) || (!first.isDead() && victim.underWay() > 0);
    const letTimePass = async () => {
      for (let turns = 0; turns < 5; turns += 1) await turnOfTheEventLoop();
      await waitUntil(() => !isAnyBusy());
      clock.freeze(5 * SECOND);
      await clock.advance(250);
    };
    while (!first.isDead() && !(await isAllDone())) await letTimePass();
    const hasDied = first.isDead();

    const errors: unknown[] = [];
    const next = workerOn(database, { http, clock, errors });
    next.start();
    living.push(next);
    // Real time: Postgres takes some, in which the other clock may run far ahead.
    const deadline = performance.now() + PATIENCE_MS;
    while (!(await isAtRest()) && performance.now() < deadline) await letTimePass();
    await Promise.all(living.map((worker) => worker.stop()));

    expect(errors).toEqual([]);
    for (const [index, id] of ids.entries()) {
      const expected = names.map((name) => `${name} ${id}`);
      const rows = await deliveriesOf(database, id);
      expect(rows.map((row) => `${row.message_id} ${row.status}`)).toEqual(
        expected.map((name) => `${name} delivered`),
      );
      const there = arrived.filter(({ path }) => path === ['/well', '/often'][index]);
      // At least once, in order, with the same id and the same body; some again.
      const firsts = [...new Map(there.map((one) => [one.id, one.body]))];
      expect(firsts).toEqual(expected.map((name) => [name, JSON.stringify({ name })]));
      const order = there.map((one) => expected.indexOf(one.id));
      expect(order).toEqual(order.toSorted((a, b) => a - b));
      expect(await destinationOf(database, id)).toMatchObject({ next_at: null, failures: 0 });
    }
    return hasDied;
  }

  test('whenever the process dies, everything arrives at least once, in order, with its id [34.30]', async () => {
    const stride = engine === 'postgres' ? 5 : 1;
    const database = await open();
    const team = await giveTeam(database);
    let steps = 0;
    while (await lifeOf(database, team, steps)) steps += stride;
    // Each of the six attempts has two steps of its own, and its transaction two.
    expect(steps).toBeGreaterThan(engine === 'postgres' ? 0 : 24);
  });
});

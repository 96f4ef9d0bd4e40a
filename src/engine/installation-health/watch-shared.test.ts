import { describe, expect, test } from 'vitest';
import { onPostgres } from '../../../test/support/databases.ts';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import {
  LATE,
  messages,
  openProcess,
  openWorld,
  pass,
  PING,
  WEBHOOK,
  WELL,
} from '../../../test/support/health-processes.ts';
import { updateRows } from '../../../test/support/rows.ts';
import { wrapDatabase } from '../../../test/support/wrapped-database.ts';
import type { HttpRequest } from '../../net/http-client.ts';
import { openDatabase } from '../../store/database/database.ts';
import { DatabaseUnavailable } from '../../store/database/errors.ts';

const SECOND = 1_000;
const FOREVER = 2 ** 52;

const nameOf = ({ kind, subject }: { kind: string; subject: string }) => `${kind}/${subject}`;
const openedOf = ({ body }: HttpRequest) => {
  const { type, problem } = JSON.parse(String(body));
  expect(type).toBe('installation.problem_opened');
  return nameOf(problem);
};

test('of several processes none knows of the others without the database: none calls', async () => {
  const real = await openDatabase({ engine: 'sqlite', directory: ':memory:' });
  let isAway = false;
  const database = wrapDatabase(real, {
    isShared: true,
    transaction: (work) =>
      isAway ? Promise.reject(new DatabaseUnavailable('it is away')) : real.transaction(work),
  });
  const clock = createFakeClock();
  const one = openProcess(database, 'a', clock);
  await one.health.run();
  expect(one.take(PING)).toHaveLength(1);
  isAway = true;
  for (let count = 0; count < 20; count += 1) {
    await clock.advance(5 * SECOND);
    await expect(one.health.run()).rejects.toThrow(DatabaseUnavailable);
  }
  expect(one.take(PING)).toEqual([]);
  isAway = false;
  await one.health.stop();
  await real.close();
});

onPostgres((open) => {
  describe('of several processes', () => {
    test('one evaluates, and a problem of any of them counts [39.65, 39.66]', async () => {
      const { database, clock } = await openWorld(open);
      const one = openProcess(database, 'a', clock);
      const other = openProcess(database, 'b', clock);
      await pass(clock, 60, one, other);
      expect([one.take(PING).length, other.take(PING).length]).toEqual([1, 0]);
      other.sees = LATE;
      await pass(clock, 70, one, other);
      expect(one.take(PING).at(-1)!.url).toBe(`${PING}/fail`);
      expect(await messages(database)).toEqual([
        'Rounds start up to 45 s late in the process b:3000',
      ]);
      // All processes show it.
      expect(other.health.problems()).toEqual(one.health.problems());
      expect(other.health.evaluatedAt()).toBe(clock.now());

      await updateRows(database, 'shard', { owner: 'b' });
      // The next one goes on where the former one ended, and repeats nothing.
      await one.health.stop();
      await pass(clock, 5, other);
      expect(other.take(PING).map(({ url }) => url)).toEqual([`${PING}/fail`]);
      other.sees = WELL;
      await pass(clock, 70, other);
      expect((await messages(database)).slice(1)).toEqual(['Rounds start on time again']);
    });

    test('another one takes over from one that is frozen, and a problem is told of once [39.66]', async () => {
      const { database, clock } = await openWorld(open);
      const one = openProcess(database, 'a', clock);
      const other = openProcess(database, 'b', clock);
      await pass(clock, 5, one, other);
      one.take(PING);
      // Its leases end, too: the other one has all shards.
      await updateRows(database, 'shard', { owner: 'b' });
      await pass(clock, 30, other);
      expect(other.take(PING)).toEqual([]);
      await pass(clock, 5, other);
      expect(other.take(PING)).toHaveLength(1);
      for (const each of [one, other]) each.sees = LATE;
      await pass(clock, 120, other, one);
      expect(one.take(PING)).toEqual([]);
      expect(await messages(database)).toHaveLength(1);
    });

    test('one that evaluates again calls at once, as others may have said otherwise meanwhile', async () => {
      const { database, clock } = await openWorld(open);
      const one = openProcess(database, 'a', clock);
      const other = openProcess(database, 'b', clock);
      await pass(clock, 5, one);
      expect(one.take(PING)).toHaveLength(1);
      await pass(clock, 35, other);
      await pass(clock, 5, one, other);
      expect(one.take(PING)).toEqual([]);
      await other.health.stop();
      await pass(clock, 5, one);
      expect(one.take(PING)).toHaveLength(1);
    });

    test('evaluations at the same moment open a problem once', async () => {
      const { database, clock } = await openWorld(open);
      const all = ['a', 'b', 'c'].map((id) => openProcess(database, id, clock));
      for (const each of all) each.sees = LATE;
      for (let count = 0; count < 20; count += 1) {
        await clock.advance(5 * SECOND);
        // A lease that ended a moment ago, so that all of them claim it.
        await updateRows(database, 'installation_watch', { leased_until: 0 });
        await Promise.all(all.map(({ health }) => health.run()));
        if (count === 0) expect(all.flatMap((each) => each.take(PING))).toHaveLength(1);
      }
      expect(await messages(database)).toHaveLength(1);
    });

    test('one that owns shards and is silent is a problem, and so are shards without an owner', async () => {
      const { database, clock } = await openWorld(open);
      const one = openProcess(database, 'a', clock);
      const other = openProcess(database, 'b', clock);
      await pass(clock, 10, one, other);
      await database.transaction((tx) =>
        tx.updateTable('shard').set({ owner: 'b' }).where('shard', '<', 128).execute(),
      );
      await pass(clock, 75, one);
      expect(one.health.problems()).toMatchObject([
        { kind: 'process_silent', value: 128, processes: ['b:3000'] },
      ]);
      await database.transaction((tx) =>
        tx.updateTable('shard').set({ lease_until: 0 }).where('shard', '<', 128).execute(),
      );
      await pass(clock, 65, one);
      expect(one.health.problems()).toMatchObject([{ kind: 'shards_unowned', value: 128 }]);
    });

    test('a clock that differs from that of the database is a problem', async () => {
      const { database, clock } = await openWorld(open);
      const still = createFakeClock({ now: clock.now() - 5 * SECOND });
      const one = openProcess(database, 'a', clock);
      const other = openProcess(database, 'b', still, { databaseNow: async () => clock.now() });
      await pass(clock, 70, one, other);
      expect(other.health.clockOffsetMs()).toBe(-75 * SECOND);
      // As it reported before the evaluation.
      expect(one.health.problems()).toMatchObject([
        { kind: 'clock_off', value: 70_000, processes: ['b:3000'] },
      ]);
    });

    test.each([
      ['api', ['role_missing/api']],
      ['scheduler', ['shards_unowned/', 'role_missing/scheduler']],
      ['worker', ['role_missing/worker']],
    ])(
      'the only %s is killed: another one notices, calls those outside, and tells of the end [39.66, 39.67, 39.69]',
      async (victim, expected) => {
        const { database, clock } = await openWorld(open);
        const start = (role: string, id: string) =>
          openProcess(database, id, clock, { roles: [role], operatorWebhook: WEBHOOK });
        const all = ['api', 'scheduler', 'worker'].map((role) => {
          const one = start(role, role);
          // As each role reports itself.
          one.sees = { ...WELL, probes: role === 'worker' ? null : WELL.probes };
          return { role, one };
        });
        const own = (owner: string | null) =>
          updateRows(database, 'shard', { owner, lease_until: owner === null ? 0 : FOREVER });
        await own('scheduler');
        const killed = all.find(({ role }) => role === victim)!.one;
        // It is the one that evaluates.
        await pass(clock, 10, killed, ...all.map(({ one }) => one));
        const rest = all.filter(({ one }) => one !== killed).map(({ one }) => one);
        if (victim === 'scheduler') await own(null);
        await pass(clock, 130, ...rest);
        const told = rest.flatMap((one) => one.take(WEBHOOK));
        expect(told.map(openedOf).toSorted()).toEqual(expected.toSorted());
        expect(rest.flatMap((one) => one.take(PING)).at(-1)!.url).toBe(`${PING}/fail`);
        for (const one of rest) expect(one.health.problems().map(nameOf)).toEqual(expected);

        const next = start(victim, 'next');
        next.sees = killed.sees;
        if (victim === 'scheduler') await own('next');
        await pass(clock, 70, ...rest, next);
        expect([...rest, next].flatMap((one) => one.health.problems())).toEqual([]);
        const over = [...rest, next].flatMap((one) => one.take(WEBHOOK));
        expect(over.map(({ body }) => JSON.parse(String(body)).type)).toEqual(
          expected.map(() => 'installation.problem_ended'),
        );
      },
    );
  });
});

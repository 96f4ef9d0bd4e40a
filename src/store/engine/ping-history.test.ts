import { describe, expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/databases.ts';
import { addMonitors } from '../../../test/support/history.ts';
import { numbersOf, storePings, type TestPing } from '../../../test/support/pings.ts';
import type { Database } from '../database/contract.ts';
import { findOldPings, listPings, PINGS_KEPT, type PingsQuery, pingChanges } from './pings.ts';

const NOON = Date.UTC(2030, 4, 17, 12);
const MINUTE = 60_000;
const ALL: PingsQuery = { offset: 0, limit: 100 };

/** So many pings, one a minute from noon on. */
const minutely = (count: number, overrides: Partial<TestPing> = {}): TestPing[] =>
  Array.from({ length: count }, (_, index) => ({ at: NOON + index * MINUTE, ...overrides }));

async function find(database: Database, id: number, question: Partial<PingsQuery> = {}) {
  const { total, pings } = await listPings(database, id, { ...ALL, ...question });
  return { total, numbers: pings.map(({ number }) => number) };
}

const remove = (database: Database, monitorId: number, numbers: number[]) =>
  database.transaction((tx) =>
    pingChanges(tx).delete(numbers.map((number) => ({ monitorId, number }))),
  );

eachDatabase((_, open) => {
  describe('the list', () => {
    test.each([
      ['the first page', { offset: 0, limit: 4 }, [10, 9, 8, 7]],
      ['the last page', { offset: 8, limit: 4 }, [2, 1]],
      ['just past the end', { offset: 10, limit: 4 }, []],
      ['a page that no number can count', { offset: 1e18, limit: 4 }, []],
    ])('%s', async (_what, page, numbers) => {
      const database = await open();
      const [id] = (await addMonitors(database, 1)) as [number];
      await storePings(database, id, minutely(10));
      expect(await find(database, id, page)).toEqual({ total: 10, numbers });
      const filtered = { ...page, kind: 'success' } as const;
      expect(await find(database, id, filtered)).toEqual({ total: 10, numbers });
    });

    test('counts from the oldest that is there', async () => {
      const database = await open();
      const [id] = (await addMonitors(database, 1)) as [number];
      await storePings(database, id, minutely(10));
      await remove(database, id, [1, 2, 3]);
      expect(await find(database, id, { offset: 5 })).toEqual({ total: 7, numbers: [5, 4] });
      const filtered = { offset: 5, from: 0 };
      expect(await find(database, id, filtered)).toEqual({ total: 7, numbers: [5, 4] });
    });

    test('shows the newest thousand, whatever else was not deleted so far', async () => {
      const database = await open();
      const [id] = (await addMonitors(database, 1)) as [number];
      await storePings(database, id, minutely(PINGS_KEPT + 5));
      const last = { total: PINGS_KEPT, numbers: [7, 6] };
      expect(await find(database, id, { offset: PINGS_KEPT - 2 })).toEqual(last);
      expect(await find(database, id, { offset: PINGS_KEPT - 2, from: 0 })).toEqual(last);
    });
  });

  describe('what is not to be kept', () => {
    test('is what lies beyond the newest thousand or before the time, whichever is more', async () => {
      const database = await open();
      const monitors = (await addMonitors(database, 6)) as [
        number,
        ...[number, number, number, number, number],
      ];
      const [crowded, aged, both, sound, gone, none] = monitors;
      await storePings(database, crowded, minutely(PINGS_KEPT + 20));
      await storePings(database, aged, [...minutely(3, { at: NOON - 1 }), ...minutely(2)]);
      await storePings(database, both, [
        ...minutely(5, { at: NOON - 1 }),
        ...minutely(PINGS_KEPT + 2),
      ]);
      await storePings(database, sound, minutely(PINGS_KEPT));
      await storePings(database, gone, minutely(4, { at: NOON - 1 }));
      await remove(database, gone, [1]);
      const found = await findOldPings(database, { after: 0, count: 100, before: NOON });
      expect(found).toEqual({
        last: gone,
        old: [
          { monitorId: crowded, first: 1, last: 20 },
          { monitorId: aged, first: 1, last: 3 },
          { monitorId: both, first: 1, last: 7 },
          { monitorId: gone, first: 2, last: 4 },
        ],
      });
      await remove(database, gone, [2, 3, 4]);
      const rest = { count: 100, before: NOON };
      expect(await findOldPings(database, { ...rest, after: both })).toEqual({
        last: gone,
        old: [],
      });
      expect(await findOldPings(database, { ...rest, after: gone })).toEqual({
        last: null,
        old: [],
      });
      expect(none).toBeGreaterThan(gone);
    });

    test('is looked for among so many monitors at once', async () => {
      const database = await open();
      const monitors = await addMonitors(database, 5);
      for (const id of monitors) await storePings(database, id, minutely(1));
      const page = { count: 2, before: NOON + 1 };
      const { last, old } = await findOldPings(database, { ...page, after: monitors[0]! });
      expect(last).toBe(monitors[2]);
      expect(old.map(({ monitorId }) => monitorId)).toEqual([monitors[1], monitors[2]]);
    });

    test('leaves a run without a hole where a clock went back', async () => {
      const database = await open();
      const [id] = (await addMonitors(database, 1)) as [number];
      await storePings(
        database,
        id,
        [-2, -1, 0, -1, 5].map((at) => ({ at: NOON + at })),
      );
      const { old } = await findOldPings(database, { after: 0, count: 1, before: NOON });
      expect(old).toEqual([{ monitorId: id, first: 1, last: 2 }]);
    });
  });

  test('single pings go, and those of no other monitor', async () => {
    const database = await open();
    const [one, other] = (await addMonitors(database, 2)) as [number, number];
    for (const id of [one, other]) await storePings(database, id, minutely(5));
    await remove(database, one, [1, 2, 99]);
    await remove(database, other, []);
    expect(await numbersOf(database, one)).toEqual([3, 4, 5]);
    expect(await numbersOf(database, other)).toEqual([1, 2, 3, 4, 5]);
  });

  test("a monitor's pings go in slices, the oldest first", async () => {
    const database = await open();
    const [one, other] = (await addMonitors(database, 2)) as [number, number];
    for (const id of [one, other]) await storePings(database, id, minutely(5));
    const slice = () => database.transaction((tx) => pingChanges(tx).deleteOf(one, 3));
    expect(await slice()).toBe(3n);
    expect(await numbersOf(database, one)).toEqual([4, 5]);
    expect(await slice()).toBe(2n);
    expect(await slice()).toBe(0n);
    expect(await numbersOf(database, other)).toHaveLength(5);
  });
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/databases.ts';
import { SPAN_STATUSES, type SpanChange } from '../../model/incident.ts';
import type { Database } from '../database/contract.ts';
import { deleteHistory } from './expiry.ts';
import { changeSpans, listSpans, type StoredSpan } from './spans.ts';

const change = (monitorId: number, status: SpanChange['status'], at: number): SpanChange => ({
  monitorId,
  teamId: 1,
  status,
  at,
});

const apply = (database: Database, changes: SpanChange[]) =>
  database.transaction((tx) => changeSpans(tx, changes));

const all = (database: Database, ids: number[]) => listSpans(database.read, ids, -1e12, 1e12);

/** What changeSpans promises, said once more for one monitor. */
function expected(changes: SpanChange[]): StoredSpan[] {
  const spans: StoredSpan[] = [];
  for (const { monitorId, status, at } of changes) {
    const last = spans.at(-1);
    if (last?.status === status) continue;
    const fromAt = Math.max(at, last?.fromAt ?? at);
    if (last?.fromAt === fromAt && spans.at(-2)?.status !== status) last.status = status;
    else {
      if (last) last.toAt = fromAt;
      spans.push({ monitorId, status, fromAt, toAt: null });
    }
  }
  return spans;
}

eachDatabase((_, open) => {
  test('a change closes the open span and opens the next', async () => {
    const database = await open();
    await apply(database, [change(1, 'online', 100), change(2, 'offline', 150)]);
    await apply(database, [
      change(1, 'offline', 200),
      change(1, 'offline', 250),
      change(1, 'online', 300),
    ]);
    expect(await all(database, [1, 2, 3])).toEqual([
      { monitorId: 1, status: 'online', fromAt: 100, toAt: 200 },
      { monitorId: 1, status: 'offline', fromAt: 200, toAt: 300 },
      { monitorId: 1, status: 'online', fromAt: 300, toAt: null },
      { monitorId: 2, status: 'offline', fromAt: 150, toAt: null },
    ]);
  });

  test('a status that lasted no time stays between two of one status', async () => {
    const database = await open();
    await apply(database, [change(1, 'offline', 100)]);
    await apply(database, [change(1, 'online', 200)]);
    // Seen by a process whose clock is behind.
    await apply(database, [change(1, 'offline', 190)]);
    await apply(database, [change(2, 'offline', 100), change(2, 'online', 200)]);
    await apply(database, [change(2, 'degraded', 200), change(2, 'online', 300)]);
    expect(await all(database, [1, 2])).toEqual([
      { monitorId: 1, status: 'offline', fromAt: 100, toAt: 200 },
      { monitorId: 1, status: 'online', fromAt: 200, toAt: 200 },
      { monitorId: 1, status: 'offline', fromAt: 200, toAt: null },
      { monitorId: 2, status: 'offline', fromAt: 100, toAt: 200 },
      { monitorId: 2, status: 'degraded', fromAt: 200, toAt: 300 },
      { monitorId: 2, status: 'online', fromAt: 300, toAt: null },
    ]);
  });

  test('any changes in any batches give one line of time without gaps [24.6]', async () => {
    const database = await open();
    const batches = fc.array(
      fc.array(
        fc.record({
          monitor: fc.nat(2),
          status: fc.constantFrom(...SPAN_STATUSES),
          at: fc.integer({ min: 0, max: 12 }),
        }),
        { maxLength: 6 },
      ),
      { maxLength: 5 },
    );
    let next = 1;
    await fc.assert(
      fc.asyncProperty(batches, async (given) => {
        const first = next;
        next += 3;
        const changes = given.map((batch) =>
          batch.map(({ monitor, status, at }) => change(first + monitor, status, at)),
        );
        for (const batch of changes) await apply(database, batch);
        for (const id of [first, first + 1, first + 2]) {
          const own = changes.flat().filter(({ monitorId }) => monitorId === id);
          expect(await all(database, [id])).toEqual(expected(own));
        }
      }),
      { numRuns: 60 },
    );
  });

  test('spans that touch the period are listed whole, and others are not', async () => {
    const database = await open();
    await apply(database, [
      change(1, 'online', 100),
      change(1, 'offline', 200),
      change(1, 'online', 300),
    ]);
    const statuses = async (from: number, to: number) =>
      (await listSpans(database.read, [1], from, to)).map(({ fromAt }) => fromAt);
    expect(await statuses(0, 100)).toEqual([]);
    expect(await statuses(0, 101)).toEqual([100]);
    expect(await statuses(200, 300)).toEqual([200]);
    expect(await statuses(199, 1000)).toEqual([100, 200, 300]);
    expect(await listSpans(database.read, [], 0, 1000)).toEqual([]);
  });

  test('spans before the period are not listed, however many there are, nor those of other monitors', async () => {
    const database = await open();
    const flaps = Array.from({ length: 50 }, (_flap, index) => [
      change(1, 'offline', 10 * index),
      change(1, 'online', 10 * index + 5),
      change(2, 'degraded', 10 * index),
    ]).flat();
    await apply(database, flaps);
    const wanted = [2, 1, 1, 3];
    expect(await listSpans(database.read, wanted, 485, 491)).toEqual([
      { monitorId: 1, status: 'online', fromAt: 485, toAt: 490 },
      { monitorId: 1, status: 'offline', fromAt: 490, toAt: 495 },
      { monitorId: 2, status: 'degraded', fromAt: 0, toAt: null },
    ]);
    expect(await listSpans(database.read, [1], 9_000, 9_001)).toEqual([
      { monitorId: 1, status: 'online', fromAt: 495, toAt: null },
    ]);
  });

  test('old spans go, the one that still touches the time stays', async () => {
    const database = await open();
    await apply(database, [
      change(1, 'online', 100),
      change(1, 'offline', 200),
      change(1, 'online', 300),
    ]);
    const deleteBefore = (before: number) =>
      database.transaction((tx) =>
        deleteHistory(tx, { monitorIds: [1], before, gapsBefore: null }),
      );
    await deleteBefore(250);
    expect((await all(database, [1])).map(({ fromAt }) => fromAt)).toEqual([200, 300]);
    await deleteBefore(9_000);
    expect((await all(database, [1])).map(({ fromAt }) => fromAt)).toEqual([300]);
  });
});

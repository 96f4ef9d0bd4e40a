import { expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/databases.ts';
import { addMonitors } from '../../../test/support/history.ts';
import { numbersOf, storePings } from '../../../test/support/pings.ts';
import type { Database } from '../../store/database/contract.ts';
import { PINGS_KEPT } from '../../store/engine/pings.ts';
import { deleteOldPings, PING_MS } from './retention.ts';
import { updateRows } from '../../../test/support/rows.ts';

const HOUR = 3_600_000;
const NOW = Date.UTC(2030, 4, 17, 12, 30);

/** Steps until this hour has nothing left to do; how many there were. */
async function pass(database: Database, now: number): Promise<number> {
  let steps = 0;
  while (await deleteOldPings(database, now)) steps += 1;
  return steps;
}

const same = (count: number, at: number) => Array.from({ length: count }, () => ({ at }));

/** First and last number that is left, and how many there are. */
async function left(database: Database, id: number) {
  const numbers = await numbersOf(database, id);
  return [numbers[0], numbers.at(-1), numbers.length];
}

eachDatabase((_, open) => {
  test('the newest thousand stay, and of them what came within 30 days [12.37]', async () => {
    const database = await open();
    const [crowded, aged, expired, sound] = (await addMonitors(database, 4)) as [
      number,
      number,
      number,
      number,
    ];
    await storePings(database, crowded, same(PINGS_KEPT + 700, NOW));
    await storePings(database, aged, [
      ...same(2, NOW - PING_MS - 1),
      ...same(1, NOW - PING_MS),
      ...same(1, NOW),
    ]);
    await storePings(database, expired, same(600, NOW - PING_MS - 1));
    await storePings(database, sound, same(PINGS_KEPT, NOW));
    await pass(database, NOW);
    expect(await left(database, crowded)).toEqual([701, 1_700, PINGS_KEPT]);
    expect(await left(database, aged)).toEqual([3, 4, 2]);
    expect(await left(database, expired)).toEqual([undefined, undefined, 0]);
    expect(await left(database, sound)).toEqual([1, PINGS_KEPT, PINGS_KEPT]);
    await storePings(database, expired, same(1, NOW));
    expect(await left(database, expired)).toEqual([601, 601, 1]);
  });

  test('once an hour, and else nothing is done', async () => {
    const database = await open();
    const [id] = (await addMonitors(database, 1)) as [number];
    await storePings(database, id, same(1, NOW - PING_MS));
    expect(await pass(database, NOW)).toBeGreaterThan(0);
    const later = NOW + HOUR / 2 - 1;
    expect(await deleteOldPings(database, later)).toBe(false);
    // By a clock that is behind, around the turn of an hour.
    expect(await deleteOldPings(database, later - HOUR)).toBe(false);
    // A clock that was set back further has another pass.
    expect(await deleteOldPings(database, later - 2 * HOUR)).toBe(true);
    expect(await left(database, id)).toEqual([1, 1, 1]);
    expect(await pass(database, later + 1)).toBeGreaterThan(0);
    expect(await left(database, id)).toEqual([undefined, undefined, 0]);
  });

  test('many pings of one monitor go in several steps, the oldest first', async () => {
    const database = await open();
    const [few, many, next] = (await addMonitors(database, 3)) as [number, number, number];
    await storePings(database, few, same(PINGS_KEPT + 1, NOW));
    await storePings(database, many, same(PINGS_KEPT + 7_200, NOW));
    await storePings(database, next, same(PINGS_KEPT + 1, NOW));
    await deleteOldPings(database, NOW);
    const [first, last, count] = await left(database, many);
    expect(last).toBe(8_200);
    expect(first).toBeGreaterThan(1);
    expect(count).toBe(8_200 - first! + 1);
    expect(count).toBeGreaterThan(PINGS_KEPT);
    await storePings(database, few, same(1, NOW));
    await pass(database, NOW);
    // Its turn was over.
    expect(await left(database, few)).toEqual([2, PINGS_KEPT + 2, PINGS_KEPT + 1]);
    expect(await left(database, many)).toEqual([7_201, 8_200, PINGS_KEPT]);
    expect(await left(database, next)).toEqual([2, PINGS_KEPT + 1, PINGS_KEPT]);
  });

  test('several monitors have their turn in one step', async () => {
    const database = await open();
    const monitors = await addMonitors(database, 3);
    for (const id of monitors) await storePings(database, id, same(PINGS_KEPT + 600, NOW));
    await deleteOldPings(database, NOW);
    for (const id of monitors) {
      expect(await left(database, id)).toEqual([601, PINGS_KEPT + 600, PINGS_KEPT]);
    }
  });

  test('a pass that runs into the next hour is ended before another begins', async () => {
    const database = await open();
    // More than are looked at in one step.
    const monitors = [...(await addMonitors(database, 750)), ...(await addMonitors(database, 750))];
    const [early, late] = [monitors[0]!, monitors.at(-1)!];
    await updateRows(database, 'monitor_state', { ping_count: 1 });
    await storePings(database, late, same(PINGS_KEPT + 3, NOW));
    await deleteOldPings(database, NOW);
    await storePings(database, early, same(PINGS_KEPT + 3, NOW));
    await deleteOldPings(database, NOW + HOUR);
    expect((await numbersOf(database, late)).length).toBe(PINGS_KEPT);
    expect((await numbersOf(database, early)).length).toBe(PINGS_KEPT + 3);
    await pass(database, NOW + HOUR);
    expect((await numbersOf(database, early)).length).toBe(PINGS_KEPT);
  });

  test('two processes at once do no more than one', async () => {
    const database = await open();
    const monitors = await addMonitors(database, 3);
    for (const id of monitors) await storePings(database, id, same(PINGS_KEPT + 400, NOW));
    await Promise.all([pass(database, NOW), pass(database, NOW)]);
    for (const id of monitors) {
      expect(await left(database, id)).toEqual([401, PINGS_KEPT + 400, PINGS_KEPT]);
    }
  });
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/databases.ts';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { addMonitors } from '../../../test/support/history.ts';
import { NO_TIMINGS } from '../../model/check.ts';
import type { Database } from '../../store/database/contract.ts';
import { setProgress } from '../../store/database/settings.ts';
import { type Rollup, rollupChanges } from '../../store/engine/rollups.ts';
import {
  emptyHistogram,
  addResult,
  decodeResponseTimesInto,
  encodeSummary,
  type Summary,
} from './summary.ts';
import { DAILY, HOURLY, HOURLY_DAYS, RECENT, runRollupSlice } from './rollup.ts';
import { readRollupsWithin, uptimeOf } from './stored-uptime.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.UTC(2030, 4, 17);
const DAYS = 4;

function packed(times: readonly number[]): Buffer {
  const summary: Summary = new Map();
  for (const responseTimeMs of times)
    addResult(summary, { region: 'ash', vote: 'up', responseTimeMs, timings: NO_TIMINGS });
  return encodeSummary(summary);
}

async function rollUp(database: Database, now: number): Promise<void> {
  const clock = createFakeClock({ now });
  while ((await runRollupSlice({ database, clock })) === 'more');
}

const recentDays = async (database: Database) =>
  (await database.read.selectFrom('rollup_recent_day').select('at').orderBy('at').execute()).map(
    ({ at }) => at,
  );

/** Response times by monitor and day, whether they are stored by the hour or by the day. */
function timesByDay({ hours, days }: { hours: readonly Rollup[]; days: readonly Rollup[] }) {
  const found = new Map<string, ReturnType<typeof emptyHistogram>>();
  for (const { monitorId, at, data } of [...hours, ...days]) {
    const key = `${monitorId} ${Math.floor(at / DAY)}`;
    const times = found.get(key) ?? emptyHistogram();
    found.set(key, times);
    expect(decodeResponseTimesInto(times, data)).toBe(true);
  }
  return new Map([...found].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

type Edit =
  | { kind: 'write'; hour: number; times: number[]; monitor: number }
  | { kind: 'delete'; hour: number; hours: number; monitor: number }
  | { kind: 'roll up'; hour: number }
  | { kind: 'set back'; hour: number };

const hour = fc.integer({ min: 0, max: DAYS * 24 - 1 });
const monitor = fc.integer({ min: 0, max: 1 });
const times = fc.array(fc.integer({ min: 1, max: 5_000 }), { minLength: 1, maxLength: 5 });
const edit: fc.Arbitrary<Edit> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('write'), hour, times, monitor }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('delete'),
      hour,
      hours: fc.integer({ min: 1, max: 30 }),
      monitor,
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('roll up'), hour }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('set back'), hour }) },
);

async function apply(database: Database, ids: readonly number[], change: Edit): Promise<void> {
  const at = START + change.hour * HOUR;
  await database.transaction(async (tx) => {
    if (change.kind === 'write') {
      const rollup = { monitorId: ids[change.monitor]!, at, data: packed(change.times) };
      await rollupChanges(tx).write('rollup_hour', [rollup]);
    } else if (change.kind === 'delete') {
      const range = { from: at, to: at + change.hours * HOUR };
      await rollupChanges(tx).delete('rollup_hour', [ids[change.monitor]!], range);
    } else {
      await setProgress(tx, HOURLY, at);
    }
  });
  // Hours of which there are no rounds stay as they were written.
  if (change.kind === 'roll up') await rollUp(database, at);
}

eachDatabase((engine, open) => {
  test('days that are over are summed, and a changed hour counts at once', async () => {
    const database = await open();
    const [id] = (await addMonitors(database, 1)) as [number];
    const write = (at: number, ...own: number[]) =>
      database.transaction((tx) =>
        rollupChanges(tx).write('rollup_hour', [{ monitorId: id, at, data: packed(own) }]),
      );
    await write(START, 10);
    await write(START + HOUR, 20);
    await write(START + DAY, 30);
    await database.transaction((tx) => setProgress(tx, HOURLY, START + 2 * DAY - HOUR));
    await rollUp(database, START + 2 * DAY - HOUR);
    expect(await recentDays(database)).toEqual([START]);
    const read = () =>
      readRollupsWithin(database, [id], {
        from: START,
        to: START + 3 * DAY,
        rolledUpUntil: START + 2 * DAY,
        isHourly: false,
      });
    const before = await read();
    expect(before.days.map(({ at }) => at)).toEqual([START]);
    expect(before.hours.map(({ at }) => at)).toEqual([START + DAY]);

    await write(START + HOUR, 20, 40);
    expect(await recentDays(database)).toEqual([]);
    const after = await read();
    expect(after.days).toEqual([]);
    expect([...timesByDay(after).values()].map(({ count }) => count)).toEqual([3, 1]);
  });

  test('monitors without hours are passed over together, and none with hours is missed', async () => {
    const database = await open();
    const ids = await addMonitors(database, 1_050);
    const withHours = [0, 3, 4, ...Array.from({ length: 20 }, (_, n) => 1_000 + n)].map(
      (index) => ids[index]!,
    );
    const rollups = withHours.map((monitorId) => ({ monitorId, at: START, data: packed([10]) }));
    await database.transaction(async (tx) => {
      await rollupChanges(tx).write('rollup_hour', rollups);
      await setProgress(tx, HOURLY, START + DAY);
      // The hours and the days are done, and the sums begin with the day.
      await setProgress(tx, RECENT, START);
      await setProgress(tx, DAILY, START + DAY - HOURLY_DAYS * DAY);
    });
    const clock = createFakeClock({ now: START + DAY });
    let slices = 1;
    while ((await runRollupSlice({ database, clock })) === 'more') slices += 1;
    expect(await recentDays(database)).toEqual(withHours.map(() => START));
    // Three monitors of the first thousand, twenty and then none of the others, the next day, and an idle one.
    expect(slices).toBeLessThanOrEqual(7);
  });

  test('days are those that their hours add up to, whatever changed and in which order', async () => {
    const database = await open();
    await fc.assert(
      fc.asyncProperty(
        fc.array(edit, { minLength: 4, maxLength: 14 }),
        fc.array(fc.tuple(hour, hour, hour), { minLength: 3, maxLength: 3 }),
        async (edits, periods) => {
          await database.transaction(async (tx) => {
            for (const table of ['rollup_hour', 'progress'] as const)
              await tx.deleteFrom(table).execute();
          });
          const ids = await addMonitors(database, 2);
          for (const change of edits) {
            await apply(database, ids, change);
            for (const [first, last, until] of periods) {
              const period = {
                from: START + first * HOUR - HOUR / 2,
                to: START + (last + 2) * HOUR + HOUR / 3,
                rolledUpUntil: START + until * HOUR,
              };
              const read = (isHourly: boolean) =>
                readRollupsWithin(database, ids, { ...period, isHourly });
              expect(timesByDay(await read(false))).toEqual(timesByDay(await read(true)));
            }
          }
        },
      ),
      { numRuns: engine === 'sqlite' ? 60 : 20 },
    );
  });

  test('the figures of a long period are the same with the sums and without', async () => {
    const database = await open();
    const ids = await addMonitors(database, 2);
    const now = START + (HOURLY_DAYS + 6) * DAY + 7 * HOUR;
    const last = Math.floor(now / HOUR) * HOUR;
    const rows: Rollup[] = ids.flatMap((monitorId) =>
      Array.from({ length: (last - START) / HOUR }, (_, index) => ({
        monitorId,
        at: START + index * HOUR,
        data: packed([1 + ((index * 37) % 900), 5 + ((index * monitorId * 11) % 300)]),
      })),
    );
    await database.transaction(async (tx) => {
      await rollupChanges(tx).write('rollup_hour', rows);
      await setProgress(tx, HOURLY, last);
      await setProgress(tx, 'rollup_day', START);
      await tx.updateTable('monitor').set({ created_at: START }).execute();
    });
    await rollUp(database, now);
    const figures = () =>
      Promise.all(
        (['day', 'hour', null] as const).flatMap((unit) =>
          [START + 5 * HOUR, now - 20 * DAY, now - HOUR].map((from) =>
            uptimeOf(database, ids, { from, to: now, now }, unit),
          ),
        ),
      );
    expect(await recentDays(database)).toHaveLength(2 * (HOURLY_DAYS - 1));
    const summed = await figures();
    await database.transaction((tx) => tx.deleteFrom('rollup_recent_day').execute());
    expect(await figures()).toEqual(summed);
    expect(summed[1]![0]!.whole.responseTimes.count).toBe(2 * 20 * 24);
  });
});

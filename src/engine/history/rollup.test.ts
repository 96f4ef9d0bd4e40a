import { expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/databases.ts';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { addMonitors, storeRounds } from '../../../test/support/history.ts';
import { roundOf } from '../../../test/support/rounds.ts';
import type { Database } from '../../store/database/contract.ts';
import { setProgress } from '../../store/database/settings.ts';
import type { RecordedRound } from '../../store/engine/round-codec.ts';
import { readRollups, type RollupName } from '../../store/engine/rollups.ts';
import { HOURLY, HOURLY_DAYS, runRollupSlice, SETTLING_MS } from './rollup.ts';
import { addResult, decodeSummaryInto, encodeSummary, type Summary } from './summary.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Monitors of an hour that one slice can't do. */
const SEVERAL_SLICES = 230;
const BEGIN = Date.UTC(2030, 4, 17, 22);

const round = (monitorId: number, startedAt: number, votes: string, ms = 20): RecordedRound => ({
  round: roundOf(votes, { monitorId, startedAt, responseTimeMs: ms }),
  kind: 'voted',
  class: 'up',
});

/** Thirty rounds of each monitor over three hours and a midnight, all different. */
const someRounds = (monitors: number[]): RecordedRound[] =>
  monitors.flatMap((id) =>
    Array.from({ length: 30 }, (_, index) =>
      round(id, BEGIN + id * 1000 + index * 360_000, index % 7 === 0 ? 'ud?' : 'uuu', id + index),
    ),
  );

/** The packed summary of these rounds, by hour or day. */
function summed(rounds: RecordedRound[], monitorId: number, unit: number) {
  const own = rounds.filter((one) => one.round.monitorId === monitorId && one.kind === 'voted');
  const periods = Map.groupBy(own, (one) => Math.floor(one.round.startedAt / unit) * unit);
  return [...periods].map(([at, ofPeriod]) => {
    const summary: Summary = new Map();
    for (const one of ofPeriod) for (const result of one.round.results) addResult(summary, result);
    return { at, data: encodeSummary(summary).toString('hex') };
  });
}

async function stored(database: Database, table: RollupName, monitorId: number) {
  const rollups = await readRollups(database.read, table, [monitorId], { from: 0, to: 1e15 });
  return rollups.map(({ at, data }) => ({ at, data: Buffer.from(data).toString('hex') }));
}

async function rollUp(database: Database, now: number): Promise<number> {
  const clock = createFakeClock({ now });
  let slices = 1;
  while ((await runRollupSlice({ database, clock })) === 'more') slices++;
  return slices;
}

eachDatabase((_, open) => {
  test('hours hold just what voted in them, whatever the slices', async () => {
    const database = await open();
    const monitors = await addMonitors(database, 30);
    const rounds = someRounds(monitors);
    const others = [round(monitors[0]!, BEGIN + 1, 'ddd'), round(monitors[0]!, BEGIN + 2, 'ddd')];
    others[0]!.kind = 'stale';
    others[1]!.kind = 'manual';
    await storeRounds(database, [...rounds, ...others]);
    await rollUp(database, BEGIN + 5 * HOUR);
    for (const id of monitors) {
      expect(await stored(database, 'rollup_hour', id)).toEqual(summed(rounds, id, HOUR));
    }
  });

  test('an hour counts once it ended long enough ago', async () => {
    const database = await open();
    const [id] = (await addMonitors(database, 1)) as [number];
    await storeRounds(database, [round(id, BEGIN, 'u')]);
    await rollUp(database, BEGIN + HOUR + SETTLING_MS - 1);
    expect(await stored(database, 'rollup_hour', id)).toEqual([]);
    await rollUp(database, BEGIN + HOUR + SETTLING_MS);
    expect(await stored(database, 'rollup_hour', id)).toHaveLength(1);
  });

  test('the same hour done twice, or by two processes at once, is the same [24.25]', async () => {
    const database = await open();
    const monitors = await addMonitors(database, SEVERAL_SLICES);
    const rounds = someRounds(monitors);
    await storeRounds(database, rounds);
    const end = BEGIN + 5 * HOUR;
    await Promise.all([rollUp(database, end), rollUp(database, end), rollUp(database, end)]);
    await database.transaction((tx) => setProgress(tx, HOURLY, BEGIN));
    await rollUp(database, end);
    for (const id of monitors) {
      expect(await stored(database, 'rollup_hour', id)).toEqual(summed(rounds, id, HOUR));
    }
  });

  test('stopped after any slice it goes on where it was', async () => {
    const database = await open();
    const monitors = await addMonitors(database, SEVERAL_SLICES);
    const rounds = someRounds(monitors);
    await storeRounds(database, rounds);
    for (let hour = 0; hour < 5; hour++) {
      // A slice or two in each run, then a new process.
      for (let slice = 0; slice <= hour % 2; slice++) {
        await runRollupSlice({ database, clock: createFakeClock({ now: BEGIN + hour * HOUR }) });
      }
    }
    await rollUp(database, BEGIN + 5 * HOUR);
    for (const id of monitors) {
      expect(await stored(database, 'rollup_hour', id)).toEqual(summed(rounds, id, HOUR));
    }
  });

  test('time without rounds is passed over at once', async () => {
    const database = await open();
    const [id] = (await addMonitors(database, 1)) as [number];
    const later = BEGIN + 400 * DAY;
    await storeRounds(database, [round(id, BEGIN, 'u'), round(id, later, 'u')]);
    expect(await rollUp(database, later + 2 * HOUR)).toBeLessThan(150);
    const hours = await stored(database, 'rollup_hour', id);
    expect(hours.map(({ at }) => at)).toEqual([BEGIN, later]);
  });

  test('a clock that was wrong and is set back loses no hour', async () => {
    const database = await open();
    const [id] = (await addMonitors(database, 1)) as [number];
    const rounds = [round(id, BEGIN, 'u'), round(id, BEGIN + HOUR, 'u')];
    await storeRounds(database, rounds);
    await rollUp(database, BEGIN + 40 * DAY);
    rounds.push(round(id, BEGIN + HOUR + 1000, 'd'), round(id, BEGIN + 2 * HOUR, 'u'));
    await storeRounds(database, rounds);
    await rollUp(database, BEGIN + HOUR + 30 * 60_000);
    await rollUp(database, BEGIN + 4 * HOUR);
    expect(await stored(database, 'rollup_hour', id)).toEqual(summed(rounds, id, HOUR));
  });

  test('hours older than 30 days become days, and nothing is lost [24.22]', async () => {
    const database = await open();
    const monitors = await addMonitors(database, 30);
    const rounds = someRounds(monitors);
    await storeRounds(database, rounds);
    await rollUp(database, BEGIN + 5 * HOUR);
    const firstDayOld = Math.floor(BEGIN / DAY) * DAY + (HOURLY_DAYS + 1) * DAY;
    await rollUp(database, firstDayOld - 1);
    expect(await stored(database, 'rollup_day', monitors[0]!)).toEqual([]);
    await rollUp(database, firstDayOld);
    await rollUp(database, firstDayOld);
    for (const id of monitors) {
      const [first] = summed(rounds, id, DAY);
      expect(await stored(database, 'rollup_day', id)).toEqual([first]);
      const hours = await stored(database, 'rollup_hour', id);
      expect(hours).toEqual(summed(rounds, id, HOUR).filter(({ at }) => at >= first!.at + DAY));
    }
    await rollUp(database, firstDayOld + DAY);
    expect(await stored(database, 'rollup_hour', monitors[0]!)).toEqual([]);
    const summary: Summary = new Map();
    for (const { data } of await stored(database, 'rollup_day', monitors[0]!)) {
      expect(decodeSummaryInto(summary, Buffer.from(data, 'hex'))).toBe(true);
    }
    expect(summary.get('ash')!.responseTimes.count).toBe(30);
  });
});

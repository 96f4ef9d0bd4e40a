import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { eachDatabase, onPostgres } from '../../../test/support/databases.ts';
import { addMonitors, storeRounds } from '../../../test/support/history.ts';
import { REFUSED, roundOf } from '../../../test/support/rounds.ts';
import {
  DAY_MS,
  dropSomeOfDay,
  ensureDays,
  listDays,
  listRetiredDays,
  retireDay,
  insertRounds,
} from './results.ts';
import type { RecordedRound } from './round-codec.ts';
import { readRecentRounds } from './recent-rounds.ts';
import { listResults, readRounds } from './result-history.ts';

const NOON = Date.UTC(2030, 4, 17, 12);
const ALL = { from: 0, to: NOON + 100 * DAY_MS, page: 1, perPage: 100 };

const voted = (votes: string, overrides: Parameters<typeof roundOf>[1] = {}): RecordedRound => ({
  round: roundOf(votes, { startedAt: NOON, ...overrides }),
  kind: 'voted',
  class: votes.includes('d') ? 'down' : 'up',
});

eachDatabase((engine, open) => {
  test('a round comes back with its texts [24.20]', async () => {
    const database = await open();
    const [monitorId] = (await addMonitors(database, 1)) as [number];
    await storeRounds(database, [voted('ud?', { monitorId })]);
    const { total, results } = await listResults(database, monitorId, ALL);
    expect(total).toBe(3);
    expect(results).toMatchObject([
      {
        region: 'ash',
        vote: 'up',
        statusCode: 200,
        responseTimeMs: 20,
        checkedAt: NOON,
        failure: null,
      },
      {
        region: 'pdx',
        vote: 'down',
        failure: REFUSED,
        remoteAddress: '10.0.0.1',
        kind: 'voted',
        class: 'down',
      },
      { region: 'nbg', vote: 'unknown', failure: { code: 'probe_lost' }, checkedAt: NOON + 2 },
    ]);
    expect(results.map(({ startedAt }) => startedAt)).toEqual([NOON, NOON, NOON]);
  });

  test('a round that is there stays, and one of a monitor that is gone hurts no other', async () => {
    const database = await open();
    const [monitorId] = (await addMonitors(database, 1)) as [number];
    await storeRounds(database, [voted('u', { monitorId })]);
    await storeRounds(database, [
      voted('d', { monitorId: 999_999 }),
      voted('d', { monitorId }),
      voted('u', { monitorId, startedAt: Number.NaN }),
      voted('u', { monitorId, startedAt: NOON + 1 }),
    ]);
    const { results } = await listResults(database, monitorId, ALL);
    expect(results.map(({ vote, startedAt }) => [vote, startedAt])).toEqual([
      ['up', NOON + 1],
      ['up', NOON],
    ]);
    expect((await listResults(database, 999_999, ALL)).total).toBe(0);
  });

  test('of the rounds of a batch with one monitor and start the first is stored', async () => {
    const database = await open();
    const [monitorId, other] = (await addMonitors(database, 2)) as [number, number];
    await storeRounds(database, [
      voted('u', { monitorId }),
      voted('d', { monitorId }),
      voted('d', { monitorId: other }),
      voted('u', { monitorId, startedAt: NOON + 1 }),
    ]);
    const stored = await readRounds(database, [monitorId, other], ALL);
    const shown = stored.map((round) => [round.monitorId, round.startedAt, round.class]);
    expect(shown).toEqual([
      [monitorId, NOON, 'up'],
      [monitorId, NOON + 1, 'up'],
      [other, NOON, 'down'],
    ]);
  });

  test('whatever a target says as its error can be stored', async () => {
    const database = await open();
    const [monitorId] = (await addMonitors(database, 1)) as [number];
    const text = 'a\0b \ud800 \' " \\ ö';
    const round = roundOf('d', { monitorId, startedAt: NOON });
    round.results[0]!.failure = { code: 'http_status', text };
    await storeRounds(database, [{ round, kind: 'voted', class: 'down' }]);
    const { results } = await listResults(database, monitorId, ALL);
    expect(results[0]!.failure).toEqual({ code: 'http_status', text: text.toWellFormed() });
  });

  test('pages over days, regions and rounds of different sizes show what was stored', async () => {
    const database = await open();
    const [monitorId, other] = (await addMonitors(database, 2)) as [number, number];
    const rounds = fc.sample(
      fc.record({
        votes: fc.stringMatching(/^[ud]{0,4}$/),
        // Seconds that are often the same, around two midnights.
        at: fc
          .integer({ min: -20, max: 20 })
          .map((s) => NOON + DAY_MS / 2 + s * 1000 + (s % 2) * DAY_MS),
      }),
      60,
    );
    const unique = new Map(rounds.map(({ votes, at }) => [at, votes]));
    await storeRounds(
      database,
      [...unique].flatMap(([startedAt, votes]) => [
        voted(votes, { monitorId, startedAt }),
        voted('uu', { monitorId: other, startedAt }),
      ]),
    );
    // With numbers now, where the first ones had names.
    for (const monitor of [monitorId, other]) {
      await storeRounds(database, [voted('uuu', { monitorId: monitor, startedAt: NOON })]);
    }
    unique.set(NOON, 'uuu');
    const stored = [...unique]
      .toSorted(([a], [b]) => b - a)
      .flatMap(([at, votes]) => [...votes].map((vote, index) => ({ at, vote, region: index })));

    const question = fc.record({
      from: fc.integer({ min: -30_000, max: 30_000 }),
      days: fc.constantFrom(-1, 0, 1),
      length: fc.constantFrom(0, 1000, 15_000, DAY_MS, 3 * DAY_MS),
      region: fc.constantFrom(undefined, 0, 1, 3, 9),
      page: fc.integer({ min: 1, max: 5 }),
      perPage: fc.integer({ min: 1, max: 20 }),
    });
    const names = ['ash', 'pdx', 'nbg', 'sin'];
    await fc.assert(
      fc.asyncProperty(question, async ({ from: offset, days, length, region, page, perPage }) => {
        const from = NOON + DAY_MS / 2 + offset + days * DAY_MS;
        const to = from + length;
        const wanted = stored.filter(
          (one) => one.at >= from && one.at < to && (region === undefined || one.region === region),
        );
        const asked = {
          from,
          to,
          page,
          perPage,
          ...(region !== undefined && { region: names[region] ?? 'none' }),
        };
        const { total, results } = await listResults(database, monitorId, asked);
        expect(total).toBe(wanted.length);
        expect(results.map((r) => [r.startedAt, r.region, r.vote])).toEqual(
          wanted
            .slice((page - 1) * perPage, page * perPage)
            .map((one) => [one.at, names[one.region], one.vote === 'u' ? 'up' : 'down']),
        );
      }),
      { numRuns: 60 },
    );
    const uniform = await listResults(database, other, { ...ALL, perPage: 5, page: 2 });
    expect(uniform.total).toBe((unique.size - 1) * 2 + 3);
  });

  test('the rounds of some monitors and an hour are read for the roll-ups', async () => {
    const database = await open();
    const ids = (await addMonitors(database, 3)) as [number, number, number];
    const at = NOON + DAY_MS / 2;
    await storeRounds(
      database,
      ids.flatMap((monitorId) =>
        [at - 1, at, at + 999, at + 1000].map((startedAt) => voted('ud', { monitorId, startedAt })),
      ),
    );
    const rounds = await readRounds(database, [ids[0], ids[2]], { from: at - 1, to: at + 1000 });
    expect(rounds.map(({ monitorId, startedAt }) => [monitorId, startedAt - at])).toEqual([
      [ids[0], -1],
      [ids[2], -1],
      [ids[0], 0],
      [ids[0], 999],
      [ids[2], 0],
      [ids[2], 999],
    ]);
    expect(rounds[0]!.results.map(({ region, vote }) => [region, vote])).toEqual([
      ['ash', 'up'],
      ['pdx', 'down'],
    ]);
  });

  test('a region costs its name once, then a number that all processes share', async () => {
    const database = await open();
    const [monitorId] = (await addMonitors(database, 1)) as [number];
    for (const startedAt of [NOON, NOON + 1, NOON + 2]) {
      await storeRounds(database, [voted('uu', { monitorId, startedAt })]);
    }
    const { rows } = await sql<{ length: number }>`
      select length(data) as length from round_20300517 order by at`.execute(database.read);
    const lengths = rows.map(({ length }) => length);
    expect(lengths[1]).toBeLessThan(lengths[0]! - 6);
    expect(lengths[2]).toBe(lengths[1]);
    const { rows: settings } = await sql<{ value: string }>`
      select value from setting where name like 'result_region_%' order by name`.execute(
      database.read,
    );
    expect(settings.map(({ value }) => value)).toEqual(['ash', 'pdx']);
  });

  test('many who make the same day at once make it once', async () => {
    const database = await open();
    // Each like a process of its own: none knows what another has made.
    const processes = Array.from({ length: 6 }, () => Object.create(database) as typeof database);
    await Promise.all(
      processes.map((process) => ensureDays(process, [NOON, NOON + DAY_MS, Number.NaN, -5])),
    );
    expect(await listDays(database)).toEqual(['20300517', '20300518']);
  });

  test('a transaction that fails stores nothing', async () => {
    const database = await open();
    const [monitorId] = (await addMonitors(database, 1)) as [number];
    await ensureDays(database, [NOON]);
    const failing = database.transaction(async (tx) => {
      await insertRounds(tx, database, [voted('d', { monitorId })]);
      throw new Error('away');
    });
    await expect(failing).rejects.toThrow('away');
    expect((await listResults(database, monitorId, ALL)).total).toBe(0);
  });

  test('a retired day is read no more, goes in slices, and can be made anew', async () => {
    const database = await open();
    const [monitorId, second] = (await addMonitors(database, 2)) as [number, number];
    const rounds = Array.from({ length: 7_000 }, (_, index) =>
      voted('d', { monitorId: index < 5_500 ? monitorId : second, startedAt: NOON + index }),
    );
    await storeRounds(database, rounds);
    await retireDay(database, '20300517', 77);
    expect(await listRetiredDays(database)).toEqual([{ day: '20300517', retiredAt: 77 }]);
    expect((await listResults(database, monitorId, ALL)).total).toBe(0);
    let slices = 1;
    while (await dropSomeOfDay(database, '20300517')) slices++;
    expect(slices).toBe(engine === 'sqlite' ? 3 : 1);
    expect(await listRetiredDays(database)).toEqual([]);
    await storeRounds(database, [voted('u', { monitorId })]);
    expect((await listResults(database, monitorId, ALL)).total).toBe(1);
  });
});

onPostgres((open) => {
  test('tables of days with wide integers are used on', async () => {
    const database = await open();
    const [monitorId] = (await addMonitors(database, 1)) as [number];
    const midnight = NOON + DAY_MS / 2;
    await storeRounds(database, [voted('u', { monitorId, startedAt: midnight - 2 })]);
    for (const table of ['round_20300517', 'failure_20300517'])
      await database.transaction((tx) =>
        sql`alter table ${sql.table(table)} alter column at type bigint`.execute(tx),
      );
    await storeRounds(database, [
      voted('d', { monitorId, startedAt: midnight - 2 }),
      voted('d', { monitorId, startedAt: midnight - 1 }),
      voted('u', { monitorId, startedAt: midnight }),
    ]);
    const { total, results } = await listResults(database, monitorId, ALL);
    expect(total).toBe(3);
    expect(results.map(({ startedAt, vote }) => [startedAt - midnight, vote])).toEqual([
      [0, 'up'],
      [-1, 'down'],
      [-2, 'up'],
    ]);
    const since = [{ monitorId, after: midnight - 10 }];
    const recent = await readRecentRounds(database, since, midnight + 5);
    expect(recent.map(({ startedAt }) => startedAt - midnight)).toEqual([-2, -1, 0]);
  });
});

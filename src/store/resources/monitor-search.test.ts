import fc from 'fast-check';
import type { Transaction } from 'kysely';
import { describe, expect, test } from 'vitest';
import { eachDatabase, freshPostgres, onPostgres } from '../../../test/support/databases.ts';
import { turnOfTheEventLoop } from '../../../test/support/event-loop.ts';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { MONITOR_COLUMNS } from '../../../test/support/monitor-rows.ts';
import { wrapDatabase } from '../../../test/support/wrapped-database.ts';
import { shardOf } from '../../model/monitor.ts';
import type { Database, Schema } from '../database/contract.ts';
import { openDatabase } from '../database/database.ts';
import { nextVersions } from '../engine/shards.ts';
import { monitorChanges } from './monitor-changes.ts';
import { createMonitorList } from './monitor-list.ts';
import { createMonitorSearch } from './monitor-search.ts';
import { readEdits } from './monitor-stamps.ts';
import { NO_FILTER, type MonitorFilter } from './monitors.ts';

type Texts = { url: string; friendly_name: string | null; tags: readonly string[] };

const EVERYTHING = { sort: 'created_at', direction: 'asc', limit: 10_000, offset: 0 } as const;

/** The monitors with the versions of an edit. */
async function edited(tx: Transaction<Schema>, ids: readonly number[]) {
  const versions = await nextVersions(tx, ids.map(shardOf));
  return ids.map((id) => ({ id, version: versions.get(shardOf(id))! }));
}

/** Edits as the service makes them. */
function editor(database: Database) {
  let now = 1;
  return {
    insert: (teamId: number, monitors: readonly Texts[]) =>
      database.transaction((tx) =>
        monitorChanges(tx).insertAll(
          teamId,
          monitors.map(({ tags, ...texts }) => ({
            columns: { ...MONITOR_COLUMNS, ...texts, tags: JSON.stringify(tags) },
            heartbeatExpectedAt: null,
          })),
          (now += 1),
        ),
      ),
    rename: (id: number, texts: Pick<Texts, 'url' | 'friendly_name'>) =>
      database.transaction(async (tx) => {
        const [monitor] = await edited(tx, [id]);
        await monitorChanges(tx).update(id, monitor!.version, texts);
      }),
    tag: (ids: readonly number[], tags: readonly string[]) =>
      database.transaction(async (tx) => {
        const monitors = (await edited(tx, ids)).map((one) => ({ ...one, tags }));
        await monitorChanges(tx).setTags(monitors, (now += 1));
      }),
    remove: (ids: readonly number[]) =>
      database.transaction(async (tx) =>
        monitorChanges(tx).markAllDeleted(await edited(tx, ids), (now += 1)),
      ),
  };
}

/** Searches the texts in memory, once they are there. */
async function find(
  search: ReturnType<typeof createMonitorSearch>,
  teamId: number,
  filter: Partial<MonitorFilter>,
) {
  for (;;) {
    const found = await search.find(teamId, { ...NO_FILTER, ...filter });
    if (found !== null) return found.ids;
    await turnOfTheEventLoop();
  }
}

const setup = (database: Database, options: { maxBytes?: number } = {}) => {
  const clock = createFakeClock({ now: 0 });
  const scan = createMonitorList({ database, clock, manyMonitors: Infinity });
  const scanned = async (teamId: number, filter: Partial<MonitorFilter>) =>
    (await scan.page(teamId, { ...NO_FILTER, ...filter }, EVERYTHING)).ids;
  return {
    ...editor(database),
    clock,
    scanned,
    search: createMonitorSearch({ database, clock, ...options }),
  };
};

const named = (name: string): Texts => ({ url: `https://${name}/`, friendly_name: name, tags: [] });

const ODD = [
  'a',
  'A',
  'é',
  'É',
  'İ',
  'ı',
  'I',
  'i',
  'k',
  '\u212A',
  'ß',
  'ẞ',
  'Σ',
  'ς',
  'σ',
  'Å',
  '\u212B',
  'Ǆ',
  '\u{1F600}',
  '\u{10400}',
  '%',
  '_',
  '\\',
  '"',
  '/',
  '\n',
  '\u001F',
  '\u00FF',
  '\u2028',
  ' ',
];
const texts = fc.array(fc.constantFrom(...ODD), { maxLength: 5 }).map((parts) => parts.join(''));
const monitor = fc.record({
  url: texts,
  friendly_name: fc.option(texts),
  tags: fc.array(texts, { maxLength: 3 }),
});
const part = fc
  .array(fc.constantFrom(...ODD), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.join(''));
const filter = fc
  .record({ search: fc.option(part), q: fc.option(part, { freq: 2 }) })
  .map(({ search, q }) => (search === null ? { search, q: q ?? 'a' } : { search, q }));
const edit = fc.oneof(
  fc.record({
    is: fc.constant('insert' as const),
    monitors: fc.array(monitor, { minLength: 1, maxLength: 20 }),
  }),
  fc.record({ is: fc.constant('rename' as const), which: fc.nat(), monitor }),
  fc.record({
    is: fc.constant('tag' as const),
    which: fc.nat(),
    count: fc.integer({ min: 1, max: 5 }),
    monitor,
  }),
  fc.record({
    is: fc.constant('remove' as const),
    which: fc.nat(),
    count: fc.integer({ min: 1, max: 5 }),
  }),
);

eachDatabase((_engine, open) => {
  test('finds what a scan finds, whatever the texts, and after each edit', async () => {
    const database = await open();
    let teamId = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(monitor, { minLength: 1, maxLength: 40 }),
        fc.array(edit, { maxLength: 6 }),
        fc.array(filter, { minLength: 4, maxLength: 8 }),
        async (monitors, edits, filters) => {
          const { search, scanned, insert, rename, tag, remove } = setup(database);
          teamId += 1;
          const ids = await insert(teamId, monitors);
          for (const next of [null, ...edits]) {
            const from = next === null || next.is === 'insert' ? 0 : next.which % ids.length;
            const some = () => ids.slice(from, from + (next as { count: number }).count);
            if (next?.is === 'insert') ids.push(...(await insert(teamId, next.monitors)));
            if (next?.is === 'rename') {
              const { url, friendly_name } = next.monitor;
              await rename(ids[from]!, { url, friendly_name });
            }
            if (next?.is === 'tag') await tag(some(), next.monitor.tags);
            if (next?.is === 'remove') await remove(some());
            for (const one of filters) {
              expect(await find(search, teamId, one)).toEqual(await scanned(teamId, one));
            }
          }
        },
      ),
      { numRuns: 25 },
    );
  });

  test('each odd character is found as a scan finds it', async () => {
    const { search, scanned, insert } = setup(await open());
    await insert(
      1,
      ODD.map((text) => ({
        url: `u${text}u`,
        friendly_name: `n${text}n`,
        tags: [`t${text}t`, 'x'],
      })),
    );
    for (const text of ODD.flatMap((one) => [one, `u${one}`, `${one}n`, `t${one}t`, `${one}"`])) {
      for (const wanted of [{ search: text }, { q: text }]) {
        expect([text, await find(search, 1, wanted)]).toEqual([text, await scanned(1, wanted)]);
      }
    }
  });

  test('edits of many monitors and of other teams are taken over', async () => {
    const { search, insert, tag, remove } = setup(await open());
    const ids = await insert(
      1,
      Array.from({ length: 700 }, (_, n) => named(`one-${n}.example`)),
    );
    const others = await insert(2, [named('one-1.example')]);
    expect(await find(search, 1, { q: 'one-69' })).toHaveLength(11);
    await tag(ids, ['Everywhere']);
    expect(await find(search, 1, { q: 'everywhere' })).toEqual(ids);
    await remove(ids.slice(0, 300));
    expect(await find(search, 1, { q: 'everywhere' })).toEqual(ids.slice(300));
    await tag(others, ['Elsewhere']);
    expect(await find(search, 1, { q: 'elsewhere' })).toEqual([]);
    expect(await find(search, 2, { q: 'elsewhere' })).toEqual(others);
  });

  test('texts that were not compared for half a day are read again at the next edit', async () => {
    const { search, insert, clock } = setup(await open());
    const isKept = async () => (await search.find(1, { search: 'one', q: null })) !== null;
    await insert(1, [named('one.example')]);
    expect(await isKept()).toBe(false);
    expect(await find(search, 1, { search: 'one' })).toHaveLength(1);
    await clock.advance(13 * 3_600_000);
    expect(await isKept()).toBe(true);
    await insert(1, [named('two.example')]);
    expect(await isKept()).toBe(true);
    await clock.advance(13 * 3_600_000);
    await insert(1, [named('three.example')]);
    expect(await isKept()).toBe(false);
    expect(await find(search, 1, { search: 'three' })).toHaveLength(1);
  });

  test('recalls with the number of edits that it is of', async () => {
    const database = await open();
    const { search, insert, rename } = setup(database);
    const wanted = { search: 'one', q: null };
    expect(await search.recall(1, wanted)).toBe(null);
    const [id] = await insert(1, [named('one.example')]);
    await find(search, 1, wanted);
    const edits = await readEdits(database);
    expect(await search.recall(1, wanted)).toEqual({ ids: [id], edits });
    await rename(id!, { url: 'https://two.example/', friendly_name: null });
    expect(await search.recall(1, wanted)).toEqual({ ids: [id], edits });
    expect(await search.find(1, wanted)).toEqual({ ids: [], edits: edits + 1 });
    expect(await search.recall(1, wanted)).toEqual({ ids: [], edits: edits + 1 });
  });

  test('never finds half of the edits of a transaction', async () => {
    const database = await open();
    const { insert, tag } = setup(database);
    const ids = await insert(1, [named('one.example'), named('two.example')]);
    let onRead: (() => Promise<unknown>) | null = null;
    const hooked = database.read.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        // The versions of the shards were read, the edited texts not yet.
        if (result.rows.length === 256) await onRead?.();
        return result;
      },
    });
    const { search } = setup(wrapDatabase(database, { read: hooked }));
    await find(search, 1, { q: 'both' });
    await tag(ids.slice(0, 1), ['one']);
    onRead = async () => {
      onRead = null;
      await tag(ids, ['both']);
    };
    expect(await find(search, 1, { q: 'both' })).toEqual(ids);
    expect(onRead).toBe(null);
  });

  test('more edits than are worth reading, and a database that was restored, have it read again', async () => {
    const database = await open();
    const { search, insert, remove } = setup(database);
    const [first] = await insert(1, [named('first.example')]);
    expect(await find(search, 1, { search: 'first' })).toEqual([first]);
    for (let batch = 0; batch < 3; batch += 1) {
      await insert(
        1,
        Array.from({ length: 700 }, (_, n) => named(`${batch}-${n}.example`)),
      );
    }
    expect(await search.find(1, { search: 'first', q: null })).toBe(null);
    expect(await find(search, 1, { search: '2-699.' })).toHaveLength(1);
    await remove([first!]);
    await database.transaction((tx) => tx.updateTable('shard').set({ version: 0 }).execute());
    expect(await search.find(1, { search: 'first', q: null })).toBe(null);
    expect(await find(search, 1, { search: 'first' })).toEqual([]);
  });

  describe('with little memory', () => {
    const large = Array.from({ length: 400 }, (_, n) => named(`${n}.example`));

    test('keeps the texts of teams that were searched last', async () => {
      const { search, insert } = setup(await open(), { maxBytes: 110_000 });
      for (const teamId of [1, 2, 3]) await insert(teamId, large);
      const isKept = async (teamId: number) =>
        (await search.find(teamId, { search: 'none', q: null })) !== null;
      for (const teamId of [1, 2, 1, 3]) await find(search, teamId, { search: '399.' });
      expect(await isKept(1)).toBe(true);
      expect(await isKept(3)).toBe(true);
      expect(await isKept(2)).toBe(false);
    });

    test('does not keep a team with too many texts', async () => {
      const { search, insert } = setup(await open(), { maxBytes: 30_000 });
      await insert(1, large);
      await insert(2, large.slice(0, 50));
      expect(await search.find(1, { search: '1', q: null })).toBe(null);
      // Texts of one team are read at a time.
      expect(await find(search, 2, { search: '49.' })).toHaveLength(1);
      expect(await search.find(1, { search: '1', q: null })).toBe(null);
      expect(await search.find(2, { search: '1', q: null })).not.toBe(null);
    });
  });
});

onPostgres(() => {
  test('finds what another process has edited', async () => {
    const { place, remove: removeDatabase } = await freshPostgres();
    const [here, there] = await Promise.all([
      openDatabase({ engine: 'postgres', url: place }),
      openDatabase({ engine: 'postgres', url: place }),
    ]);
    try {
      const { search, insert } = setup(here);
      const other = editor(there);
      const ids = await insert(
        1,
        Array.from({ length: 50 }, (_, n) => named(`${n}.example`)),
      );
      expect(await find(search, 1, { search: 'example' })).toEqual(ids);
      for (let turn = 0; turn < 50; turn += 1) {
        await other.rename(ids[turn]!, { url: `https://renamed-${turn}/`, friendly_name: null });
        const found = await search.find(1, { search: `renamed-${turn}/`, q: null });
        expect(found?.ids).toEqual([ids[turn]]);
      }
      // Half of a transaction is never found.
      const searches = (async () => {
        for (let turn = 0; turn < 100; turn += 1) {
          const found = await search.find(1, { search: null, q: 'even' });
          expect([null, 0, ids.length]).toContain(found && found.ids.length);
        }
      })();
      for (let turn = 0; turn < 40; turn += 1)
        await other.tag(ids, [turn % 2 === 0 ? 'even' : 'odd']);
      await searches;
      await other.tag(ids, ['turn-39-']);
      expect(await find(search, 1, { q: 'turn-39-' })).toEqual(ids);
    } finally {
      await here.close();
      await there.close();
      await removeDatabase();
    }
  });
});

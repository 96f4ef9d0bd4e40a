import fc from 'fast-check';
import { sql, type Transaction } from 'kysely';
import { describe, expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/databases.ts';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { MONITOR_COLUMNS, STATE_COLUMNS } from '../../../test/support/monitor-rows.ts';
import { MONITOR_STATUSES, shardOf } from '../../model/monitor.ts';
import { MONITOR_TYPES } from '../../monitor-types/registry.ts';
import type { Database, Schema } from '../database/contract.ts';
import { monitorChanges } from './monitor-changes.ts';
import { createMonitorList } from './monitor-list.ts';
import { searchPath } from './monitor-path.ts';
import { matchMonitors } from './monitor-query.ts';
import {
  createMonitorReads,
  MONITOR_SORTS,
  NO_FILTER,
  type MonitorFilter,
  type MonitorSort,
  type Paging,
} from './monitors.ts';
import { nextVersion } from '../engine/shards.ts';
import { updateRows } from '../../../test/support/rows.ts';

const NEWEST: Paging<MonitorSort> = { sort: 'created_at', direction: 'desc', limit: 20, offset: 0 };

interface Watched {
  id: number;
  team_id: number;
  type: string;
  url: string;
  friendly_name: string | null;
  tags: string[];
  group_id: number | null;
  monitored_regions: string[];
  check_interval: number | null;
  created_at: number;
  deleted_at: number | null;
  status: string;
  last_checked_at: number | null;
}

const orNull = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: null, freq: 4 });
const texts = fc.constantFrom(
  '',
  'a',
  'B',
  'é',
  'É',
  'Kiosk',
  '\u212Aelvin',
  '"',
  '%',
  'a_b',
  'ΟΔΟΣ',
);
const GROUPS = [1_000_001, 1_000_002, 1_000_003];
/** As alike as can be, so that there are ties and matches. */
const watched = fc.record({
  team_id: fc.constantFrom(1, 1, 1, 2),
  type: fc.constantFrom(...MONITOR_TYPES),
  // The ends differ where an index on Postgres does not reach.
  url: fc.tuple(texts, fc.constantFrom('', 'x'.repeat(600)), texts).map((parts) => parts.join('')),
  friendly_name: orNull(texts),
  tags: fc.array(texts, { maxLength: 3 }),
  group_id: orNull(fc.constantFrom(...GROUPS)),
  monitored_regions: fc.uniqueArray(fc.constantFrom('ash', 'as', 'sin'), { minLength: 1 }),
  check_interval: orNull(fc.constantFrom(0.5, 1, 5)),
  created_at: fc.integer({ min: 1, max: 3 }),
  deleted_at: fc.constantFrom(null, null, null, 9),
  status: fc.constantFrom(...MONITOR_STATUSES),
  last_checked_at: orNull(fc.integer({ min: 1, max: 3 })),
});

const filters = fc.record({
  search: fc.option(texts, { nil: null, freq: 1 }),
  q: fc.option(texts, { nil: null, freq: 1 }),
  status: orNull(fc.constantFrom(...MONITOR_STATUSES)),
  type: orNull(fc.constantFrom(...MONITOR_TYPES)),
  interval: orNull(fc.constantFrom(0.5, 1, 5)),
  tags: orNull(fc.array(texts, { minLength: 1, maxLength: 2 })),
  groupIds: orNull(fc.uniqueArray(fc.constantFrom(...GROUPS), { minLength: 1 })),
  region: orNull(fc.constantFrom('ash', 'as', 'sin')),
});
const indexed = filters.map(({ status, type, interval }) => ({
  ...NO_FILTER,
  status,
  type,
  interval,
}));

const pagings = fc.record({
  sort: fc.constantFrom(...MONITOR_SORTS),
  direction: fc.constantFrom('asc' as const, 'desc' as const),
  limit: fc.integer({ min: 1, max: 8 }),
  offset: fc.integer({ min: 0, max: 12 }),
});

eachDatabase((engine, open) => {
  test('every filter and order answers as a plain sort in memory does', async () => {
    const database = await open();
    await fc.assert(
      fc.asyncProperty(
        fc.array(watched, { maxLength: 40 }),
        fc.array(fc.tuple(fc.oneof(indexed, filters), pagings), { minLength: 20, maxLength: 20 }),
        fc.constantFrom(0, Infinity),
        async (monitors, questions, manyMonitors) => {
          const all = await replaceAll(database, monitors);
          const clock = createFakeClock({ now: 0 });
          const list = createMonitorList({ database, clock, manyMonitors });
          for (const [filter, paging] of questions) {
            const wanted = inMemory(all, filter, paging);
            // The second time from what is remembered of the first.
            expect(await list.page(1, filter, paging)).toMatchObject(wanted);
            const again = await list.page(1, filter, paging);
            expect(again).toMatchObject(wanted);
            expect(idsOf(again.stamps)).toEqual(new Set(wanted.ids));
            const everything = {
              sort: 'created_at',
              direction: 'asc',
              limit: 99,
              offset: 0,
            } as const;
            const { ids } = inMemory(all, filter, everything);
            const first = ids.toSorted((a, b) => a - b).slice(0, 30);
            expect(await list.all(1, filter, 30)).toEqual(first);
          }
        },
      ),
      { numRuns: 15 },
    );
  });

  test('a search finds each edit at once, in every order, while its texts are read as well', async () => {
    const database = await open();
    const clock = createFakeClock({ now: 0 });
    const list = createMonitorList({ database, clock, manyMonitors: 0 });
    const create = (name: string) =>
      database.transaction((tx) =>
        monitorChanges(tx).insert(
          1,
          { ...MONITOR_COLUMNS, url: `https://${name}/`, type: 'http' },
          1,
          null,
        ),
      );
    const ids: number[] = [];
    for (let turn = 0; turn < 30; turn += 1) {
      ids.push(await create(`Shop-${turn}`), await create(`other-${turn}`));
      const renamed = ids[turn]!;
      await database.transaction(async (tx) =>
        monitorChanges(tx).update(renamed, await nextVersion(tx, shardOf(renamed)), {
          url: `https://shop-renamed-${turn}/`,
        }),
      );
      const pages = await Promise.all(
        MONITOR_SORTS.flatMap((sort) =>
          ([null, 'http'] as const).map((type) =>
            list.page(1, { ...NO_FILTER, q: `shop-renamed-${turn}/`, type }, { ...NEWEST, sort }),
          ),
        ),
      );
      for (const page of pages) {
        expect(page).toMatchObject({ ids: [renamed], total: 1 });
        expect(idsOf(page.stamps)).toEqual(new Set([renamed]));
      }
    }
    const shops = await list.page(1, { ...NO_FILTER, search: 'shop-' }, NEWEST);
    expect(shops.total).toBe(45);
    expect(shops.ids).toEqual(shops.ids.toSorted((one, other) => other - one));
  });

  test('what is read by ids is the whole of those monitors', async () => {
    const database = await open();
    const all = await replaceAll(
      database,
      fc.sample(watched, 4).map((row, index) => ({
        ...row,
        team_id: index === 1 ? 2 : 1,
        deleted_at: index === 2 ? 9 : null,
      })),
    );
    const reads = createMonitorReads(database);
    const ids = all.map(({ id }) => id);
    const ours = [all[0]!, all[3]!].map((one) => ({
      ...one,
      tags: JSON.stringify(one.tags),
      monitored_regions: JSON.stringify(one.monitored_regions),
    }));
    const whole = (await reads.whole(1, ids)).toSorted((a, b) => a.id - b.id);
    expect(whole).toMatchObject(ours);
    expect(await reads.whole(1, [])).toEqual([]);
  });

  describe('of a big team', () => {
    const COUNT = 12_000;

    async function bigTeam() {
      const database = await open();
      const all = await replaceAll(
        database,
        Array.from({ length: COUNT }, (_, index) => ({
          ...PLAIN,
          type: index % 100 === 0 ? 'ping' : 'http',
          url: `http://target.example/${index % 1_000}`,
          created_at: Math.floor(index / 3),
          tags: index % 200 === 0 ? ['rare', 'all'] : ['all'],
          group_id: index % 300 === 0 ? GROUPS[index % 2]! : null,
          monitored_regions: index % 2 === 0 ? ['ash', 'sin'] : ['ash'],
          status: index % 10 === 0 ? 'offline' : 'online',
        })),
      );
      // As Postgres does by itself after a while.
      if (engine === 'postgres') await sql`analyze`.execute(database.read);
      const clock = createFakeClock({ now: 0 });
      const list = createMonitorList({ database, clock });
      const total = async (filter: Partial<MonitorFilter>) =>
        (await list.page(1, { ...NO_FILTER, ...filter }, NEWEST)).total;
      return { database, all, clock, list, total };
    }

    test('deep pages, rare and frequent values cut the same order', async () => {
      const { all, list } = await bigTeam();
      const checks: [Partial<MonitorFilter>, Partial<Paging<MonitorSort>>][] = [
        [{}, { offset: 11_990 }],
        [{}, { offset: 12_001 }],
        [{}, { sort: 'url', direction: 'asc', offset: 5_995 }],
        [{}, { sort: 'status', offset: 1_195 }],
        [{}, { sort: 'check_interval', direction: 'asc', offset: 7_000 }],
        [{ type: 'ping' }, { sort: 'url' }],
        [{ type: 'ping' }, { sort: 'status', offset: 110 }],
        [{ type: 'cron' }, {}],
        [{ status: 'online' }, { offset: 10_000 }],
        [
          { status: 'offline', type: 'ping' },
          { sort: 'created_at', direction: 'asc' },
        ],
        [
          { status: 'online', type: 'http' },
          { sort: 'last_checked_at', offset: 3_000 },
        ],
        [
          { type: 'http', interval: 0.5 },
          { sort: 'url', offset: 2_000 },
        ],
        [{ tags: ['rare'] }, { sort: 'url', direction: 'asc', offset: 5 }],
        [
          { tags: ['rare', 'all'], status: 'offline' },
          { sort: 'status', offset: 5 },
        ],
        [{ tags: ['all'] }, { sort: 'last_checked_at', offset: 11_990 }],
        [{ groupIds: [GROUPS[0]!], tags: ['rare'] }, {}],
        [{ groupIds: [GROUPS[0]!, GROUPS[1]!] }, { sort: 'check_interval', offset: 40 }],
        [{ region: 'sin', type: 'ping' }, { offset: 50 }],
        [{ search: '/99' }, { sort: 'url', offset: 15 }],
        [{ q: '/99', type: 'ping' }, {}],
      ];
      for (const [filter, paging] of checks) {
        const asked = [
          { ...NO_FILTER, ...filter },
          { ...NEWEST, ...paging },
        ] as const;
        expect(await list.page(1, ...asked)).toMatchObject(inMemory(all, ...asked));
      }
    });

    test('filters by tag and group read what they match by an index', async () => {
      const { database } = await bigTeam();
      for (const [filter, index] of [
        [{ tags: ['rare'] }, 'monitor_tag_of_team'],
        [
          { tags: ['rare', 'all'], groupIds: GROUPS, type: 'http', status: 'online' },
          'monitor_tag_of_team',
        ],
        [{ groupIds: [GROUPS[0]!], type: 'http', interval: 0.5 }, 'monitor_by_group'],
      ] as [Partial<MonitorFilter>, string][]) {
        const whole = { ...NO_FILTER, ...filter };
        const path = { ...searchPath(whole), sort: null };
        const query = matchMonitors(database.read, 1, whole, path).select('monitor.id').compile();
        const explain = engine === 'sqlite' ? 'explain query plan' : 'explain';
        const text = `${explain} ${query.sql}`;
        const { rows } = await database.read.executeQuery({ ...query, sql: text });
        const plan = JSON.stringify(rows);
        expect(plan).toContain(index);
        expect(plan).not.toMatch(/SCAN|Seq Scan/);
      }
    });

    test('its totals follow each edit at once, wherever it was made', async () => {
      const { database, total } = await bigTeam();
      expect(await total({})).toBe(COUNT);
      expect(await total({ type: 'ping' })).toBe(120);
      const id = await database.transaction((tx) =>
        monitorChanges(tx).insert(1, { ...MONITOR_COLUMNS, type: 'ping' }, 1, null),
      );
      expect(await total({})).toBe(COUNT + 1);
      expect(await total({ type: 'ping' })).toBe(121);
      expect(await total({ status: 'pending' })).toBe(1);
      await database.transaction(async (tx) =>
        monitorChanges(tx).markDeleted(id, await nextVersion(tx, shardOf(id)), 1),
      );
      expect(await total({})).toBe(COUNT);
      expect(await total({ type: 'ping' })).toBe(120);
      expect(await total({ status: 'pending' })).toBe(0);
    });

    test('its totals by status are two seconds old at most, small ones never', async () => {
      const { database, clock, total } = await bigTeam();
      const online = 10_800;
      expect(await total({ status: 'online' })).toBe(online);
      expect(await total({ status: 'offline' })).toBe(1_200);
      await setStatus(database, FIRST_ID + 1, 'offline');
      expect(await total({ status: 'offline' })).toBe(1_201);
      expect(await total({ status: 'online' })).toBe(online);
      await clock.advance(2_000);
      expect(await total({ status: 'online' })).toBe(online - 1);
    });
  });
});

const PLAIN: Omit<Watched, 'id'> = {
  team_id: 1,
  type: 'http',
  url: 'http://target.example/',
  friendly_name: null,
  tags: [],
  group_id: null,
  monitored_regions: ['ash'],
  check_interval: 0.5,
  created_at: 1,
  deleted_at: null,
  status: 'online',
  last_checked_at: null,
};

/** Postgres counts on from 1 by itself. */
const FIRST_ID = 1_000_000;

/** Makes these the only monitors, as edits made them. */
async function replaceAll(
  database: Database,
  monitors: readonly Omit<Watched, 'id'>[],
): Promise<Watched[]> {
  const all = monitors.map((monitor, index) => ({ ...monitor, id: FIRST_ID + index }));
  await database.transaction(async (tx) => {
    await nextVersion(tx, 0);
    await tx.deleteFrom('monitor').execute();
    await tx.deleteFrom('monitor_group').execute();
    await storeGroups(tx);
    await tx.deleteFrom('monitor_state').execute();
    for (let from = 0; from < all.length; from += 500) {
      const part = all.slice(from, from + 500);
      await tx
        .insertInto('monitor')
        .values(
          part.map(({ status: _status, last_checked_at: _at, ...fields }) => ({
            ...MONITOR_COLUMNS,
            ...fields,
            tags: JSON.stringify(fields.tags),
            monitored_regions: JSON.stringify(fields.monitored_regions),
          })),
        )
        .execute();
      await tx
        .insertInto('monitor_state')
        .values(
          part.map(({ id, team_id, status, last_checked_at }) => ({
            ...STATE_COLUMNS,
            monitor_id: id,
            team_id,
            revision: 0,
            status,
            last_checked_at,
          })),
        )
        .execute();
    }
  });
  return all;
}

/** Groups of a team, as foreign keys want them. */
async function storeGroups(tx: Transaction<Schema>): Promise<void> {
  const team = {
    name: 'Team',
    slug: 'team',
    personal_team: 0,
    plan: null,
    created_at: 1,
    updated_at: 1,
  };
  await tx
    .insertInto('team')
    .values({ ...team, id: 1 })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  const group = { team_id: 1, sort_order: 0, created_at: 1, updated_at: 1 };
  await tx
    .insertInto('monitor_group')
    .values(GROUPS.map((id) => ({ ...group, id, name: `${id}` })))
    .execute();
}

async function setStatus(database: Database, id: number, status: string): Promise<void> {
  await updateRows(database, 'monitor_state', { status }, { monitor_id: id });
}

/** The ids at the beginning of the lines. */
const idsOf = (stamps: string) =>
  new Set(stamps === '' ? [] : stamps.split('\n').map((line) => Number.parseInt(line, 10)));

const has = (text: string | null, part: string) =>
  text !== null && text.toLowerCase().includes(part.toLowerCase());

function inMemory(all: Watched[], filter: MonitorFilter, paging: Paging<MonitorSort>) {
  const matching = all.filter(
    (one) =>
      one.team_id === 1 &&
      one.deleted_at === null &&
      (filter.status === null || one.status === filter.status) &&
      (filter.type === null || one.type === filter.type) &&
      (filter.interval === null || one.check_interval === filter.interval) &&
      (filter.tags ?? []).every((tag) => one.tags.includes(tag)) &&
      (filter.groupIds === null || filter.groupIds.includes(one.group_id ?? 0)) &&
      (filter.region === null || one.monitored_regions.includes(filter.region)) &&
      (filter.search === null || has(one.url, filter.search)) &&
      (filter.q === null ||
        [one.url, one.friendly_name, ...one.tags].some((text) => has(text, filter.q!))),
  );
  const sign = paging.direction === 'asc' ? 1 : -1;
  matching.sort((a, b) => {
    const [x, y] = [a[paging.sort], b[paging.sort]];
    if (x === null || y === null)
      return x === y ? sign * (a.id - b.id) : Number(x === null) - Number(y === null);
    const order = Buffer.compare(keyOf(x), keyOf(y));
    return sign * (order === 0 ? a.id - b.id : order);
  });
  const page = matching.slice(paging.offset, paging.offset + paging.limit);
  return { ids: page.map(({ id }) => id), total: matching.length };
}

/** Bytes that lie in the order of the value. */
function keyOf(value: string | number): Buffer {
  return Buffer.from(typeof value === 'string' ? value : String(value * 2).padStart(20, '0'));
}

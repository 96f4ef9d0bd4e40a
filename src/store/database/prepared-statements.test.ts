import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/databases.ts';
import { jsonTable } from './dialect.ts';
import { idsParameter, prepareQuery } from './prepared-statements.ts';
import { prepareInsert, prepareUpdate } from './rows.ts';

eachDatabase((_, open) => {
  test('parameters stand wherever they are named, on readers and in transactions', async () => {
    const database = await open();
    let built = 0;
    const query = prepareQuery<{ id: number }, 'ids' | 'least'>(
      ['ids', 'least'],
      ({ ids, least }, engine) => {
        built += 1;
        return sql`select id from ${jsonTable(engine, ids, { id: 'integer' })} as listed
          where id >= ${least} and id <> ${least} + 1 order by id`;
      },
    );
    const ids = idsParameter(new Set([3, 1, 2, 4]));
    expect(await query(database.read, { ids, least: 2 })).toEqual([{ id: 2 }, { id: 4 }]);
    expect(await database.transaction((tx) => query(tx, { ids, least: 3 }))).toEqual([{ id: 3 }]);
    expect(built).toBe(1);
  });

  test('a value that is no parameter is refused', async () => {
    const database = await open();
    const query = prepareQuery(['id'], ({ id }) => sql`select ${id} as id, ${7} as other`);
    await expect(query(database.read, { id: 1 })).rejects.toThrow('takes all its values');
  });
});

const TEXTS = [
  '',
  'null',
  'NULL',
  '{}',
  'a,b',
  '"',
  '\\',
  '\\"',
  "it's",
  ' ',
  '\n\t',
  'ö😀',
  '?1 $1',
];

const insertSettings = prepareInsert('setting', { name: 'text', value: 'text' });
const updateSettings = prepareUpdate('setting', { name: 'text', value: 'text' });
const insertHours = prepareInsert('rollup_hour', {
  monitor_id: 'integer',
  at: 'integer',
  data: 'blob',
});
const insertStates = prepareInsert('monitor_state', {
  monitor_id: 'integer',
  team_id: 'integer',
  revision: 'integer',
  status: 'text',
  is_paused: 'integer',
  tracks: 'text',
  newest: 'text',
  run_at: 'integer',
});
const updateStates = prepareUpdate('monitor_state', {
  monitor_id: 'integer',
  run_at: 'integer',
  status: 'text',
});

eachDatabase((_engine, open) => {
  test('texts of all kinds are stored as they are', async () => {
    const database = await open();
    const rows = TEXTS.map((text, index) => [`text ${index}`, text]);
    await database.transaction((tx) => insertSettings(tx, rows));
    const changed = rows.map(([name], index) => [name, `${TEXTS[index]}${TEXTS.at(index - 1)}`]);
    const read = () =>
      database.read.selectFrom('setting').select('value').where('name', 'like', 'text %').execute();
    expect((await read()).map(({ value }) => value).toSorted()).toEqual(TEXTS.toSorted());
    await database.transaction((tx) => updateSettings(tx, changed));
    expect((await read()).map(({ value }) => value).toSorted()).toEqual(
      changed.map(([, value]) => value).toSorted(),
    );
  });

  test('bytes are stored as they are', async () => {
    const database = await open();
    const data = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    await database.transaction((tx) =>
      insertHours(tx, [
        [1, 2, data],
        [1, 3, Buffer.alloc(0)],
      ]),
    );
    const rows = await database.read.selectFrom('rollup_hour').selectAll().orderBy('at').execute();
    expect(rows.map((row) => Buffer.from(row.data))).toEqual([data, Buffer.alloc(0)]);
  });

  test('an update changes its rows alone, and null is null', async () => {
    const database = await open();
    const states = [1, 2, 3].map((id) => [id, 1, 0, 'pending', 0, '{}', '{}', 5]);
    await database.transaction((tx) => insertStates(tx, states));
    await database.transaction((tx) =>
      updateStates(tx, [
        [3, null, 'online'],
        [1, 2 ** 53 - 1, 'offline'],
        [999, 1, 'online'],
      ]),
    );
    const rows = await database.read
      .selectFrom('monitor_state')
      .select(['monitor_id', 'run_at', 'status'])
      .orderBy('monitor_id')
      .execute();
    expect(rows).toEqual([
      { monitor_id: 1, run_at: 2 ** 53 - 1, status: 'offline' },
      { monitor_id: 2, run_at: 5, status: 'pending' },
      { monitor_id: 3, run_at: null, status: 'online' },
    ]);
  });

  test('a row that fails undoes those before it', async () => {
    const database = await open();
    const twice = [
      ['one', 'first'],
      ['one', 'second'],
    ];
    await expect(database.transaction((tx) => insertSettings(tx, twice))).rejects.toThrow();
    const rows = await database.read
      .selectFrom('setting')
      .selectAll()
      .where('name', '=', 'one')
      .execute();
    expect(rows).toEqual([]);
  });
});

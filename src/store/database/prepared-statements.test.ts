import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/databases.ts';
import { jsonTable } from './dialect.ts';
import { idsParameter, prepareQuery } from './prepared-statements.ts';

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

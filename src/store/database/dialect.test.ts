import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { eachDatabase } from '../../../test/support/databases.ts';
import { contains, elementContains, forUpdate, jsonTable } from './dialect.ts';
import { insertRows } from '../../../test/support/rows.ts';

eachDatabase((engine, open) => {
  describe('jsonTable', () => {
    it('gives rows from one parameter, with nulls, every type and odd text', async () => {
      const database = await open();
      const rows = [
        [1, 0.5, 'plain', 'ff00'],
        [Number.MAX_SAFE_INTEGER, 2, '"quoted" \\ \n ÄÖÜ 🔔 \'', ''],
        [-1, null, null, null],
      ];
      const table = jsonTable(engine, JSON.stringify(rows), {
        id: 'integer',
        ratio: 'real',
        text: 'text',
        data: 'blob',
      });
      const found = await database.read.selectFrom(table.as('v')).selectAll().execute();
      const seen = found.map(({ data, ...row }) => ({ ...row, data: data && [...data] }));
      expect(seen).toEqual([
        { id: 1, ratio: 0.5, text: 'plain', data: [255, 0] },
        { id: Number.MAX_SAFE_INTEGER, ratio: 2, text: rows[1]![2], data: [] },
        { id: -1, ratio: null, text: null, data: null },
      ]);
    });

    it('feeds an insert and an update of any number of rows', async () => {
      const database = await open();
      const count = 40_000; // More parameters than either engine takes.
      const json = JSON.stringify(Array.from({ length: count }, (_, n) => [`job-${n}`, n]));
      const table = jsonTable(engine, json, { name: 'text', position: 'integer' });
      await database.transaction(async (tx) => {
        await tx
          .insertInto('progress')
          .columns(['name', 'position'])
          .expression(tx.selectFrom(table.as('v')).select(['v.name', 'v.position']))
          .execute();
        await tx
          .updateTable('progress')
          .from(table.as('v'))
          .set((eb) => ({ position: eb('v.position', '+', 1) }))
          .whereRef('progress.name', '=', 'v.name')
          .where('v.position', '<', 10)
          .execute();
      });
      const { sum } = await database.read
        .selectFrom('progress')
        .select((eb) => eb.fn.sum<number>('position').as('sum'))
        .executeTakeFirstOrThrow();
      expect(sum).toBe((count * (count - 1)) / 2 + 10);
    });
  });

  describe('contains', () => {
    it.each([
      ['https://Example.org/A', 'example.ORG', true],
      ['https://example.org/a', 'example.com', false],
      ['100%', '0%', true],
      ['1000', '0%', false],
      ['a_b', 'A_B', true],
      ['axb', 'a_b', false],
      [String.raw`back\slash`, String.raw`K\S`, true],
      ['ÄÖÜ straße', 'äöü', true],
      ['πρόβλημα', 'ΠΡΌΒ', true],
      [null, 'a', false],
    ])('%s / %s: %s', async (value, text, expected) => {
      const database = await open();
      await insertRows(database, 'incident', { ...INCIDENT, root_cause: value });
      const found = await database.scan
        .selectFrom('incident')
        .select('id')
        .where((eb) => contains(engine, eb.ref('root_cause'), text))
        .execute();
      expect(found.length === 1).toBe(expected);
    });

    it('looks into each element of an array', async () => {
      const database = await open();
      const tags = JSON.stringify(['Prod', 'Ärger "1"']);
      const tagged = (text: string) =>
        database.read
          .selectNoFrom((eb) => eb.val(1).as('one'))
          .where(elementContains(engine, sql`${tags}`, text))
          .execute();
      expect(await tagged('ärger "')).toHaveLength(1);
      expect(await tagged('prod","')).toHaveLength(0);
    });
  });

  it('keeps rows from other transactions, and skips those that are kept', async () => {
    const database = await open();
    const firstFree = (tx: Parameters<Parameters<typeof database.transaction>[0]>[0]) =>
      tx
        .selectFrom('shard')
        .select('shard')
        .orderBy('shard')
        .limit(1)
        .$call(forUpdate(engine, 'skipLocked'))
        .executeTakeFirstOrThrow();
    const [holding, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holder = database.transaction(async (tx) => {
      await firstFree(tx);
      holding.resolve();
      await release.promise;
    });
    await holding.promise;
    const other = database.transaction(firstFree);
    if (engine === 'postgres') await other;
    release.resolve();
    await holder;
    expect((await other).shard).toBe(engine === 'postgres' ? 1 : 0);
  });
});

const INCIDENT = {
  team_id: 1,
  monitor_id: 1,
  type: 'manual',
  severity: 'major',
  is_regional: 0,
  started_at: 1,
  ended_at: null,
  created_at: 1,
  updated_at: 1,
};

import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { eachDatabase, onPostgres } from '../../../test/support/databases.ts';
import { insertRows } from '../../../test/support/rows.ts';
import {
  BATCH_ROWS,
  countRows,
  deleteRows,
  deleteSome,
  findRows,
  hasRow,
  insertOnce,
  insertRows as insertMany,
  putRows,
  updateRows,
} from './rows.ts';

const ROWS = 4 * BATCH_ROWS;

onPostgres((open) => {
  test('a batch is found once, not for each row, where Postgres believes that the table is empty', async () => {
    const database = await open();
    const activity = { team_id: 1, incident_id: 1, type: 'note', description: '', created_at: 1 };
    // The statistics of an emptied table: it has pages and no rows.
    await insertRows(database, 'activity', [activity]);
    await database.transaction((tx) => tx.deleteFrom('activity').execute());
    await sql`analyze activity`.execute(database.read);
    await insertRows(
      database,
      'activity',
      Array.from({ length: ROWS }, (_, index) => ({ ...activity, incident_id: index })),
    );
    const rowsRead = await database.transaction(async (tx) => {
      const all = tx.selectFrom('activity as one').select('one.incident_id');
      await deleteSome(tx, 'activity', { incident_id: ['in', all] });
      const { rows } = await sql<{ count: number }>`
        select seq_tup_read + coalesce(idx_tup_fetch, 0) as count
        from pg_stat_xact_user_tables where relname = 'activity'`.execute(tx);
      return rows[0]!.count;
    });
    // 200 times as many if the batch is found for each row.
    expect(rowsRead).toBeLessThan(BATCH_ROWS * ROWS);
  });
});

eachDatabase((_, open) => {
  test('rows are changed and deleted by their conditions, and never without one', async () => {
    const database = await open();
    const activity = { team_id: 1, type: 'note', description: '', created_at: 1 };
    await insertRows(database, 'activity', [
      ...[1, 2, 3].map((id) => ({ ...activity, incident_id: id, person_id: 7 })),
      { ...activity, incident_id: 4, person_id: null },
    ]);
    const left = await database.transaction(async (tx) => {
      expect(await deleteRows(tx, 'activity', { incident_id: ['<', 2] })).toBe(1);
      expect(
        await updateRows(tx, 'activity', { person_id: null }, { description: 'by the system' }),
      ).toBe(1);
      await expect(deleteRows(tx, 'activity', {})).rejects.toThrow('needs a condition');
      await expect(updateRows(tx, 'activity', {}, { type: 'x' })).rejects.toThrow(
        'needs a condition',
      );
      return findRows(
        tx,
        'activity',
        { team_id: 1, incident_id: ['in', [2, 3]] },
        ['incident_id'],
        ['incident_id desc'],
      );
    });
    expect(left).toEqual([{ incident_id: 3 }, { incident_id: 2 }]);
    const rows = await findRows(database.read, 'activity', { description: 'by the system' });
    expect(rows).toHaveLength(1);
  });

  test('a row whose key is there is left out or changed, and one that was renewed is not deleted', async () => {
    const database = await open();
    const budget = { key: 'a', used: 1, ends_at: 5 };
    await database.transaction(async (tx) => {
      await insertMany(tx, 'budget', [budget]);
      await insertMany(
        tx,
        'budget',
        [
          { ...budget, used: 2 },
          { ...budget, key: 'b' },
        ],
        'skip',
      );
      await putRows(tx, 'budget', ['key'], [{ key: 'a', used: 9, ends_at: 9 }], ['used']);
      await putRows(tx, 'budget', ['key'], []);
      expect(await countRows(tx, 'budget', { used: 1 })).toBe(2);
      expect(await countRows(tx.selectFrom('budget').where('ends_at', '=', 9))).toBe(1);
      expect(await deleteSome(tx, 'budget', { ends_at: ['<', 9] }, [], 'key')).toBe(false);
      expect(await findRows(tx, 'budget', {})).toEqual([{ key: 'a', used: 1, ends_at: 9 }]);
      expect(await hasRow(tx, 'budget', { key: 'b' })).toBe(false);
    });
    const person = { name: 'Al', email: 'al@example.com', timezone: 'UTC' };
    const add = () =>
      database.transaction((tx) =>
        insertOnce(tx, 'person', { ...person, created_at: 0, updated_at: 0 }),
      );
    expect([await add(), await add()]).toEqual([expect.any(Number), null]);
  });
});

import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { eachDatabase, onPostgres } from '../../../test/support/databases.ts';
import { insertRows } from '../../../test/support/rows.ts';
import { BATCH_ROWS, deleteRows, deleteSome, findRows, updateRows } from './rows.ts';

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
});

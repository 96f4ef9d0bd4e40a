import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { onPostgres } from '../../../test/support/databases.ts';
import { insertRows } from '../../../test/support/rows.ts';
import { BATCH_ROWS, deleteSome } from './rows.ts';

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
      await deleteSome(tx, 'activity', (rows) =>
        rows.where('incident_id', 'in', (eb) =>
          eb.selectFrom('activity as one').select('one.incident_id'),
        ),
      );
      const { rows } = await sql<{ count: number }>`
        select seq_tup_read + coalesce(idx_tup_fetch, 0) as count
        from pg_stat_xact_user_tables where relname = 'activity'`.execute(tx);
      return rows[0]!.count;
    });
    // 200 times as many if the batch is found for each row.
    expect(rowsRead).toBeLessThan(BATCH_ROWS * ROWS);
  });
});

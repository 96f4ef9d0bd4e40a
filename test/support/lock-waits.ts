import { sql } from 'kysely';
import type { Database } from '../../src/store/database/contract.ts';

/** Resolves when a transaction waits for another one (Postgres). */
export async function untilLockWait({ read }: Pick<Database, 'read'>): Promise<void> {
  for (;;) {
    const { rows } = await sql`select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(read);
    if (rows.length > 0) return;
  }
}

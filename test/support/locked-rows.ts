import { sql, type RawBuilder } from 'kysely';
import { openDatabase, type OpenDatabase } from '../../src/store/database/database.ts';
import { freshPostgres } from './databases.ts';
import { openPatiently } from './patient-postgres.ts';

/** A Postgres database with short timeouts, so that lock waits and slow statements fail at once. */
export interface ImpatientDatabase {
  database: OpenDatabase;
  /** Locks the state of a monitor in another session until it is released. */
  hold(monitorId: number): Promise<() => Promise<void>>;
  /** Locks the rows that match a condition in another session. @returns a function that releases them. */
  holdRows(table: string, condition: RawBuilder<unknown>): Promise<() => Promise<void>>;
  /** Makes each write of these monitors' states, all by default, take that many seconds. */
  slowDown(seconds: number, monitorId?: number): Promise<void>;
  speedUp(): Promise<void>;
  close(): Promise<void>;
}

export async function openImpatient(): Promise<ImpatientDatabase> {
  const { place, remove } = await freshPostgres();
  const timeouts = { statement: 400, lock: 200 };
  const database = await openDatabase({ engine: 'postgres', url: place, poolSize: 6, timeouts });
  const other = await openPatiently(place);
  const speedUp = () =>
    other.transaction(async (tx) => {
      await sql`drop trigger if exists slow on monitor_state`.execute(tx);
    });
  const holdRows: ImpatientDatabase['holdRows'] = async (table, condition) => {
    const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holding = other.transaction(async (tx) => {
      await sql`select 1 from ${sql.table(table)} where ${condition} for update`.execute(tx);
      held.resolve();
      await released.promise;
    });
    await held.promise;
    return async () => {
      released.resolve();
      await holding;
    };
  };
  return {
    database,
    hold: (monitorId) => holdRows('monitor_state', sql`monitor_id = ${monitorId}`),
    holdRows,
    async slowDown(seconds, monitorId) {
      await speedUp();
      const condition = monitorId === undefined ? '' : `when (new.monitor_id = ${monitorId})`;
      await other.transaction(async (tx) => {
        await sql
          .raw(`create or replace function slow() returns trigger language plpgsql as
            $$ begin perform pg_sleep(${seconds}); return new; end $$`)
          .execute(tx);
        await sql
          .raw(`create trigger slow before update on monitor_state for each row ${condition}
            execute function slow()`)
          .execute(tx);
      });
    },
    speedUp,
    async close() {
      await database.close();
      await other.close();
      await remove();
    },
  };
}

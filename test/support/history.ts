import type { Database } from '../../src/store/database/contract.ts';
import { ensureDays, insertRounds } from '../../src/store/engine/results.ts';
import type { RecordedRound } from '../../src/store/engine/round-codec.ts';
import { MONITOR_COLUMNS, STATE_COLUMNS } from './monitor-rows.ts';

const AT_ONCE = 500;

/** Adds monitors and returns their ids. */
export async function addMonitors(database: Database, count: number): Promise<number[]> {
  return await database.transaction(async (tx) => {
    const ids: number[] = [];
    // SQLite allows 32,766 parameters per statement.
    for (let left = count; left > 0; left -= AT_ONCE) {
      const rows = await tx
        .insertInto('monitor')
        .values(Array.from({ length: Math.min(left, AT_ONCE) }, () => MONITOR_COLUMNS))
        .returning('id')
        .execute();
      ids.push(...rows.map(({ id }) => id));
      const states = rows.map(({ id }) => ({ monitor_id: id, revision: 0, ...STATE_COLUMNS }));
      await tx.insertInto('monitor_state').values(states).execute();
    }
    return ids;
  });
}

/** Stores rounds as the recorder does. */
export async function storeRounds(database: Database, rounds: RecordedRound[]): Promise<void> {
  await ensureDays(
    database,
    rounds.map(({ round }) => round.startedAt),
  );
  await database.transaction((tx) => insertRounds(tx, database, rounds));
}

import { sql } from 'kysely';
import type { Database } from '../src/store/database/contract.ts';
import {
  DAY_MS,
  dayOf,
  roundTable,
  ensureDays,
  insertRounds,
} from '../src/store/engine/results.ts';
import { sampleRound } from './preload-history.ts';

const INTERVAL_MS = 30_000;

/** Stores rounds every 30 seconds of monitors 1 to `monitors`, up to now, all equal. */
export async function preloadRounds(database: Database, days: number, monitors: number) {
  const now = Date.now();
  const start = now - days * DAY_MS;
  // The first round registers the regions, which get their ids before the next one.
  for (const startedAt of [start, start + 1]) {
    await ensureDays(database, [startedAt]);
    const round = sampleRound(startedAt);
    await database.transaction((tx) =>
      insertRounds(tx, database, [{ round, kind: 'voted', class: 'up' }]),
    );
  }
  const source = roundTable(dayOf(start));
  for (let day = Math.floor(start / DAY_MS) * DAY_MS; day <= now; day += DAY_MS) {
    await ensureDays(database, [day]);
    const lower = Math.max(0, start - day);
    const upper = Math.min(DAY_MS, now - day);
    const rounds = Math.floor((upper - lower) / INTERVAL_MS);
    await database.transaction((tx) =>
      sql`insert into ${roundTable(dayOf(day))} (monitor_id, at, data)
        with recursive
          round (n) as (select cast(1 as bigint) union all select n + 1 from round where n < ${sql.lit(rounds)}),
          monitor (id) as (select 1 union all select id + 1 from monitor where id < ${sql.lit(monitors)})
        select monitor.id, ${sql.lit(lower)} + round.n * ${sql.lit(INTERVAL_MS)} - 1,
          (select data from ${source} order by monitor_id, at desc limit 1)
        from monitor, round where ${sql.lit(rounds)} > 0
        on conflict do nothing`.execute(tx),
    );
  }
}

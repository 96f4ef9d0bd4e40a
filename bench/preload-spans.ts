import { sql } from 'kysely';
import { inDatabase, type Place } from './preload.ts';

const DAY_MS = 86_400_000;
const QUARTER_MS = 15 * 60_000;
/** Days from one outage of a monitor to the next. */
const EVERY_DAYS = 7;

/** Makes all monitors that many days old. Each was online, with an outage of a quarter of an hour a week, and still is. */
export async function preloadSpans(place: Place, days: number): Promise<void> {
  const now = Date.now();
  const from = sql.lit(now - days * DAY_MS);
  const [day, quarter] = [sql.lit(DAY_MS), sql.lit(QUARTER_MS)];
  await inDatabase(place, (database) =>
    database.transaction(async (tx) => {
      await sql`update monitor set created_at = ${from}`.execute(tx);
      await sql`update monitor_state set status = 'online', observed_until = ${sql.lit(now)}`.execute(
        tx,
      );
      await sql`
        insert into status_span (team_id, monitor_id, status, from_at, to_at)
        with recursive
          outage (n) as (select cast(0 as bigint) union all
            select n + ${sql.lit(EVERY_DAYS)} from outage where n < ${sql.lit(days - EVERY_DAYS - 1)}),
          begun as (select id, team_id, ${from} + n * ${day} + (id * 7919) % ${day} as at from monitor cross join outage)
        select team_id, id, 'online', ${from}, min(at) from begun group by id, team_id
        union all select team_id, id, 'offline', at, at + ${quarter} from begun
        union all select team_id, id, 'online', at + ${quarter}, lead(at) over (partition by id order by at)
          from begun`.execute(tx);
    }),
  );
}

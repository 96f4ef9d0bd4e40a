import { type RawBuilder, sql } from 'kysely';
import type { Database, Tx } from '../src/store/database/contract.ts';
import { inDatabase, type Place } from './preload.ts';

const DAY_MS = 86_400_000;
const QUARTER_MS = 15 * 60_000;

/** Makes all monitors that many days old. Each was online, with an outage of a quarter of an hour a week, and still is. */
export async function preloadSpans(place: Place, days: number): Promise<void> {
  const now = Date.now();
  const from = now - days * DAY_MS;
  await inDatabase(place, (database) =>
    database.transaction(async (tx) => {
      await sql`update monitor set created_at = ${sql.lit(from)}`.execute(tx);
      await sql`update monitor_state set status = 'online', observed_until = ${sql.lit(now)}`.execute(
        tx,
      );
      await insertOutages(tx, { from, days, everyDays: sql`7` });
    }),
  );
}

/** One monitor in ten fails every day, the others every second week. */
export const FLAKY_DAYS = sql`(case when id % 10 = 0 then 1 else 14 end)`;

/**
 * Stores the spans of all monitors since `from`: online, with outages of a quarter of an hour, and online at the end.
 *
 * @param everyDays days from one outage of a monitor to the next, by its `id`.
 */
export async function insertOutages(
  tx: Tx,
  { from, days, everyDays }: { from: number; days: number; everyDays: RawBuilder<unknown> },
): Promise<void> {
  const [start, day, quarter] = [sql.lit(from), sql.lit(DAY_MS), sql.lit(QUARTER_MS)];
  await sql`
    insert into status_span (team_id, monitor_id, status, from_at, to_at)
    with recursive
      outage (n) as (select cast(0 as bigint) union all
        select n + 1 from outage where n < ${sql.lit(days - 2)}),
      begun as (select id, team_id, ${start} + n * ${day} + (id * 7919) % ${day} as at
        from monitor cross join outage where n % ${everyDays} = 0)
    select team_id, id, 'online', ${start}, min(at) from begun group by id, team_id
    union all select team_id, id, 'offline', at, at + ${quarter} from begun
    union all select team_id, id, 'online', at + ${quarter}, lead(at) over (partition by id order by at)
      from begun`.execute(tx);
}

/** @returns the number of spans that are stored. */
export async function countSpans(database: Database): Promise<number> {
  const { spans } = await database.read
    .selectFrom('status_span')
    .select((eb) => eb.fn.countAll<number>().as('spans'))
    .executeTakeFirstOrThrow();
  return Number(spans);
}

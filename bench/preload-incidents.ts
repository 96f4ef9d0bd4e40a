import { sql } from 'kysely';
import type { Database } from '../src/store/database/contract.ts';

const YEAR_MS = 365 * 86_400_000;
/** Below the time limit of one statement on Postgres. */
const AT_ONCE = 20_000;

/** Number of open incidents. */
export const OPEN_INCIDENTS = 500;

/**
 * Fills team 1 with incidents of its monitors 1 to `monitors`, evenly distributed over the last year. The newest ones
 * are open; the oldest 200 are the only ones of type `domain`, which makes their filter the worst case for a list that
 * is read from its newest end.
 */
export async function preloadIncidents(database: Database, count: number, monitors: number) {
  const now = Date.now();
  for (let from = 1; from <= count; from += AT_ONCE) {
    const to = Math.min(count, from + AT_ONCE - 1);
    await database.transaction((tx) =>
      sql`insert into incident (team_id, monitor_id, type, severity, root_cause, failure_code, is_regional, region,
          started_at, ended_at, created_at, updated_at)
        with recursive
          number (n) as (select cast(${sql.lit(from)} as bigint) union all select n + 1 from number where n < ${sql.lit(to)}),
          part as (
            select n, ${sql.lit(now - YEAR_MS)} + n * ${sql.lit(Math.floor(YEAR_MS / count))} as started_at,
              case when n > ${sql.lit(count - OPEN_INCIDENTS)} then 'uptime' when n <= 200 then 'domain'
                when n % 1000 = 0 then 'manual' when n % 20 < 13 then 'uptime' when n % 20 < 16 then 'regional'
                when n % 20 < 18 then 'slow_response' else 'ssl' end as type
            from number)
        select 1, 1 + n * 7919 % ${sql.lit(monitors)}, type,
          case type when 'uptime' then 'critical' when 'manual' then 'info' else 'warning' end,
          'HTTP 503 Service Unavailable', 'http_status', 0, null, started_at,
          case when n > ${sql.lit(count - OPEN_INCIDENTS)} then null
            else started_at + 1000 + n * 7919 % 7200 * 1000 end, started_at, started_at
        from part`.execute(tx),
    );
  }
}

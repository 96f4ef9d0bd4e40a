import { sql } from 'kysely';
import { SHARD_COUNT } from '../src/model/monitor.ts';
import type { Database } from '../src/store/database/contract.ts';
import { numbers, REGIONS } from './preload.ts';

/**
 * Fills team 1 with that many monitors of all types, as varied as those of real teams: urls, names, tags, intervals,
 * statuses and times of their last round. Works on both engines. They are paused, so that a service only has to answer
 * requests.
 */
export async function preloadTeam(database: Database, count: number): Promise<void> {
  const now = Date.now();
  const newest = Object.fromEntries(
    REGIONS.map((region, index) => [
      region,
      { checkedAt: now, responseTimeMs: 20 + index * 31, statusCode: 200, failure: null },
    ]),
  );
  const isPush = sql`n % 10 = 9`;
  await database.transaction(async (tx) => {
    await sql`insert into monitor (id, team_id, shard, type, url, host, friendly_name, check_interval, check_types,
        monitored_regions, tags, heartbeat_interval, is_paused, http_method, follow_redirects, request_timeout,
        verify_ssl, ssl_expiry_threshold, domain_expiry_threshold, error_text_detection, failure_threshold,
        recovery_threshold, version, revision, created_at, updated_at)
      ${numbers(count)} select n, 1, n % ${sql.lit(SHARD_COUNT)},
        case when n % 10 < 7 then 'http' when n % 10 = 7 then 'ping' when n % 10 = 8 then 'port' else 'heartbeat' end,
        case when ${isPush} then '' else
          'https://' || substr('apicdnwwwappwebdocimgsso', 1 + 3 * (n % 8), 3) || '-' || (n * 7919 % 100003) ||
          '.customer-' || (n * 31 % 977) || '.example.com/health/' || n end,
        '',
        'Customer ' || (n * 31 % 977) || ' service ' || n,
        case when ${isPush} then null else 0.5 + (n * 13 % 20) / 2.0 end, '[]', ${JSON.stringify(REGIONS)},
        case when n % 2 = 0 then '["production","team-' || (n % 50) || '"]' else '[]' end,
        case when ${isPush} then 300 end, 1, 'GET', 1, 30, 1, 14, 30, 0, 2, 1, 0, 0,
        ${sql.lit(now)} - (${sql.lit(count)} - n) / 3 * 1000, ${sql.lit(now)}
      from number`.execute(tx);
    await sql`insert into monitor_state (monitor_id, team_id, revision, status, last_slot, last_checked_at, observed_until,
        is_paused, evaluated_revision, tracks, newest)
      ${numbers(count)} select n, 1, 0,
        case when n * 17 % 100 < 92 then 'online' when n * 17 % 100 < 95 then 'offline'
          when n * 17 % 100 < 97 then 'degraded' else 'pending' end,
        case when n * 17 % 100 < 97 then ${sql.lit(now)} - n * 7919 % 60000 end,
        case when n * 17 % 100 < 97 then ${sql.lit(now)} - n * 7919 % 60000 end,
        ${sql.lit(now)}, 1, 0, '{}', ${JSON.stringify(newest)} from number`.execute(tx);
  });
}

/**
 * Makes the newest 500 monitors and one in ten of the others run, as far as they are http monitors that are online: they
 * check that port of this machine from one region, so that their states change all the time.
 */
export async function resumeSome(database: Database, count: number, port: number): Promise<void> {
  const newest = count - 500;
  await database.transaction(async (tx) => {
    await sql`update monitor set is_paused = 0, monitored_regions = ${JSON.stringify(REGIONS.slice(0, 1))},
        url = ${`http://127.0.0.1:${port}/`} || substr(url, 9)
      where type = 'http' and (id % 10 = 0 or id > ${sql.lit(newest)})
        and exists (select 1 from monitor_state where monitor_id = monitor.id and status = 'online')`.execute(
      tx,
    );
    await sql`update monitor_state set is_paused = 0
      where monitor_id in (select id from monitor where is_paused = 0)`.execute(tx);
  });
}

import { sql } from 'kysely';
import { SHARD_COUNT } from '../src/model/monitor.ts';
import { openDatabase } from '../src/store/database/database.ts';
import type { OpenDatabase } from '../src/store/database/database.ts';

export const REGIONS = ['ash', 'pdx', 'nbg', 'sin'];

/**
 * Fills a new database with http monitors of a local port, as if each had been created by the API. They check every 30
 * s from four regions.
 */
export async function preloadMonitors(
  dataDir: string,
  count: number,
  url: string,
  fields: { interval?: number; regions?: string[] } = {},
): Promise<void> {
  const database = await openDatabase({ engine: 'sqlite', directory: dataDir });
  try {
    await insertMonitors(database, count, url, fields.interval ?? 0.5, fields.regions ?? REGIONS);
  } finally {
    await database.close();
  }
}

/**
 * The same with realistic targets: each has its own name, 2 of 100 respond with 503, and 1 of 100 accepts the
 * connection and never responds.
 */
export async function preloadMixedMonitors(
  dataDir: string,
  count: number,
  port: number,
): Promise<void> {
  const database = await openDatabase({ engine: 'sqlite', directory: dataDir });
  try {
    await insertMonitors(database, count, '', 0.5, REGIONS);
    await database.transaction((tx) =>
      sql`update monitor set url = 'http://target-' || id || '.bench.test:' || ${String(port)} ||
        case when id % 100 = 0 then '/after/3600000' when id % 50 = 1 then '/status/503' else '/' end`.execute(
        tx,
      ),
    );
  } finally {
    await database.close();
  }
}

async function insertMonitors(
  database: OpenDatabase,
  count: number,
  url: string,
  interval: number,
  regions: string[],
): Promise<void> {
  const now = Date.now();
  const numbers = sql`with recursive number (n) as (select 1 union all select n + 1 from number where n < ${count})`;
  await database.transaction(async (tx) => {
    await sql`insert into monitor (id, team_id, shard, type, url, friendly_name, check_interval, check_types,
        monitored_regions, tags, is_paused, http_method, follow_redirects, request_timeout, verify_ssl,
        ssl_expiry_threshold, domain_expiry_threshold, error_text_detection, failure_threshold,
        recovery_threshold, version, revision, created_at, updated_at)
      ${numbers} select n, 1, n % ${SHARD_COUNT}, 'http', ${url}, 'Monitor ' || n, ${interval}, '[]',
        ${JSON.stringify(regions)}, '[]', 0, 'GET', 1, 30, 1, 14, 30, 0, 2, 1, 0, 0, ${now}, ${now}
      from number`.execute(tx);
    await sql`insert into monitor_state (monitor_id, team_id, revision, status, is_paused, tracks, newest)
      ${numbers} select n, 1, 0, 'pending', 0, '{}', '{}' from number`.execute(tx);
  });
}

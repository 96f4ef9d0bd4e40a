import { sql } from 'kysely';
import { hashToken } from '../src/identity/token.ts';
import { SHARD_COUNT } from '../src/model/monitor.ts';
import { jsonTable } from '../src/store/database/dialect.ts';
import { inDatabase } from './preload.ts';

const INTERVAL_SECONDS = 300;

/** Secret part of the ping URL of the job with that number, from 1. */
export function pingTokenOf(job: number): string {
  return `benchJob${String(job).padStart(22, '0')}`;
}

/**
 * Adds `count` push monitors to a database, as if each had just been created by the API. Their ids follow `lastId`, that
 * of the last monitor that exists.
 */
export async function preloadJobs(dataDir: string, count: number, lastId = 0): Promise<void> {
  const now = Date.now();
  const expectedAt = now + INTERVAL_SECONDS * 1000;
  const hashes = Array.from({ length: count }, (_, n) => [
    lastId + n + 1,
    hashToken(pingTokenOf(n + 1)),
  ]);
  const jobs = jsonTable('sqlite', JSON.stringify(hashes), { n: 'integer', hash: 'text' });
  await inDatabase(dataDir, (database) =>
    database.transaction(async (tx) => {
      await sql`insert into monitor (id, team_id, shard, type, url, host, friendly_name, check_types, monitored_regions,
          tags, heartbeat_interval, heartbeat_timezone, heartbeat_grace, heartbeat_wait_for_first_ping,
          ping_token_hash, is_paused, http_method, follow_redirects, request_timeout, verify_ssl,
          ssl_expiry_threshold, domain_expiry_threshold, error_text_detection, failure_threshold,
          recovery_threshold, version, revision, created_at, updated_at)
        select n, 1, n % ${SHARD_COUNT}, 'heartbeat', '', '', 'Job ' || n, '[]', '[]', '[]', ${INTERVAL_SECONDS},
          'UTC', 60, 0, hash, 0, 'GET', 1, 30, 1, 14, 30, 0, 1, 1, 0, 0, ${now}, ${now}
        from ${jobs} as job`.execute(tx);
      await sql`insert into monitor_state (monitor_id, team_id, revision, status, heartbeat_expected_at, armed_at,
          due_at, is_paused, tracks, newest)
        select n, 1, 0, 'pending', ${expectedAt}, ${now}, ${expectedAt}, 0, '{}', '{}'
        from ${jobs} as job`.execute(tx);
    }),
  );
}

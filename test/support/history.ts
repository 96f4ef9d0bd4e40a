import type { MonitorStateTable, MonitorTable } from '../../src/store/schema.ts';
import type { Database } from '../../src/store/contract.ts';
import { ensureDays, insertRounds, type RecordedRound } from '../../src/store/results.ts';

/** A monitor of team 1 as the history needs it: there. */
const COLUMNS = {
  type: 'http',
  url: 'http://example.test/',
  friendly_name: null,
  check_interval: 0.5,
  check_types: '[]',
  monitored_regions: '[]',
  tags: '[]',
  port: null,
  group_id: null,
  http_method: 'GET',
  accepted_status_codes: null,
  follow_redirects: 1,
  request_timeout: 30,
  request_headers: null,
  request_body: null,
  verify_ssl: 1,
  ssl_expiry_threshold: 14,
  domain_expiry_threshold: 30,
  slow_response_threshold: null,
  error_text_detection: 0,
  failure_threshold: 2,
  recovery_threshold: 1,
  team_id: 1,
  shard: 0,
  is_paused: 0,
  version: 1,
  revision: 1,
  deleted_at: null,
  created_at: 0,
  updated_at: 0,
} satisfies Omit<MonitorTable, 'id'>;

const STATE = {
  team_id: 1,
  revision: 1,
  status: 'pending',
  last_slot: null,
  last_checked_at: null,
  run_at: null,
  observed_until: null,
  is_paused: 0,
  judged_revision: null,
  tracks: '{}',
  newest: '{}',
} satisfies Omit<MonitorStateTable, 'monitor_id'>;

/** Adds monitors and answers their ids. */
export async function addMonitors(database: Database, count: number): Promise<number[]> {
  return await database.transaction(async (tx) => {
    const rows = await tx
      .insertInto('monitor')
      .values(Array.from({ length: count }, () => COLUMNS))
      .returning('id')
      .execute();
    const ids = rows.map(({ id }) => id);
    const states = ids.map((monitor_id) => ({ monitor_id, ...STATE }));
    await tx.insertInto('monitor_state').values(states).execute();
    return ids;
  });
}

/** Stores rounds as the judge does. */
export async function storeRounds(database: Database, rounds: RecordedRound[]): Promise<void> {
  await ensureDays(
    database,
    rounds.map(({ round }) => round.startedAt),
  );
  await database.transaction((tx) => insertRounds(tx, database, rounds));
}

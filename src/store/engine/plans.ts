import { PULL_TYPES } from '../../model/monitor.ts';
import type { Database } from '../database/contract.ts';

/** Everything the scheduler needs to know of a monitor, as it is stored. */
export interface PlanRow {
  id: number;
  team_id: number;
  shard: number;
  version: number;
  revision: number;
  type: string;
  url: string;
  port: number | null;
  check_interval: number | null;
  monitored_regions: string;
  http_method: string;
  accepted_status_codes: string | null;
  follow_redirects: number;
  request_timeout: number;
  request_headers: string | null;
  request_body: string | null;
  auth_type: string | null;
  auth_username: string | null;
  auth_password: string | null;
  verify_ssl: number;
  slow_response_threshold: number | null;
  error_text_detection: number;
  /** JSON array, and JSON as sent. */
  check_types: string;
  keyword_settings: string | null;
  json_assertion_settings: string | null;
  check_both_families: number;
  failure_threshold: number;
  recovery_threshold: number;
  is_paused: number;
  deleted_at: number | null;
  run_at: number | null;
  last_slot: number | null;
  last_checked_at: number | null;
}

const COLUMNS = [
  'monitor.id',
  'monitor.team_id',
  'monitor.shard',
  'monitor.version',
  'monitor.revision',
  'monitor.type',
  'monitor.url',
  'monitor.port',
  'monitor.check_interval',
  'monitor.monitored_regions',
  'monitor.http_method',
  'monitor.accepted_status_codes',
  'monitor.follow_redirects',
  'monitor.request_timeout',
  'monitor.request_headers',
  'monitor.request_body',
  'monitor.auth_type',
  'monitor.auth_username',
  'monitor.auth_password',
  'monitor.verify_ssl',
  'monitor.slow_response_threshold',
  'monitor.error_text_detection',
  'monitor.check_types',
  'monitor.keyword_settings',
  'monitor.json_assertion_settings',
  'monitor.check_both_families',
  'monitor.failure_threshold',
  'monitor.recovery_threshold',
  'monitor.is_paused',
  'monitor.deleted_at',
  'monitor_state.run_at',
  'monitor_state.last_slot',
  'monitor_state.last_checked_at',
] as const;

/** Whether that monitor is one that is checked at all now. */
export function isChecked(row: PlanRow): boolean {
  const isPull = (PULL_TYPES as readonly string[]).includes(row.type);
  return isPull && row.is_paused === 0 && row.deleted_at === null && row.check_interval !== null;
}

/** A page of the monitors of one shard that are checked, by id; `afterId` is the last id of the page before, or 0. */
export function plansOfShard(
  database: Database,
  shard: number,
  afterId: number,
  limit: number,
): Promise<PlanRow[]> {
  return plans(database.scan)
    .where('monitor.shard', '=', shard)
    .where('monitor.id', '>', afterId)
    .where('monitor.type', 'in', [...PULL_TYPES])
    .where('monitor.is_paused', '=', 0)
    .where('monitor.deleted_at', 'is', null)
    .orderBy('monitor.id')
    .limit(limit)
    .execute();
}

/**
 * The monitors that were edited since the given version of their shard (version by shard), those that are paused or
 * deleted now too, in one query.
 */
export function editedPlans(
  database: Database,
  since: ReadonlyMap<number, number>,
): Promise<PlanRow[]> {
  return plans(database.read)
    .where((eb) =>
      eb.or(
        [...since].map(([shard, version]) =>
          eb('monitor.shard', '=', shard).and('monitor.version', '>', version),
        ),
      ),
    )
    .execute();
}

function plans(db: Database['read']) {
  return db
    .selectFrom('monitor')
    .innerJoin('monitor_state', 'monitor_state.monitor_id', 'monitor.id')
    .select(COLUMNS);
}

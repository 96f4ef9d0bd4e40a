import type { MonitorDetail } from '../../client/types.gen.ts';

/** When the next ping of a job is expected; null while nothing is expected of it. */
export function expectedAt({
  heartbeat_expected_at,
  heartbeat_wait_for_first_ping,
  last_checked_at,
  is_paused,
}: Pick<
  MonitorDetail,
  'heartbeat_expected_at' | 'heartbeat_wait_for_first_ping' | 'last_checked_at' | 'is_paused'
>): number | null {
  const hasBegun = heartbeat_wait_for_first_ping !== true || last_checked_at !== null;
  if (heartbeat_expected_at === null || is_paused || !hasBegun) return null;
  return Date.parse(heartbeat_expected_at);
}

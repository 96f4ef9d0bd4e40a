import { expectedAfter } from '../../engine/heartbeat/ping-schedule.ts';
import type { ScheduleSettings } from '../../monitor-types/definition.ts';
import type { FieldName, MonitorSettings } from '../../monitor-types/fields.ts';
import { scheduleOf } from '../../monitor-types/registry.ts';

/** A change of one of these makes the job expected anew, from now on. */
const EXPECTATION_SETTINGS: readonly FieldName[] = [
  'heartbeat_interval',
  'heartbeat_cron_expression',
  'heartbeat_timezone',
];

/** When the first ping of a push monitor after an instant is expected, in epoch milliseconds (contract 11.4). */
export function expectedFrom(type: string, settings: ScheduleSettings, at: number): number {
  return expectedAfter(scheduleOf(type, settings), at);
}

/**
 * When the next ping is expected after an edit of these settings; null when that stays as it was. A job that has never
 * called, and no longer may wait with that, is expected from now on.
 */
export function expectedAfterEdit(
  type: string,
  settings: MonitorSettings,
  changed: readonly FieldName[],
  now: number,
): { at: number; beforeFirstPing: boolean } | null {
  if (changed.some((name) => EXPECTATION_SETTINGS.includes(name))) {
    return { at: expectedFrom(type, settings, now), beforeFirstPing: false };
  }
  const isArmed =
    changed.includes('heartbeat_wait_for_first_ping') && !settings.heartbeat_wait_for_first_ping;
  if (!isArmed) return null;
  return { at: expectedFrom(type, settings, now), beforeFirstPing: true };
}

import { expectedAfter } from '../../engine/heartbeat/ping-schedule.ts';
import type { ScheduleSettings } from '../../monitor-types/definition.ts';
import type { FieldName, MonitorSettings } from '../../monitor-types/fields.ts';
import { scheduleOf } from '../../monitor-types/registry.ts';

/** Settings whose change restarts the schedule of a push monitor. */
const SCHEDULE_FIELDS: readonly FieldName[] = [
  'heartbeat_interval',
  'heartbeat_cron_expression',
  'heartbeat_timezone',
];

/** Time of the first expected ping after `at`, in epoch milliseconds (contract 11.4). */
export function expectedFrom(type: string, settings: ScheduleSettings, at: number): number {
  return expectedAfter(scheduleOf(type, settings), at);
}

/**
 * Time of the next expected ping after an edit; null when the edit does not change it. Turning off
 * `heartbeat_wait_for_first_ping` starts the schedule of a job that has never sent a ping.
 */
export function expectedAfterEdit(
  type: string,
  settings: MonitorSettings,
  changed: readonly FieldName[],
  now: number,
): { at: number; beforeFirstPing: boolean } | null {
  if (changed.some((name) => SCHEDULE_FIELDS.includes(name))) {
    return { at: expectedFrom(type, settings, now), beforeFirstPing: false };
  }
  const startsWaiting =
    changed.includes('heartbeat_wait_for_first_ping') && !settings.heartbeat_wait_for_first_ping;
  if (!startsWaiting) return null;
  return { at: expectedFrom(type, settings, now), beforeFirstPing: true };
}

import { expectedAfter } from '../../engine/heartbeat/ping-schedule.ts';
import { parseCron } from '../../lib/cron-expression.ts';
import { timeZone, wholeNumber, yesOrNo } from '../../lib/schemas.ts';

/** When a job is to call us. All null on monitors that we check ourselves. */
export interface HeartbeatSettings {
  /** Seconds; heartbeat monitors only. */
  heartbeat_interval: number | null;
  /** Cron monitors only. */
  heartbeat_cron_expression: string | null;
  heartbeat_timezone: string | null;
  /** Seconds. */
  heartbeat_grace: number | null;
  heartbeat_wait_for_first_ping: boolean | null;
  /** Seconds; null when a run may take as long as it wants. */
  heartbeat_max_runtime: number | null;
}

export const NO_HEARTBEAT: HeartbeatSettings = {
  heartbeat_interval: null,
  heartbeat_cron_expression: null,
  heartbeat_timezone: null,
  heartbeat_grace: null,
  heartbeat_wait_for_first_ping: null,
  heartbeat_max_runtime: null,
};

/** What an unset field of a push monitor means (contract 7.17 to 7.20). */
export const HEARTBEAT_DEFAULTS: HeartbeatSettings = {
  ...NO_HEARTBEAT,
  heartbeat_timezone: 'UTC',
  heartbeat_grace: 60,
  heartbeat_wait_for_first_ping: false,
};

/** A change of one of these makes the job expected anew, from now on. */
const EXPECTATION_SETTINGS: readonly string[] = [
  'heartbeat_interval',
  'heartbeat_cron_expression',
  'heartbeat_timezone',
] satisfies (keyof HeartbeatSettings)[];

export function heartbeatInput() {
  return {
    heartbeat_timezone: timeZone().nullish(),
    heartbeat_grace: wholeNumber(0, 86_400, 'a whole number of seconds').nullish(),
    heartbeat_wait_for_first_ping: yesOrNo().nullish(),
    heartbeat_max_runtime: wholeNumber(1, 604_800, 'a whole number of seconds').nullish(),
  };
}

export function intervalInput() {
  return wholeNumber(30, 2_592_000, 'a whole number of seconds').nullish();
}

/**
 * When the first ping after an instant is expected, in epoch milliseconds (contract 11.4). Throws on settings
 * that no push monitor has.
 */
export function expectedFrom(settings: HeartbeatSettings, at: number): number {
  const { heartbeat_interval: intervalSeconds, heartbeat_cron_expression: expression } = settings;
  if (intervalSeconds !== null) return expectedAfter({ intervalSeconds }, at);
  const parsed = parseCron(expression ?? '');
  if (!parsed.ok) throw new Error(`The stored cron expression ${parsed.fault}.`);
  return expectedAfter({ cron: parsed.cron, timezone: settings.heartbeat_timezone ?? 'UTC' }, at);
}

/**
 * When the next ping is expected after an edit of these settings; null when that stays as it was. A job that has never
 * called, and no longer may wait with that, is expected from now on.
 */
export function expectedAfterEdit(
  settings: HeartbeatSettings,
  changed: readonly string[],
  now: number,
): { at: number; beforeFirstPing: boolean } | null {
  if (changed.some((name) => EXPECTATION_SETTINGS.includes(name))) {
    return { at: expectedFrom(settings, now), beforeFirstPing: false };
  }
  const isArmed =
    changed.includes('heartbeat_wait_for_first_ping') && !settings.heartbeat_wait_for_first_ping;
  if (!isArmed) return null;
  return { at: expectedFrom(settings, now), beforeFirstPing: true };
}

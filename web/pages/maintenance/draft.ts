import type { MaintenanceWindow } from '../../app/api.gen.ts';
import { toWallMinute } from '../../lib/wall-time.ts';
import { isWholeTeam, NO_SCOPE, scopeOf } from '../../parts/scope.ts';
import { ONCE, recurrenceOf, ruleOf } from './recurrence.ts';

/** Window while it is edited. Times are wall times of its zone, such as 2030-01-31T22:00. */
export type WindowDraft = ReturnType<typeof draftOf>;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** A wall time that number of milliseconds later, as clocks without changes count; empty for none. */
export function laterWall(wall: string, ms: number): string {
  const at = Date.parse(`${wall}Z`);
  return Number.isNaN(at) ? '' : new Date(at + ms).toISOString().slice(0, 16);
}

/** Milliseconds from one wall time to another; 0 where one is missing. */
export function wallDuration(from: string, to: string): number {
  const ms = Date.parse(`${to}Z`) - Date.parse(`${from}Z`);
  return Number.isNaN(ms) ? 0 : ms;
}

export type Preset = 'hour' | 'tonight' | 'weekend';

/** Times of a preset: the next hour, 22:00 to 06:00, or Friday 18:00 to Monday 06:00; what has begun already begins now. On a Monday it is the next weekend. */
export function presetTimes(preset: Preset, now: number, zone: string) {
  const wall = toWallMinute(now, zone);
  const today = wall.slice(0, 10);
  if (preset === 'hour') return { starts_at: wall, ends_at: laterWall(wall, HOUR_MS) };
  if (preset === 'tonight') {
    if (wall.slice(11) < '06:00') return { starts_at: wall, ends_at: `${today}T06:00` };
    const starts = wall.slice(11) >= '22:00' ? wall : `${today}T22:00`;
    return { starts_at: starts, ends_at: laterWall(`${today}T06:00`, 24 * HOUR_MS) };
  }
  const weekday = (new Date(`${today}T00:00Z`).getUTCDay() + 6) % 7;
  const monday = laterWall(`${today}T06:00`, (7 - weekday) * 24 * HOUR_MS);
  const friday = laterWall(monday, -60 * HOUR_MS);
  return { starts_at: wall > friday ? wall : friday, ends_at: monday };
}

/** A new window: tomorrow's start is the next full hour. */
export function newDraft(now: number, zone: string): WindowDraft {
  const starts = toWallMinute(Math.ceil(now / HOUR_MS) * HOUR_MS, zone);
  return {
    name: '',
    description: '',
    starts_at: starts,
    ends_at: laterWall(starts, HOUR_MS),
    timezone: zone,
    recurrence: ONCE,
    scope: NO_SCOPE,
    good_rounds: '',
    announce: true,
  };
}

export function draftOf(window: MaintenanceWindow) {
  const { name, timezone, rrule, monitors, groups, tags, good_rounds: rounds, announce } = window;
  const starts = toWallMinute(Date.parse(window.starts_at), timezone);
  return {
    name,
    description: window.description ?? '',
    announce,
    timezone,
    starts_at: starts,
    ends_at: toWallMinute(Date.parse(window.ends_at), timezone),
    recurrence: recurrenceOf(rrule, starts),
    scope: { isAll: isWholeTeam(window), monitors, groups, tags },
    /** Empty for a window that ends at its time. */
    good_rounds: String(rounds ?? ''),
  };
}

/**
 * Body for the API. Times without an offset are in `timezone`.
 *
 * @param stored window that is changed: its times are left out unless they were edited, since they may have seconds
 */
export function bodyOf(draft: WindowDraft, stored: WindowDraft | null = null) {
  const { name, announce, starts_at, ends_at, timezone, recurrence, scope } = draft;
  const { good_rounds: rounds } = draft;
  const isMoved =
    stored === null ||
    starts_at !== stored.starts_at ||
    ends_at !== stored.ends_at ||
    timezone !== stored.timezone;
  return {
    name: name.trim(),
    description: draft.description.trim() || null,
    ...(isMoved && { starts_at, ends_at }),
    announce,
    timezone,
    rrule: ruleOf(recurrence, starts_at),
    ...scopeOf(scope),
    good_rounds: rounds.trim() === '' ? null : Number(rounds),
  };
}

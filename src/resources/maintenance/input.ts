import { z } from 'zod';
import { defaultSettings, requestSchema } from '../common/fields.ts';
import { markShapeRead } from '../common/ignored-fields.ts';
import type { Findings } from '../common/input.ts';
import { nameText, wholeNumber } from '../../lib/schemas.ts';
import { isTimeZone } from '../../lib/time-zone.ts';
import { isoTime, parseTime } from '../common/time.ts';
import { MAX_DAYS, WINDOW_FIELDS, type WindowSettings } from './fields.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const PAST_DAYS = 90;
const FUTURE_DAYS = 3_653;
/** Settings of windows that are started by one call, for a deploy. */
const STARTED = { name: 'Maintenance', minutes: 60, good_rounds: 5 };

const { monitors, groups, tags, good_rounds } = WINDOW_FIELDS;

export const startInput = z.object({
  name: nameText(100)
    .nullish()
    .meta({ description: `\`${STARTED.name}\` unless set.` }),
  minutes: wholeNumber(1, 1_440, 'a whole number of minutes')
    .nullish()
    .meta({ description: `Minutes until its scheduled end; ${STARTED.minutes} unless set.` }),
  ...requestSchema({ monitors, groups, tags }).shape,
  good_rounds: good_rounds.input.nullish().meta({
    description: `Ends it early once each of its monitors had this many good rounds in a row; ${STARTED.good_rounds} unless set. Null for none: it ends at its scheduled time.`,
  }),
});

export type StartInput = {
  [Name in keyof WindowSettings]?: WindowSettings[Name] | null;
} & { minutes?: number | null };

/** The settings of a window that starts now. @param input as read by `startInput`. */
export function startedWindow(input: StartInput, now: number): WindowSettings {
  const { good_rounds: goodRounds = STARTED.good_rounds } = input;
  return {
    ...defaultSettings(WINDOW_FIELDS),
    name: input.name ?? STARTED.name,
    starts_at: now,
    ends_at: now + (input.minutes ?? STARTED.minutes) * MINUTE_MS,
    monitors: input.monitors ?? [],
    groups: input.groups ?? [],
    tags: input.tags ?? [],
    good_rounds: goodRounds,
  };
}

/**
 * A body whose times without an offset are in its `timezone`, or the stored one (contract 27.7). With an unknown zone
 * they stay as they are: the zone is refused.
 */
export function timesInZone(body: unknown, stored: WindowSettings | null): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  // What follows reads the fields from a copy.
  markShapeRead(body, WINDOW_FIELDS);
  const sent = body as Record<string, unknown>;
  const { timezone = stored?.timezone } = sent;
  const zone = timezone == null || timezone === '' ? 'UTC' : timezone;
  if (typeof zone !== 'string' || !isTimeZone(zone)) return body;
  const times = ['starts_at', 'ends_at'].flatMap((name) => {
    const text = sent[name];
    const at = typeof text === 'string' ? parseTime(text, zone) : null;
    return at === null ? [] : [[name, isoTime(at)] as const];
  });
  const read = Object.keys(WINDOW_FIELDS).filter((name) => Object.hasOwn(sent, name));
  return Object.fromEntries([...read.map((name) => [name, sent[name]]), ...times]);
}

/** Reports invalid times. @param stored the settings before a change; null for a new window. */
export function checkTimes(
  { starts_at: start, ends_at: end }: WindowSettings,
  stored: WindowSettings | null,
  now: number,
  findings: Findings,
): void {
  if (start !== stored?.starts_at && start < now - PAST_DAYS * DAY_MS)
    findings.add('starts_at', `must not be more than ${PAST_DAYS} days ago`);
  if (start > now + FUTURE_DAYS * DAY_MS)
    findings.add('starts_at', 'must not be more than ten years ahead');
  if (end <= start) findings.add('ends_at', 'must be after starts_at');
  if (end - start > MAX_DAYS * DAY_MS)
    findings.add('ends_at', `must be at most ${MAX_DAYS} days after starts_at`);
}

import { z } from 'zod';
import { parseRecurrence } from '../../lib/recurrence.ts';
import { timeZone } from '../../lib/schemas.ts';
import type { Findings } from '../common/input.ts';
import { nameText, text, wholeNumber } from '../../lib/schemas.ts';
import { parseTime } from '../common/time.ts';

/** What a maintenance window is, as people see it. Times are epoch milliseconds, of its first time if it recurs. */
export interface WindowSettings {
  name: string;
  startsAt: number;
  endsAt: number;
  rrule: string | null;
  timezone: string;
  monitors: number[];
  groups: number[];
  tags: string[];
  goodRounds: number | null;
}

const NAME_LENGTH = 100;
/** So many ids or tags one window may name of a kind. */
const MOST_NAMED = 500;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const LONGEST_DAYS = 31;
const PAST_DAYS = 90;
const FUTURE_DAYS = 3_653;
const DEPLOY_MINUTES = 60;
const DEPLOY_ROUNDS = 5;

const scope = {
  monitors: ids('monitors')
    .nullish()
    .meta({ description: 'Ids. Without monitors, groups and tags it is for the whole team.' }),
  groups: ids('groups')
    .nullish()
    .meta({ description: 'Ids; the monitors of their subgroups are meant, too.' }),
  tags: listOf(text(50), 'tags')
    .nullish()
    .meta({ description: 'Monitors that have one of them, by its exact text.' }),
};

const goodRounds = wholeNumber(1, 100);

const fields = {
  name: nameText(NAME_LENGTH),
  starts_at: dateTime('When it begins, for the first time if it recurs; without a zone in UTC.'),
  ends_at: dateTime(`At most ${LONGEST_DAYS} days later. Each time lasts as long as the first.`),
  rrule: recurrenceText().nullish().meta({
    description:
      'A recurrence rule (RFC 5545, section 3.3.10) without DTSTART, such as `FREQ=WEEKLY;BYDAY=SU`. Days are the shortest period.',
  }),
  timezone: timeZone()
    .nullish()
    .meta({ description: 'IANA name of the zone in whose wall time it recurs; UTC, if left out.' }),
  ...scope,
  good_rounds: goodRounds.nullish().meta({
    description:
      'It ends early once each of its monitors had so many good rounds in a row since it began. Null for by time alone.',
  }),
};

export const windowInput = z.object(fields);

/** A change: only what is present changes. */
export const windowChange = z.object({
  ...fields,
  name: fields.name.nullish(),
  starts_at: fields.starts_at.nullish(),
  ends_at: fields.ends_at.nullish(),
});

export const startInput = z.object({
  name: nameText(NAME_LENGTH).nullish().meta({ description: '`Maintenance`, if left out.' }),
  minutes: wholeNumber(1, 1_440, 'a whole number of minutes')
    .nullish()
    .meta({ description: `After which it ends in any case; ${DEPLOY_MINUTES}, if left out.` }),
  ...scope,
  good_rounds: goodRounds.nullish().meta({
    description: `It ends early after so many good rounds in a row of each of its monitors; ${DEPLOY_ROUNDS}, if left out. Null for by time alone.`,
  }),
});

export type WindowChange = z.output<typeof windowChange>;

const given = <Value>(value: Value | null | undefined, before: Value, unset: Value): Value =>
  value === undefined ? before : (value ?? unset);

/** The settings that a change makes of others. What is null goes back to what a new window has. */
export function changedWindow(stored: WindowSettings, change: WindowChange): WindowSettings {
  return {
    name: change.name ?? stored.name,
    startsAt: change.starts_at ?? stored.startsAt,
    endsAt: change.ends_at ?? stored.endsAt,
    rrule: given(change.rrule, stored.rrule, null),
    timezone: given(change.timezone, stored.timezone, 'UTC'),
    monitors: given(change.monitors, stored.monitors, []),
    groups: given(change.groups, stored.groups, []),
    tags: given(change.tags, stored.tags, []),
    goodRounds: given(change.good_rounds, stored.goodRounds, null),
  };
}

/** What is unset in a window that is being created. */
export const EMPTY_WINDOW: WindowSettings = {
  name: '',
  startsAt: Number.NaN,
  endsAt: Number.NaN,
  rrule: null,
  timezone: 'UTC',
  monitors: [],
  groups: [],
  tags: [],
  goodRounds: null,
};

export function startedWindow(input: z.output<typeof startInput>, now: number): WindowSettings {
  return {
    ...EMPTY_WINDOW,
    name: input.name ?? 'Maintenance',
    startsAt: now,
    endsAt: now + (input.minutes ?? DEPLOY_MINUTES) * MINUTE_MS,
    monitors: input.monitors ?? [],
    groups: input.groups ?? [],
    tags: input.tags ?? [],
    goodRounds: input.good_rounds === undefined ? DEPLOY_ROUNDS : input.good_rounds,
  };
}

const NEEDED = {
  name: 'people are told by it what is going on',
  starts_at: 'give a date and time such as 2030-01-31T22:00:00Z',
  ends_at: 'give a date and time after starts_at',
} as const;

/** Notes what is missing. @param isNew a change may leave it out, but not unset it. */
export function demandFields(change: WindowChange, isNew: boolean, findings: Findings): void {
  for (const [field, hint] of Object.entries(NEEDED) as [keyof typeof NEEDED, string][]) {
    const value = change[field];
    if ((value === null || (isNew && value === undefined)) && !findings.has(field))
      findings.add(field, `is required: ${hint}`);
  }
}

/** Notes what is wrong with when a window begins and ends. @param before what it was; null of a new one. */
export function judgeTimes(
  { startsAt, endsAt }: WindowSettings,
  before: WindowSettings | null,
  now: number,
  findings: Findings,
): void {
  if (startsAt !== before?.startsAt && startsAt < now - PAST_DAYS * DAY_MS)
    findings.add('starts_at', `must not be more than ${PAST_DAYS} days ago`);
  if (startsAt > now + FUTURE_DAYS * DAY_MS)
    findings.add('starts_at', 'must not be more than ten years ahead');
  if (endsAt <= startsAt) findings.add('ends_at', 'must be after starts_at');
  if (endsAt - startsAt > LONGEST_DAYS * DAY_MS)
    findings.add('ends_at', `must be at most ${LONGEST_DAYS} days after starts_at`);
}

function recurrenceText() {
  return z
    .string({ error: 'must be a recurrence rule such as FREQ=WEEKLY;BYDAY=SU' })
    .superRefine((value, context) => {
      const parsed = parseRecurrence(value);
      if ('fault' in parsed) context.addIssue({ code: 'custom', message: parsed.fault });
    });
}

function ids(what: 'monitors' | 'groups') {
  const error = `must be the id of one of the ${what} of your team`;
  return listOf(z.int({ error }).min(1, { error }), `ids of ${what} of your team`);
}

function listOf<Item extends z.ZodType>(item: Item, what: string) {
  const error = `must be a list of at most ${MOST_NAMED} ${what}, each at most once`;
  return z
    .array(item, { error })
    .max(MOST_NAMED, { error })
    .refine((list) => new Set(list).size === list.length, { error })
    .meta({ override: { uniqueItems: true } });
}

function dateTime(description: string) {
  const error = 'must be a date and time such as 2030-01-31T22:00:00Z';
  return z
    .string({ error })
    .transform((value, context) => {
      const at = parseTime(value);
      if (at !== null) return at;
      context.addIssue({ code: 'custom', message: error });
      return z.NEVER;
    })
    .meta({ description, override: { type: 'string', format: 'date-time' } });
}

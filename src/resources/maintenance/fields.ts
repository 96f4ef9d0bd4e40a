import { z } from 'zod';
import { json, plain } from '../../lib/columns.ts';
import { parseRecurrence } from '../../lib/recurrence.ts';
import { nameText, timeZone, wholeNumber } from '../../lib/schemas.ts';
import { TIME, type Fields } from '../common/fields.ts';
import { idList, tagNames } from '../common/lists.ts';
import { dateTime } from '../common/time-input.ts';

/** Times are epoch milliseconds. */
export interface WindowSettings {
  name: string;
  starts_at: number;
  ends_at: number;
  rrule: string | null;
  timezone: string;
  monitors: number[];
  groups: number[];
  tags: string[];
  good_rounds: number | null;
}

export const MAX_DAYS = 31;
const TIME_EXAMPLE = '2030-01-31T22:00:00Z';

/** Settings of a maintenance window (contract 27.3). */
export const WINDOW_FIELDS: Fields<WindowSettings> = {
  name: {
    codec: plain,
    input: nameText(100),
    output: z.string(),
    unset: '',
    required: 'say what is going on',
  },
  starts_at: {
    ...TIME,
    input: dateTime(TIME_EXAMPLE),
    // No comparison with it is true.
    unset: Number.NaN,
    required: `give a date and time such as ${TIME_EXAMPLE}`,
    meaning: 'Start of the first occurrence. A time without an offset is in `timezone`.',
  },
  ends_at: {
    ...TIME,
    input: dateTime(TIME_EXAMPLE),
    unset: Number.NaN,
    required: 'give a date and time after starts_at',
    meaning: `End of the first occurrence, at most ${MAX_DAYS} days later. Each occurrence lasts as long as the first.`,
  },
  rrule: {
    codec: plain,
    input: recurrence(),
    output: z.string(),
    meaning:
      'Recurrence rule (RFC 5545, section 3.3.10) without DTSTART, such as `FREQ=WEEKLY;BYDAY=SU`. The shortest period is a day. Null for a window with one occurrence.',
  },
  timezone: {
    codec: plain,
    input: timeZone(),
    output: z.string(),
    unset: 'UTC',
    meaning:
      'IANA name of the time zone in which the window recurs, and in which times without an offset are read.',
  },
  monitors: {
    codec: json,
    input: idList('monitors'),
    output: z.array(z.int()),
    unset: [],
    meaning: 'Ids. The window is for the whole team when monitors, groups and tags are empty.',
  },
  groups: {
    codec: json,
    input: idList('groups'),
    output: z.array(z.int()),
    unset: [],
    meaning: 'Ids. Includes the monitors of their subgroups.',
  },
  tags: {
    codec: json,
    input: tagNames(),
    output: z.array(z.string()),
    unset: [],
    meaning: 'Includes the monitors that have one of these tags, by exact text.',
  },
  good_rounds: {
    codec: plain,
    input: wholeNumber(1, 100),
    output: z.int(),
    meaning:
      'Ends an occurrence early once each of its monitors had this many good rounds in a row since it began. Null for none: it ends at its scheduled time.',
  },
};

function recurrence() {
  return z
    .string({ error: 'must be a recurrence rule such as FREQ=WEEKLY;BYDAY=SU' })
    .superRefine((value, context) => {
      const parsed = parseRecurrence(value);
      if ('fault' in parsed) context.addIssue({ code: 'custom', message: parsed.fault });
    });
}

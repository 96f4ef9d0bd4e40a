import { z } from 'zod';
import { json, plain } from '../../lib/columns.ts';
import { nameText, oneOf, timeZone } from '../../lib/schemas.ts';
import { FREQUENCIES, REPORT_PERIODS } from '../../report/period.ts';
import type { Frequency, ReportPeriod } from '../../report/period.ts';
import { REPORT_LANGUAGES, type ReportLanguage } from '../../report/words/words.ts';
import type { Fields } from '../common/fields.ts';
import { idList, tagNames } from '../common/lists.ts';
import { emailAddress } from '../common/people-input.ts';

export interface ReportSettings {
  name: string;
  monitors: number[];
  group_id: number | null;
  tags: string[];
  period: ReportPeriod;
  frequency: Frequency;
  recipients: string[];
  timezone: string;
  language: ReportLanguage;
  status_page_id: number | null;
}

/** Maximum number of recipients of one report. */
export const MAX_RECIPIENTS = 50;

export const NO_GROUP = 'must be the id of a group of your team';
export const NO_PAGE = 'must be the id of a status page of your team';

/** Settings of a saved report. */
export const REPORT_FIELDS: Fields<ReportSettings> = {
  name: {
    codec: plain,
    input: nameText(100),
    output: z.string(),
    unset: '',
    required: 'it is the title of the report',
  },
  monitors: {
    codec: json,
    input: idList('monitors'),
    output: z.array(z.int()),
    unset: [],
    meaning:
      'Ids. The report is about the monitors that match any of monitors, group_id and tags, and about the whole team when all three are empty.',
  },
  group_id: {
    codec: plain,
    input: z.int({ error: NO_GROUP }).min(1, { error: NO_GROUP }),
    output: z.int(),
    meaning: 'Includes the monitors of its subgroups.',
  },
  tags: {
    codec: json,
    input: tagNames(),
    output: z.array(z.string()),
    unset: [],
    meaning: 'Includes the monitors that have one of these tags, by exact text.',
  },
  period: {
    codec: plain,
    input: oneOf(REPORT_PERIODS),
    output: z.enum(REPORT_PERIODS),
    unset: 'last_30_days',
    meaning:
      'Whole days in `timezone`, today not among them; `last_month` is the last whole calendar month.',
  },
  frequency: {
    codec: plain,
    input: oneOf(FREQUENCIES),
    output: z.enum(FREQUENCIES),
    unset: 'none',
    meaning:
      'When recipients get a mail: on Mondays or on the first of the month, at 07:00 in `timezone`.',
  },
  recipients: {
    codec: json,
    input: recipients(),
    output: z.array(z.string()),
    unset: [],
    meaning:
      'E-mail addresses. Each mail has a link by which its recipient unsubscribes, and is removed from this list.',
  },
  timezone: {
    codec: plain,
    input: timeZone(),
    output: z.string(),
    unset: 'UTC',
    meaning: 'IANA name of the time zone of days and mails.',
  },
  language: {
    codec: plain,
    input: oneOf(REPORT_LANGUAGES),
    output: z.enum(REPORT_LANGUAGES),
    unset: 'en',
    meaning: 'Language of the PDF file and of mails.',
  },
  status_page_id: {
    codec: plain,
    input: z.int({ error: NO_PAGE }).min(1, { error: NO_PAGE }),
    output: z.int(),
    meaning: 'Status page whose logo is on the cover of the PDF file, if it is PNG or JPEG.',
  },
};

function recipients() {
  const error = `must be a list of at most ${MAX_RECIPIENTS} e-mail addresses, each at most once`;
  return z
    .array(emailAddress(), { error })
    .max(MAX_RECIPIENTS, { error })
    .refine((list) => new Set(list.map((one) => one.toLowerCase())).size === list.length, {
      error,
    })
    .meta({ override: { uniqueItems: true } });
}

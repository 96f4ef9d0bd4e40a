import { z } from 'zod';
import { documentedAs, oneOf, timeZone, yesOrNo } from '../../lib/schemas.ts';
import { instantOfWall } from '../../lib/time-zone.ts';
import { tagText } from '../../monitor-types/input-schemas.ts';
import { DELIMITERS, type Delimiter } from '../../report/csv.ts';
import { periodOf, REPORT_PERIODS, type Interval, type ReportPeriod } from '../../report/period.ts';
import { REPORT_LANGUAGES } from '../../report/words/words.ts';
import { markRead } from '../common/ignored-fields.ts';
import { listIn, queryNumber, type Findings } from '../common/input.ts';
import { parseTime } from '../common/time.ts';

const DAY_MS = 86_400_000;
/** Longest period of a report. */
export const MAX_DAYS = 400;
/** Maximum number of monitors and tags in a query. */
const MAX_NAMED = 500;

export const FORMATS = ['json', 'csv', 'pdf'] as const;
export type Format = (typeof FORMATS)[number];
const DELIMITER_NAMES = Object.keys(DELIMITERS) as [Delimiter, ...Delimiter[]];

const FROM =
  'Start of the period: a date, which begins in the time zone of the report, or a date and time. Without from and to, the period of the report counts.';
const TO = 'End of the period, at most now; a date includes that day.';
const PERIOD = 'Instead of from and to.';
const FORMAT = 'By default json.';
const CORRECTED =
  'Whether corrections apply to the main figures, as they do by default. Figures that they change are shown both ways.';
const DELIMITER = 'Delimiter of the CSV file; by default a comma.';

/** Query of the data of a saved report. */
export const dataQuery = z.object({
  period: oneOf(REPORT_PERIODS).optional().meta({ description: PERIOD }),
  from: zonedTime().optional().meta({ description: FROM }),
  to: zonedTime().optional().meta({ description: TO }),
  format: oneOf(FORMATS).optional().meta({ description: FORMAT }),
  corrected: oneOf(['true', 'false']).optional().meta({ description: CORRECTED }),
  delimiter: oneOf(DELIMITER_NAMES).optional().meta({ description: DELIMITER }),
});

/** Query of an ad hoc report, with its scope as `withLists` leaves it. */
export const adHocQuery = z.object({
  monitors: z
    .array(queryNumber(1, Number.MAX_SAFE_INTEGER, 'a whole number'))
    .max(MAX_NAMED, { error: `must name at most ${MAX_NAMED} monitors` })
    .optional()
    .meta({
      description:
        'Ids, repeated or separated by commas. Without monitors[], group_id and tag, all monitors of the team count.',
      ...documentedAs({
        type: 'array',
        items: { type: 'integer', minimum: 1 },
        maxItems: MAX_NAMED,
      }),
    }),
  group_id: queryNumber(1, Number.MAX_SAFE_INTEGER, 'a whole number')
    .optional()
    .meta({ description: 'Includes the monitors of its subgroups.' }),
  tag: z
    .array(tagText())
    .max(MAX_NAMED, { error: `must be given at most ${MAX_NAMED} times` })
    .optional()
    .meta({
      description: 'Includes the monitors that have it. May be repeated.',
      ...documentedAs({
        type: 'array',
        items: { type: 'string', minLength: 1, maxLength: 50 },
        maxItems: MAX_NAMED,
      }),
    }),
  ...dataQuery.shape,
  timezone: timeZone().optional().meta({ description: 'IANA name; by default UTC.' }),
  language: oneOf(REPORT_LANGUAGES)
    .optional()
    .meta({ description: 'Language of the PDF file; by default en.' }),
});

/** Body that starts a run. */
export const runInput = z.object({
  period: oneOf(REPORT_PERIODS).nullish().meta({ description: PERIOD }),
  from: zonedTime().nullish().meta({ description: FROM }),
  to: zonedTime().nullish().meta({ description: TO }),
  format: oneOf(FORMATS).nullish().meta({ description: 'By default pdf.' }),
  corrected: yesOrNo().nullish().meta({ description: CORRECTED }),
  delimiter: oneOf(DELIMITER_NAMES).nullish().meta({ description: DELIMITER }),
  mail: yesOrNo()
    .nullish()
    .meta({ description: 'Whether it is mailed to the recipients of the report; not by default.' }),
});

/** The query of an ad hoc report with lists of `monitors[]` and `tag`, each repeated; monitors also with commas. */
export function withLists(query: object): object {
  const values = query as Record<string, string | string[]>;
  const { names, items: monitors } = listIn(query, 'monitors');
  const tag = values['tag'] === undefined ? [] : [values['tag']].flat();
  markRead(query, [...names, ...Object.keys(adHocQuery.shape)]);
  return {
    ...query,
    monitors,
    tag: tag.length === 0 ? undefined : tag,
  };
}

/** What a client asked for of a report. */
export interface WantedData {
  period?: ReportPeriod | null | undefined;
  from?: string | null | undefined;
  to?: string | null | undefined;
}

/** The period that a client asked for, or else the one of the report. Adds its errors. */
export function wantedPeriod(
  wanted: WantedData,
  { zone, period, now }: { zone: string; period: ReportPeriod; now: number },
  findings: Findings,
): Interval {
  if (wanted.from == null && wanted.to == null) return periodOf(wanted.period ?? period, zone, now);
  if (wanted.period != null) findings.add('period', 'must be left out beside from and to');
  const to = wanted.to == null ? now : Math.min(now, instantOf(wanted.to, zone, 'to'));
  const from = wanted.from == null ? to - 30 * DAY_MS : instantOf(wanted.from, zone, 'from');
  if (findings.has('from') || findings.has('to')) return { from, to };
  if (from < 0) findings.add('from', 'must not be before 1970');
  else if (from >= now) findings.add('from', 'must be in the past');
  else if (to <= from) findings.add('to', 'must be after from');
  else if (to - from > MAX_DAYS * DAY_MS)
    findings.add('from', `must be at most ${MAX_DAYS} days before to`);
  return { from, to };
}

function instantOf(value: string, zone: string, edge: 'from' | 'to'): number {
  if (value.length > 10) return parseTime(value, zone)!;
  const wall = parseTime(`${value}T00:00`)!;
  return instantOfWall(zone, edge === 'to' ? wall + DAY_MS : wall);
}

/** Date, or date and time, without an offset in the zone of the report. */
function zonedTime() {
  const error = 'must be a date, or a date and time, such as 2030-01-31 or 2030-01-31T12:00:00Z';
  return z
    .string({ error })
    .refine(isTime, { error })
    .meta({ override: { type: 'string', anyOf: [{ format: 'date' }, { format: 'date-time' }] } });
}

/** Hoisted: the schemas above are made while the module loads. */
function isTime(value: string): boolean {
  return parseTime(value.length === 10 ? `${value}T00:00` : value) !== null;
}

import { z } from 'zod';
import { Findings, readQuery } from '../common/input.ts';
import { oneOf } from '../../lib/schemas.ts';
import { PAGE_QUERY } from '../common/page.ts';
import { parseTime } from '../common/time.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Days of the longest period; hourly pieces of a chart would be too many for it. */
export const LONGEST_DAYS = 400;
export const LONGEST_HOURLY_DAYS = 31;
const RESULTS_HOURS = 24;
const UPTIME_DAYS = 30;

/** A period is `[from, to)` in epoch milliseconds. */
export interface AskedPeriod {
  from: number;
  to: number;
}

/** @param regions the codes of the installation's regions; any text where they don't matter. */
export const resultListQuery = (regions: readonly string[] | null) =>
  z.object({
    from: moment('from', 'Results from then on. 24 hours before `to` unless given.').optional(),
    to: moment('to', 'Results before then; a date includes that day. Now unless given.').optional(),
    region: z
      .string()
      .refine((code) => regions === null || regions.includes(code), {
        error: `must be one of ${regions?.join(', ')}`,
      })
      .optional()
      .meta({ description: 'Code of a region; results of all regions unless given.' }),
    page: PAGE_QUERY.page,
    per_page: PAGE_QUERY.per_page,
  });

export const uptimeQuery = z.object({
  from: moment('from', 'Beginning of the period. 30 days before `to` unless given.').optional(),
  to: moment(
    'to',
    'End of the period; a date includes that day, and what lies ahead is left out. Now unless given.',
  ).optional(),
  interval: oneOf(['hour', 'day'])
    .optional()
    .meta({
      description: `Adds \`data\`, the same figures for each UTC hour (in a period of at most ${LONGEST_HOURLY_DAYS} days) or day.`,
    }),
});

/** Throws InvalidInput with everything that is wrong. */
export function readResultsQuery(
  schema: ReturnType<typeof resultListQuery>,
  query: object,
  now: number,
) {
  const findings = new Findings();
  const wanted = readQuery(schema, query, findings);
  const period = periodOf(wanted, RESULTS_HOURS * HOUR_MS, now, findings);
  findings.throwIfAny();
  return { ...wanted, ...period };
}

/** Throws InvalidInput with everything that is wrong. */
export function readUptimeQuery(query: object, now: number) {
  const findings = new Findings();
  const wanted = readQuery(uptimeQuery, query, findings);
  const period = periodOf(wanted, UPTIME_DAYS * DAY_MS, now, findings);
  const days = wanted.interval === 'hour' ? LONGEST_HOURLY_DAYS : LONGEST_DAYS;
  if (period.to - period.from > days * DAY_MS) {
    const reason = wanted.interval === 'hour' ? ' with interval=hour' : '';
    findings.add('from', `must be at most ${days} days before to${reason}`);
  }
  findings.throwIfAny();
  return { ...wanted, ...period };
}

/** The future is cut off: nothing is known of it. */
function periodOf(
  query: { from?: number | undefined; to?: number | undefined },
  lengthMs: number,
  now: number,
  findings: Findings,
): AskedPeriod {
  const to = Math.min(query.to ?? now, now);
  const from = query.from ?? to - lengthMs;
  // Of ends that can't be read nothing further is to be said.
  if (findings.has('from') || findings.has('to')) return { from, to };
  if (from >= now) findings.add('from', 'must be in the past');
  else if (to <= from) findings.add('to', 'must be after from');
  return { from, to };
}

/** An instant as epoch milliseconds. Of a date without a time, its UTC day begins `from` and ends `to`. */
export function moment(edge: 'from' | 'to', description: string) {
  const error = 'must be a date, or a date and time, such as 2030-01-31 or 2030-01-31T12:00:00Z';
  return z
    .string({ error })
    .transform((value, context) => {
      const isDate = value.length === 10;
      const at = parseTime(isDate ? `${value}T00:00` : value);
      if (at !== null && at >= 0) return isDate && edge === 'to' ? at + DAY_MS : at;
      const message = at === null ? error : 'must not be before 1970';
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    })
    .meta({
      description,
      override: { type: 'string', anyOf: [{ format: 'date' }, { format: 'date-time' }] },
    });
}

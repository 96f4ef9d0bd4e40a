import { z } from 'zod';
import { Findings, readQuery } from '../common/input.ts';
import { oneOf, unknownWord } from '../../lib/schemas.ts';
import { UNSORTED_PAGE_QUERY } from '../common/page.ts';
import { queryTime } from '../common/time-input.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Longest period of uptime and response times. */
export const MAX_DAYS = 400;
/** Longest period with figures for each hour. */
const MAX_HOURLY_DAYS = 31;
const DEFAULT_RESULTS_MS = 24 * HOUR_MS;
const DEFAULT_UPTIME_MS = 30 * DAY_MS;

/** @param regions the codes of the installation's regions; null to accept any text. */
export const resultListQuery = (regions: readonly string[] | null) =>
  z.object({
    from: queryTime(
      'from',
      'Results from this time on; by default 24 hours before `to`.',
    ).optional(),
    to: queryTime(
      'to',
      'Results before this time; a date includes that day. By default now.',
    ).optional(),
    region: z
      .string()
      .refine((code) => regions === null || regions.includes(code), {
        error: ({ input }) => unknownWord(input, regions ?? []),
      })
      .optional()
      .meta({ description: 'Code of a region; by default results of all regions.' }),
    ...UNSORTED_PAGE_QUERY,
  });

export const uptimeQuery = z.object({
  from: queryTime('from', 'Start of the period; by default 30 days before `to`.').optional(),
  to: queryTime(
    'to',
    'End of the period, at most now; a date includes that day. By default now.',
  ).optional(),
  interval: oneOf(['hour', 'day'])
    .optional()
    .meta({
      description: `Adds \`data\`, the same figures for each UTC hour (in a period of at most ${MAX_HOURLY_DAYS} days) or day.`,
    }),
  corrected: oneOf(['true', 'false']).optional().meta({
    description: 'false for the figures as recorded, without corrections. By default true.',
  }),
});

/** Throws InvalidInput with all errors. */
export function readResultsQuery(
  schema: ReturnType<typeof resultListQuery>,
  query: object,
  now: number,
) {
  const findings = new Findings();
  const wanted = readQuery(schema, query, findings);
  const period = periodOf(wanted, DEFAULT_RESULTS_MS, now, findings);
  findings.throwIfAny();
  return { ...wanted, ...period };
}

/** Throws InvalidInput with all errors. */
export function readUptimeQuery(query: object, now: number) {
  const findings = new Findings();
  const wanted = readQuery(uptimeQuery, query, findings);
  const period = periodOf(wanted, DEFAULT_UPTIME_MS, now, findings);
  const days = wanted.interval === 'hour' ? MAX_HOURLY_DAYS : MAX_DAYS;
  if (period.to - period.from > days * DAY_MS) {
    const reason = wanted.interval === 'hour' ? ' with interval=hour' : '';
    findings.add('from', `must be at most ${days} days before to${reason}`);
  }
  findings.throwIfAny();
  return { ...wanted, ...period };
}

/** Period `[from, to)` in epoch milliseconds, cut off at the current time. */
export function periodOf(
  query: { from?: number | undefined; to?: number | undefined },
  defaultMs: number,
  now: number,
  findings: Findings,
): { from: number; to: number } {
  const to = Math.min(query.to ?? now, now);
  const from = query.from ?? to - defaultMs;
  addPeriodErrors({ from, to }, now, findings);
  return { from, to };
}

/** Adds the errors of a period with valid ends, each of which may be open. */
export function addPeriodErrors(
  { from = -Infinity, to = Infinity }: { from?: number | undefined; to?: number | undefined },
  now: number,
  findings: Findings,
): void {
  if (findings.has('from') || findings.has('to')) return;
  if (from >= now) findings.add('from', 'must be in the past');
  else if (to <= from) findings.add('to', 'must be after from');
}

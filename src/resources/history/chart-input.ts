import { z } from 'zod';
import { oneOf, timeZone } from '../../lib/schemas.ts';
import { Findings, queryNumber, readQuery } from '../common/input.ts';
import { queryTime } from '../common/time-input.ts';
import { MAX_DAYS, periodOf } from './input.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Periods until now, ms. */
const CHART_PERIODS = {
  '1h': HOUR_MS,
  '24h': DAY_MS,
  '7d': 7 * DAY_MS,
  '30d': 30 * DAY_MS,
  '90d': 90 * DAY_MS,
} as const;
const PERIOD_NAMES = Object.keys(CHART_PERIODS) as [
  keyof typeof CHART_PERIODS,
  ...(keyof typeof CHART_PERIODS)[],
];

export const responseTimesQuery = z.object({
  period: oneOf(PERIOD_NAMES)
    .optional()
    .meta({ description: 'Period until now, in place of from and to; by default 24h.' }),
  from: queryTime('from', 'Start of the period; by default 24 hours before `to`.').optional(),
  to: queryTime(
    'to',
    'End of the period, at most now; a date includes that day. By default now.',
  ).optional(),
});

export const DEFAULT_DAYS = 90;

export const daysQuery = z.object({
  days: queryNumber(1, 366, 'a whole number')
    .optional()
    .meta({ description: `Number of days, today included; ${DEFAULT_DAYS} by default.` }),
  timezone: timeZone()
    .optional()
    .meta({ description: 'IANA name of the zone whose days they are; UTC by default.' }),
});

/** Returns the period asked for, epoch ms. Throws InvalidInput with all errors. */
export function readResponseTimesQuery(query: object, now: number): { from: number; to: number } {
  const findings = new Findings();
  const { period, ...wanted } = readQuery(responseTimesQuery, query, findings);
  if (period !== undefined && (wanted.from !== undefined || wanted.to !== undefined))
    findings.add('period', 'must be left out beside from and to');
  const found = periodOf(wanted, CHART_PERIODS[period ?? '24h'], now, findings);
  if (found.to - found.from > MAX_DAYS * DAY_MS)
    findings.add('from', `must be at most ${MAX_DAYS} days before to`);
  findings.throwIfAny();
  return found;
}

import { z } from 'zod';
import { oneOf } from '../../lib/schemas.ts';
import { queryNumber } from '../common/input.ts';
import { UNSORTED_PAGE_QUERY } from '../common/page.ts';
import { monitorListQuery } from '../monitors/input.ts';
import { EXPIRING_KINDS } from '../../store/resources/expirations.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export const DEFAULT_ATTENTION_ITEMS = 20;

export const attentionQuery = z.object({
  limit: queryNumber(1, 100, 'a whole number')
    .optional()
    .meta({ description: `Items at most; by default ${DEFAULT_ATTENTION_ITEMS}.` }),
});

export const DEFAULT_WITHIN_DAYS = 30;

export const expirationsQuery = z.object({
  within_days: queryNumber(0, 3_650, 'a whole number')
    .optional()
    .meta({
      description: `Days from now in which it expires; by default ${DEFAULT_WITHIN_DAYS}. What has expired is always listed.`,
    }),
  type: oneOf(EXPIRING_KINDS)
    .optional()
    .meta({ description: 'ssl for certificates, domain for registrations; both unless given.' }),
  ...UNSORTED_PAGE_QUERY,
});

/** Lengths of the periods of a summary, in milliseconds. They end now. */
export const SUMMARY_PERIODS = {
  last_24_hours: DAY_MS,
  last_7_days: 7 * DAY_MS,
  last_30_days: 30 * DAY_MS,
} as const;
export type SummaryPeriod = keyof typeof SUMMARY_PERIODS;
export const SUMMARY_PERIOD_NAMES = Object.keys(SUMMARY_PERIODS) as [
  SummaryPeriod,
  ...SummaryPeriod[],
];

export const DEFAULT_WORST = 10;

const { group_id, tag } = monitorListQuery(null).shape;

export const uptimeSummaryQuery = z.object({
  period: oneOf(SUMMARY_PERIOD_NAMES)
    .optional()
    .meta({ description: 'Period until now; by default last_24_hours.' }),
  group_id,
  tag,
  limit: queryNumber(1, 50, 'a whole number')
    .optional()
    .meta({ description: `Monitors in \`worst\` at most; by default ${DEFAULT_WORST}.` }),
});

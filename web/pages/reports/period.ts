import type { Report } from '../../app/api.gen.ts';

export const PERIODS = ['last_7_days', 'last_30_days', 'last_90_days', 'last_month'] as const;

export type PeriodName = Report['period'];

/** Period of a report: one with a name, or days from and to, the last one included. */
export type Period = { period: PeriodName } | { from: string; to: string };

/** Reads the period of an address such as `?from=2026-11-01&to=2026-11-07`. */
export function readPeriod(search: URLSearchParams, usual: PeriodName): Period {
  const from = search.get('from');
  const to = search.get('to');
  if (from !== null && to !== null) return { from, to };
  return { period: PERIODS.find((name) => name === search.get('period')) ?? usual };
}

/** Facts that the totals of one day consist of, in seconds. */
interface Day {
  up_seconds: number;
  degraded_seconds: number;
  down_seconds: number;
  excluded_seconds: number;
  unobserved_seconds: number;
}

/** Bar of time with a slot for each day: the worst that happened, else what most of the day was. */
export function slotsOf(days: readonly Day[]): string {
  return days.map(slotOf).join('');
}

function slotOf(day: Day): string {
  const { up_seconds, degraded_seconds, down_seconds, excluded_seconds, unobserved_seconds } = day;
  const all = up_seconds + degraded_seconds + down_seconds + excluded_seconds + unobserved_seconds;
  if (all === 0) return '-';
  if (down_seconds > 0) return 'd';
  if (degraded_seconds > 0) return 'w';
  if (unobserved_seconds > all / 2) return '?';
  return excluded_seconds > all / 2 ? 'm' : 'u';
}

/** Query of the API for a period and whether corrections apply. */
export function dataQuery(period: Period, isCorrected: boolean) {
  return { ...period, ...(!isCorrected && { corrected: 'false' as const }) };
}

/** Address of a file with the same data. */
export function fileUrl(base: string, query: Record<string, unknown>, format: string): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...query, format }))
    for (const one of Array.isArray(value) ? value : [value]) search.append(name, String(one));
  return `${base}?${search}`;
}

import type {
  JsonAssertionSettings,
  MonitorDay,
  MonitorDetail,
  OverviewMonitor,
  Result,
} from '../../app/api.gen.ts';
import type { Slot } from '../../lib/bar.ts';
import { displayStatusOf, type DisplayStatus } from '../../lib/display-status.ts';

/** Time after which days and figures are read again that no event says anything of, in milliseconds. */
export const HISTORY_MS = 5 * 60_000;

export type Period = '1h' | '24h' | '7d' | '30d' | '90d';

export const PERIOD_MS: Record<Period, number> = {
  '1h': 3_600_000,
  '24h': 86_400_000,
  '7d': 7 * 86_400_000,
  '30d': 30 * 86_400_000,
  '90d': 90 * 86_400_000,
};

type Operator = NonNullable<JsonAssertionSettings['assertions']>[number]['operator'];

const SIGNS: Record<Operator, string> = {
  equals: '=',
  not_equals: '≠',
  contains: '∋',
  not_contains: '∌',
  exists: '∃',
  not_exists: '∄',
  gt: '>',
  gte: '≥',
  lt: '<',
  lte: '≤',
  regex: '~',
  not_regex: '!~',
};

/** What the content must be, one line for each condition. */
export function conditionsOf(
  {
    keyword_settings,
    json_assertion_settings,
  }: Pick<MonitorDetail, 'keyword_settings' | 'json_assertion_settings'>,
  text: { contains: (phrase: string) => string; lacks: (phrase: string) => string },
): string[] {
  const keywords = (keyword_settings?.keywords ?? []).map(({ phrase, mode }) =>
    mode === 'must_contain' ? text.contains(phrase) : text.lacks(phrase),
  );
  const assertions = (json_assertion_settings?.assertions ?? []).map(({ path, operator, value }) =>
    operator === 'exists' || operator === 'not_exists'
      ? `${SIGNS[operator]} ${path}`
      : `${path} ${SIGNS[operator]} ${JSON.stringify(value)}`,
  );
  return [...keywords, ...assertions];
}

const SLOTS: Record<MonitorDay['status'], Slot> = {
  offline: 'd',
  degraded: 'w',
  maintenance: 'm',
  online: 'u',
  unobserved: '?',
};

/** Slot of a day in the bar. */
export function slotOf({ status }: Pick<MonitorDay, 'status'>): Slot {
  return SLOTS[status];
}

/** Bar of a monitor that is younger has room for this many days. */
const LEAST_DAYS = 30;

/**
 * Days since a monitor was created, those with imported data before it, and how many slots stay empty before them, so that the
 * strokes of a new monitor are no wider than those of others. Pure.
 */
export function daysSince<Day extends Pick<MonitorDay, 'status' | 'to'>>(
  days: readonly Day[],
  createdAt: string,
): { days: Day[]; empty: number } {
  const first = days.findIndex(({ status, to }) => status !== 'unobserved' || to > createdAt);
  const shown = days.slice(Math.max(0, first));
  return { days: shown, empty: Math.max(0, Math.min(LEAST_DAYS, days.length) - shown.length) };
}

/** Shape of a day: the worst that happened. */
export function displayStatusOfDay({ status }: Pick<MonitorDay, 'status'>): DisplayStatus {
  return status === 'unobserved' ? 'unknown' : status;
}

/** Newest result of each region, in the order of the regions; null where none is known. */
export function newestByRegion<Row extends Pick<Result, 'region' | 'checked_at'>>(
  regions: readonly string[],
  results: readonly Row[],
): { region: string; result: Row | null }[] {
  const newest = new Map<string, Row>();
  for (const result of results) {
    const known = newest.get(result.region);
    if (known === undefined || result.checked_at > known.checked_at)
      newest.set(result.region, result);
  }
  return regions.map((region) => ({ region, result: newest.get(region) ?? null }));
}

/** When the next ping of a job is expected; null while nothing is expected of it. */
export function expectedAt({
  heartbeat_expected_at,
  heartbeat_wait_for_first_ping,
  last_checked_at,
  is_paused,
}: Pick<
  MonitorDetail,
  'heartbeat_expected_at' | 'heartbeat_wait_for_first_ping' | 'last_checked_at' | 'is_paused'
>): number | null {
  const hasBegun = heartbeat_wait_for_first_ping !== true || last_checked_at !== null;
  if (heartbeat_expected_at === null || is_paused || !hasBegun) return null;
  return Date.parse(heartbeat_expected_at);
}

type Facts = Pick<MonitorDetail, 'status' | 'is_paused' | 'incidents'>;

/** DisplayStatus of a monitor; maintenance, as long as it lasts, and whether it is observed come from what the list says of it. */
export function monitorDisplayStatus(
  { status, is_paused }: Pick<Facts, 'status' | 'is_paused'>,
  summary: Pick<OverviewMonitor, 'maintenance_until' | 'observed_until'> | undefined,
  now: number,
): DisplayStatus {
  const until = summary?.maintenance_until;
  return displayStatusOf({
    status,
    is_paused,
    in_maintenance: until !== undefined && until * 1_000 > now,
    is_unobserved: summary?.observed_until !== undefined,
  });
}

/** Open incidents, the worst first, then the oldest. */
export function openIncidents({ incidents }: Pick<Facts, 'incidents'>): Facts['incidents'] {
  const rank = { critical: 0, warning: 1, info: 2 };
  return incidents
    .filter(({ status }) => status === 'open')
    .toSorted(
      (one, other) =>
        rank[one.severity] - rank[other.severity] ||
        Date.parse(one.started_at) - Date.parse(other.started_at),
    );
}

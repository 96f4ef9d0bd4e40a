import type { TestApi } from '../support/api.ts';
import { storeExpiry } from '../support/overviews.ts';
import { insertRows } from '../support/rows.ts';
import type { Accepted } from './truth.ts';

const DAY_MS = 86_400_000;
let hosts = 0;

/** Ensures that each team has a certificate that expires soon, whatever was deleted. */
export async function reviveExpirations(
  api: TestApi,
  monitors: readonly { id: number }[],
): Promise<void> {
  for (const { id } of monitors) {
    const target = `host-${(hosts += 1)}.example:443`;
    const inspection = { claim: 0, unknown_run: 0, is_recheck: 0, is_open: 0 };
    await insertRows(api.database, 'inspection', { kind: 'ssl', target, ...inspection });
    await insertRows(api.database, 'monitor_inspection', { monitor_id: id, kind: 'ssl', target });
    await storeExpiry(api, 'ssl', target, api.clock.now() + (hosts % 40) * DAY_MS);
  }
}

interface Row {
  [name: string]: unknown;
}

/** Rules about the answers of overviews; each returns what is wrong, in sentences. */
const RULES: Record<string, (answer: Row, wanted: (name: string) => number | null) => string[]> = {
  '/attention': ({ summary, total, data }, wanted) => {
    const { monitors, in_maintenance: covered, ...others } = summary as Record<string, number>;
    const items = data as Row[];
    const severities = items.map(({ severity }) => SEVERITIES.indexOf(severity as string));
    return [
      ...unless(sumOf(Object.values(others)) === monitors, 'The summary counts a monitor twice.'),
      ...unless(covered! <= monitors!, 'More monitors are in maintenance than there are.'),
      ...unless(items.length === Math.min(total as number, wanted('limit') ?? 20), 'Items miss.'),
      ...unless(isAscending(severities), 'The items are not ordered by severity.'),
      ...items.flatMap(({ kind, incident_id: id }) =>
        unless(
          (kind === 'incident') === (id !== null),
          `An item of kind ${kind} has incident ${id}.`,
        ),
      ),
    ];
  },
  '/expirations': ({ data }, wanted) => {
    const rows = data as { days_left: number; expires_at: string; type: string }[];
    const within = wanted('within_days') ?? 30;
    return [
      ...unless(isAscending(rows.map(({ expires_at: at }) => Date.parse(at))), 'Wrong order.'),
      ...unless(
        rows.every(({ days_left: days }) => days <= within),
        'A row expires too late.',
      ),
    ];
  },
  '/uptime-summary': (answer, wanted) => {
    const { monitors, monitors_measured: measured, by_status: counts, worst } = answer;
    const rows = worst as { uptime_percent: number | null; downtime_seconds: number }[];
    const uptimes = rows.map(({ uptime_percent: percent }) => percent ?? Infinity);
    const shown = Math.min(measured as number, wanted('limit') ?? 10);
    const down = sumOf(rows.map(({ downtime_seconds: seconds }) => seconds));
    return [
      ...unless(sumOf(Object.values(counts as object)) === monitors, 'by_status counts otherwise.'),
      ...unless(rows.length === shown, 'Monitors miss in worst.'),
      ...unless(isAscending(uptimes), 'The worst do not come first.'),
      ...unless(down <= (answer['downtime_seconds'] as number) + 0.5, 'The downtime is no sum.'),
    ];
  },
};

const SEVERITIES = ['critical', 'warning', 'info'];

/** What is wrong with the answer of an overview, in sentences; none for other paths. */
export function overviewLies(path: string, { query, answer }: Accepted): string[] {
  const wanted = (name: string) => {
    const [, value = ''] = query.find(([given, text]) => given === name && text !== '') ?? [];
    return value === '' ? null : Number(value);
  };
  // An answer to HEAD has no body.
  return answer === undefined ? [] : (RULES[path]?.(answer as Row, wanted) ?? []);
}

const unless = (isTrue: boolean, fault: string) => (isTrue ? [] : [fault]);
const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0);
const isAscending = (numbers: readonly number[]) =>
  numbers.every((one, index) => index === 0 || numbers[index - 1]! <= one);

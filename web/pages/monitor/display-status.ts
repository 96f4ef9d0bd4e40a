import type { MonitorDetail, OverviewMonitor } from '../../app/api.gen.ts';
import { displayStatusOf, type DisplayStatus } from '../../lib/display-status.ts';

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

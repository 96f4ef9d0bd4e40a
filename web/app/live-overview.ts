import type { LiveEvent } from './live-changes.ts';
import type { MonitorOverview, OverviewMonitor } from './api.gen.ts';

/**
 * Applies an event to the overview at once, before it is read again. What the event does not showToast, such as the incident, stays
 * until then. Returns the same overview when nothing in it changes. Pure.
 */
export function applyToOverview(
  overview: MonitorOverview,
  { kind, data }: LiveEvent,
): MonitorOverview {
  if (kind === 'monitor' && data['change'] === 'deleted') {
    const monitors = overview.monitors.filter(({ id }) => id !== data['id']);
    return monitors.length === overview.monitors.length ? overview : { ...overview, monitors };
  }
  if (kind !== 'status') return overview;
  const index = overview.monitors.findIndex(({ id }) => id === data['monitor_id']);
  const before = overview.monitors[index];
  if (before === undefined) return overview;
  return { ...overview, monitors: overview.monitors.with(index, withStatus(before, data)) };
}

function withStatus(before: OverviewMonitor, data: LiveEvent['data']): OverviewMonitor {
  const { is_paused: _, maintenance_until: until, observed_until: __, ...rest } = before;
  const since =
    typeof data['since'] === 'string' ? Date.parse(data['since']) / 1_000 : before.since;
  return {
    ...rest,
    status: data['status'] as OverviewMonitor['status'],
    since: Math.floor(since),
    ...(data['is_paused'] === true && { is_paused: true }),
    // The event does not say until when: the end of a maintenance that began is read.
    ...(data['in_maintenance'] === true && until !== undefined && { maintenance_until: until }),
  };
}

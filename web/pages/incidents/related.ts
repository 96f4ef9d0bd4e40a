import type { Incident, OverviewMonitor } from '../../app/api.gen.ts';

/** Incidents that begin within this time of each other may have one cause. */
export const SAME_TIME_MS = 30 * 60_000;

type Known = Pick<Incident, 'id' | 'monitor_id' | 'root_cause' | 'started_at'>;
type Place = Pick<OverviewMonitor, 'id' | 'target' | 'group_id'>;

/**
 * Incidents that probably belong together with one: they began at that time, and their monitors share a host or a group, depend on
 * each other, or fail with the same words.
 *
 * @param dependsOn ids of the monitors that the monitor of the incident depends on
 */
export function relatedTo<Other extends Known>(
  incident: Known,
  others: readonly Other[],
  monitors: readonly Place[],
  dependsOn: readonly number[],
): Other[] {
  const places = new Map(monitors.map((monitor) => [monitor.id, monitor]));
  const own = places.get(incident.monitor_id);
  const isNear = ({ started_at }: Known) =>
    Math.abs(Date.parse(started_at) - Date.parse(incident.started_at)) <= SAME_TIME_MS;
  const isRelated = ({ monitor_id, root_cause }: Known) => {
    const place = places.get(monitor_id);
    return (
      monitor_id === incident.monitor_id ||
      dependsOn.includes(monitor_id) ||
      isSame(place?.group_id, own?.group_id) ||
      isSame(hostOf(place?.target), hostOf(own?.target)) ||
      isSame(root_cause, incident.root_cause)
    );
  };
  return others.filter((other) => other.id !== incident.id && isNear(other) && isRelated(other));
}

const isSame = (one: unknown, other: unknown) => one != null && one === other;

/** Host of a target such as `https://example.com/x`, `example.com:5432` or `example.com`. */
function hostOf(target: string | undefined): string | undefined {
  return target
    ?.replace(/^[a-z]+:\/\//, '')
    .replace(/[/?#].*$/s, '')
    .replace(/:\d+$/, '');
}

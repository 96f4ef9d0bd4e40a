import type { MemberRow } from '../../store/alerting/alert-steps.ts';
import type { Totals } from '../message/notice.ts';

/**
 * Totals over the incidents of a message. A deleted one counts from when it joined its alert until it was deleted.
 *
 * @param rows at least one.
 * @param isThere whether a monitor exists.
 */
export function totalsOf(
  rows: readonly MemberRow[],
  isThere: (monitorId: number) => boolean,
  now: number,
): Totals {
  let from = Infinity;
  let to = -Infinity;
  let open = 0;
  let acknowledged = 0;
  let isAllDown = true;
  const monitors = new Set<number>();
  const causes = new Set<string>();
  for (const { incident, monitorId, joinedAt, removedAt } of rows) {
    monitors.add(monitorId);
    from = Math.min(from, incident?.started_at ?? joinedAt);
    isAllDown &&= (incident?.type ?? 'uptime') === 'uptime';
    const endedAt = incident?.ended_at ?? null;
    if (incident === null || endedAt !== null || !isThere(monitorId)) {
      to = Math.max(to, endedAt ?? removedAt ?? now);
      continue;
    }
    open += 1;
    if (incident.acknowledged_at !== null) acknowledged += 1;
    causes.add(JSON.stringify([incident.type, incident.root_cause]));
  }
  return {
    from,
    to: open > 0 ? null : to,
    open,
    acknowledged,
    monitors: monitors.size,
    isAllDown,
    isSameCause: causes.size === 1,
  };
}

import type { MonitorDay } from '../../client/types.gen.ts';
import type { Slot } from '../../lib/bar.ts';
import type { Standing } from '../../lib/standing.ts';

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

/** Shape of a day: the worst that happened. */
export function standingOfDay({ status }: Pick<MonitorDay, 'status'>): Standing {
  return status === 'unobserved' ? 'unknown' : status;
}

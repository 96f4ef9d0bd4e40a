import { readTimes } from './stored-uptime.ts';
import { observedParts, unobservedIn, type ObservedTime } from './uptime.ts';
import type { Database } from '../../store/database/contract.ts';

/** The time of an incident. Epoch milliseconds; `endedAt` is null while it is open. */
export interface Outage {
  incidentId: number;
  monitorId: number;
  startedAt: number;
  endedAt: number | null;
}

/** The time of an incident as it is stored. */
export function outageOf(row: {
  id: number;
  monitor_id: number;
  started_at: number;
  ended_at: number | null;
}): Outage {
  const { id, monitor_id: monitorId, started_at: startedAt, ended_at: endedAt } = row;
  return { incidentId: id, monitorId, startedAt, endedAt };
}

/**
 * For how long nothing was observed in an outage, or in several taken together, by the ids of incidents: milliseconds.
 * Null if nothing at all is recorded of them.
 */
type Unobserved = (incidentIds: readonly number[]) => number | null;

/** A gap shorter than this is none: lengths of outages are shown in seconds. */
const NEGLIGIBLE_MS = 1_000;

/**
 * Reads what was observed of these outages until now, as `/uptime` counts it: whatever shows the length of an outage
 * shows it by this (contract 33.18).
 */
export async function unobservedOf(
  database: Pick<Database, 'read' | 'scan'>,
  outages: readonly Outage[],
  now: number,
): Promise<Unobserved> {
  const times = new Map<number, ObservedTime>();
  const recorded = outages.map((outage) => ({
    ...outage,
    from: outage.startedAt,
    to: Math.max(outage.startedAt, outage.endedAt ?? now),
  }));
  if (recorded.length > 0) {
    const ids = [...new Set(recorded.map(({ monitorId }) => monitorId))];
    const from = Math.min(...recorded.map((one) => one.from));
    const to = Math.max(...recorded.map((one) => one.to));
    const stored = await readTimes(database, ids, { from, to, now });
    for (const { incidentId, monitorId, ...own } of recorded) {
      const observed = observedParts({ ...stored.get(monitorId)!, ...own, now });
      if (observed.length > 0) times.set(incidentId, { from: own.from, to: own.to, observed });
    }
  }
  return (incidentIds) => {
    const known = incidentIds.flatMap((id) => times.get(id) ?? []);
    if (known.length === 0) return null;
    const milliseconds = unobservedIn(known);
    return milliseconds < NEGLIGIBLE_MS ? 0 : milliseconds;
  };
}

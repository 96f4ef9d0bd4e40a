import type { Transaction } from 'kysely';
import { heldUntil } from '../maintenance/window.ts';
import {
  alertsAround,
  newestAlerts,
  openStorms,
  suspectedBeside,
  type NewestAlert,
} from '../store/alert-storms.ts';
import type { Engine } from '../store/dialect.ts';
import { toldMonitors } from '../store/events.ts';
import { activeWindowsOf } from '../store/maintenance.ts';
import type { Schema } from '../store/schema.ts';
import { GATHER_MS, JOIN_MS, type Neighbourhood } from './gather.ts';

/** Neighbours of which it is seen whether they are in maintenance. */
const MOST = 500;

/**
 * What there is beside the alerts of a team that arise now. Nobody is told of what is in maintenance, so nobody waits
 * for it.
 *
 * @param monitorIds whose alerts arise, each once for each alert.
 */
export async function neighbourhoodOf(
  tx: Transaction<Schema>,
  engine: Engine,
  arising: { teamId: number; monitorIds: readonly number[]; now: number },
): Promise<Neighbourhood> {
  const { teamId, monitorIds, now } = arising;
  const isStormy = (await openStorms(tx, teamId, now - JOIN_MS)).length > 0;
  const windows = await activeWindowsOf(tx, [teamId], now);
  const isAlone = monitorIds.length === 1;
  const some = { arising: monitorIds.length, isStormy };
  if (windows.length === 0) {
    const suspects = isAlone ? await suspectedBeside(tx, teamId, monitorIds[0]!, 1) : [];
    const around = await alertsAround(tx, engine, teamId, now);
    return { ...some, ...around, isAnotherSuspected: suspects.length > 0 };
  }
  const suspects = isAlone ? await suspectedBeside(tx, teamId, monitorIds[0]!, MOST) : [];
  const newest = await newestAlerts(tx, teamId, now - GATHER_MS, MOST);
  const ids = [...suspects, ...newest.map(({ monitorId }) => monitorId)];
  const monitors = await toldMonitors(tx, engine, ids);
  const isTellable = (id: number) => {
    const monitor = monitors.get(id);
    return monitor !== undefined && heldUntil(windows, monitor, now) === null;
  };
  const told = newest.filter(({ monitorId }) => isTellable(monitorId));
  return { ...some, ...newestOf(told, now), isAnotherSuspected: suspects.some(isTellable) };
}

function newestOf(
  alerts: readonly NewestAlert[],
  now: number,
): Pick<Neighbourhood, 'newestAt' | 'gatheringUntil'> {
  const gathering = alerts.flatMap(({ gatherUntil }) =>
    gatherUntil !== null && gatherUntil > now ? [gatherUntil] : [],
  );
  return {
    newestAt: alerts[0]?.openedAt ?? null,
    gatheringUntil: gathering.length > 0 ? Math.min(...gathering) : null,
  };
}

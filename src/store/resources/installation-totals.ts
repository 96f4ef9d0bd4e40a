import type { Database } from '../database/contract.ts';

/** Counts over all teams, for the operator. */
export interface InstallationTotals {
  monitors: { type: string; status: string; isPaused: boolean; count: number }[];
  openIncidents: { type: string; severity: string; count: number }[];
}

/** Counts monitors and open incidents outside the main thread: monitors by a scan, incidents from an index. */
export async function readInstallationTotals({
  scan,
}: Pick<Database, 'scan'>): Promise<InstallationTotals> {
  const monitors = await scan
    .selectFrom('monitor')
    .innerJoin('monitor_state', 'monitor_state.monitor_id', 'monitor.id')
    .where('monitor.deleted_at', 'is', null)
    .groupBy(['monitor.type', 'monitor_state.status', 'monitor.is_paused'])
    .select((eb) => [
      'monitor.type',
      'monitor_state.status',
      'monitor.is_paused',
      eb.fn.countAll<number>().as('count'),
    ])
    .execute();
  const openIncidents = await scan
    .selectFrom('incident')
    .where('ended_at', 'is', null)
    .groupBy(['type', 'severity'])
    .select((eb) => ['type', 'severity', eb.fn.countAll<number>().as('count')])
    .execute();
  return {
    monitors: monitors.map(({ is_paused, ...rest }) => ({ ...rest, isPaused: is_paused === 1 })),
    openIncidents,
  };
}

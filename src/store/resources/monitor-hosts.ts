import { canonicalHostOf } from '../../lib/url-host.ts';
import { countRows } from '../database/rows.ts';
import type { Db } from '../database/contract.ts';

/** The column `host` of a monitor; empty for one without a host, as a push monitor. */
export function hostColumn(url: string | null): string {
  return (url && canonicalHostOf(url)) || '';
}

/**
 * Counts the monitors of a team with this host: paused ones too, deleted ones not.
 *
 * @param except id of a monitor that does not count; null for none.
 */
export function countMonitorsOfHost(
  db: Db,
  { teamId, host, except }: { teamId: number; host: string; except: number | null },
): Promise<number> {
  return countRows(
    db
      .selectFrom('monitor')
      .where('team_id', '=', teamId)
      .where('host', '=', host)
      .where('deleted_at', 'is', null)
      .$if(except !== null, (rows) => rows.where('id', '!=', except)),
  );
}

/** Counts the monitors of a team with each of these hosts, in one query; those without any are left out. */
export async function countMonitorsByHost(
  db: Db,
  teamId: number,
  hosts: readonly string[],
): Promise<Map<string, number>> {
  if (hosts.length === 0) return new Map();
  const rows = await db
    .selectFrom('monitor')
    .select((select) => ['host', select.fn.countAll<number>().as('count')])
    .where('team_id', '=', teamId)
    .where('host', 'in', [...new Set(hosts)])
    .where('deleted_at', 'is', null)
    .groupBy('host')
    .execute();
  return new Map(rows.map(({ host, count }) => [host, count]));
}

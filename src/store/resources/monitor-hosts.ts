import type { Kysely } from 'kysely';
import { canonicalHostOf } from '../../lib/url-host.ts';
import type { Database } from '../database/contract.ts';
import { forUpdate, rowTable } from '../database/dialect.ts';
import { BATCH_ROWS, countRows } from '../database/rows.ts';
import type { Schema } from '../database/schema.ts';

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
  db: Kysely<Schema>,
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
  db: Kysely<Schema>,
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
  return new Map(rows.map(({ host, count }) => [host ?? '', count]));
}

/** Fills in the hosts of monitors that an earlier version wrote, in small transactions. @returns how many there were. */
export async function fillInHosts(database: Database): Promise<number> {
  for (let filled = 0; ;) {
    const batch = await database.transaction(async (tx) => {
      const rows = await tx
        .selectFrom('monitor')
        .select(['id', 'url'])
        .where('host', 'is', null)
        .limit(BATCH_ROWS)
        .$call(forUpdate(database.engine, 'skipLocked'))
        .execute();
      if (rows.length === 0) return 0;
      const hosts = rows.map(({ id, url }) => [id, hostColumn(url)]);
      await tx
        .updateTable('monitor')
        .from(rowTable(tx, hosts, { id: 'integer', host: 'text' }).as('found'))
        .set((set) => ({ host: set.ref('found.host') }))
        .whereRef('monitor.id', '=', 'found.id')
        .execute();
      return rows.length;
    });
    filled += batch;
    if (batch < BATCH_ROWS) return filled;
  }
}

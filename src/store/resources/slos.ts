import { sql } from 'kysely';
import { engineOf, forUpdate, idList } from '../database/dialect.ts';
import { hasRow, prepareUpdate, updateRows } from '../database/rows.ts';
import type { Db, Row, Tx } from '../database/contract.ts';

export type SloRow = Row<'monitor_slo'>;

export interface StoredSlo {
  targetPercent: number;
  windowDays: number;
}

/** SLOs and when they are evaluated. */
export function sloRows(db: Db) {
  return {
    /** Reads the SLO of monitors by id; monitors without one are missing. */
    async read(monitorIds: readonly number[]): Promise<Map<number, StoredSlo>> {
      const rows = await db
        .selectFrom('monitor_slo')
        .select(['monitor_id', 'target_percent', 'window_days'])
        .where('monitor_id', 'in', idList(db, monitorIds))
        .execute();
      return new Map(
        rows.map((row) => [
          row.monitor_id,
          { targetPercent: row.target_percent, windowDays: row.window_days },
        ]),
      );
    },

    /** Whether the burn rate of any SLO is due. */
    isAnyDue(now: number) {
      return hasRow(db.selectFrom('monitor_slo').where('next_at', '<=', now));
    },

    /** SLO whose burn rate is due, the longest due first. Those of deleted monitors are left out. */
    async due(now: number, limit: number): Promise<DueSlo[]> {
      const { rows } = await sql<DueSlo>`
    select slo.*, incident.id as open_incident_id
    from monitor_slo as slo join monitor on monitor.id = slo.monitor_id
    left join incident on incident.monitor_id = slo.monitor_id and incident.type = 'error_budget'
      and incident.ended_at is null
    where slo.next_at <= ${now} and monitor.deleted_at is null
    order by slo.next_at, slo.monitor_id limit ${limit}`.execute(db);
      return rows;
    },
  };
}

/** Changes of SLOs. */
export function sloChanges(tx: Tx) {
  return {
    /** Locks the SLO of these monitors until the transaction ends, in the order of their ids. Missing without one. */
    async lock(monitorIds: readonly number[]): Promise<Map<number, SloRow>> {
      const rows = await tx
        .selectFrom('monitor_slo')
        .selectAll()
        .where('monitor_id', 'in', idList(tx, monitorIds))
        .orderBy('monitor_id')
        .$call(forUpdate(engineOf(tx)))
        .execute();
      return new Map(rows.map((row) => [row.monitor_id, row]));
    },

    async update(monitorId: number, columns: Partial<SloRow>) {
      await updateRows(tx, 'monitor_slo', { monitor_id: monitorId }, columns);
    },

    /** Makes the burn rate of a monitor due, as after a correction. */
    async wake(monitorId: number, now: number) {
      await tx
        .updateTable('monitor_slo')
        .set({ next_at: now })
        .where('monitor_id', '=', monitorId)
        .where('next_at', '>', now)
        .execute();
    },
  };
}

/** An SLO whose burn rate is due, and the open incident about it. */
export type DueSlo = SloRow & { open_incident_id: number | null };

/** Sets when burn rates are evaluated next. Each row is a monitor and a time (epoch ms). */
export const setNextEvaluations = prepareUpdate('monitor_slo', {
  monitor_id: 'integer',
  next_at: 'integer',
});

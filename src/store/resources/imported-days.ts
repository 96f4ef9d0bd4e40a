import { idList } from '../database/dialect.ts';
import type { Db, Tx } from '../database/contract.ts';

/** A day that another service observed. */
export interface ImportedDay {
  upSeconds: number;
  downSeconds: number;
}

export interface ImportedDays {
  /** Name of the service. */
  source: string;
  /** By date, as days since 1970. */
  days: ReadonlyMap<number, ImportedDay>;
}

/** Days before a monitor was created here, which are shown and never counted. */
export function importedDays(tx: Tx) {
  return {
    /** Replaces the imported days of a monitor; none removes them. */
    async put(monitorId: number, { source, days }: ImportedDays): Promise<void> {
      await tx.deleteFrom('imported_days').where('monitor_id', '=', monitorId).execute();
      if (days.size === 0) return;
      const rows = [...days].map(([day, { upSeconds, downSeconds }]) => [
        day,
        upSeconds,
        downSeconds,
      ]);
      const row = {
        monitor_id: monitorId,
        source,
        days: JSON.stringify(rows),
        last_day: Math.max(...days.keys()),
      };
      await tx.insertInto('imported_days').values(row).execute();
    },
  };
}

/** Reads the imported days of monitors that have any on or after a date (days since 1970), by monitor. */
export async function readImportedDays(
  db: Db,
  monitorIds: readonly number[],
  since: number,
): Promise<ReadonlyMap<number, ImportedDays>> {
  const rows = await db
    .selectFrom('imported_days')
    .select(['monitor_id', 'source', 'days'])
    .where('monitor_id', 'in', idList(db, monitorIds))
    .where('last_day', '>=', since)
    .execute();
  return new Map(
    rows.map(({ monitor_id: id, source, days }) => {
      const stored = JSON.parse(days) as [number, number, number][];
      const byDay = stored.map(
        ([day, upSeconds, downSeconds]) => [day, { upSeconds, downSeconds }] as const,
      );
      return [id, { source, days: new Map(byDay) }];
    }),
  );
}

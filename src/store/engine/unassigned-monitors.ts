import type { Transaction } from 'kysely';
import { engineOf, forUpdate } from '../database/dialect.ts';
import type { Schema } from '../database/schema.ts';

/**
 * Locks pull monitors that may need inspections and have none, as they were created before inspections existed; by id
 * after `afterId`.
 */
export function unassignedMonitors(
  tx: Transaction<Schema>,
  afterId: number,
  limit: number,
): Promise<{ id: number; type: string; url: string; port: number | null; check_types: string }[]> {
  return tx
    .selectFrom('monitor')
    .select(['id', 'type', 'url', 'port', 'check_types'])
    .where('id', '>', afterId)
    .where('deleted_at', 'is', null)
    .where('check_types', '<>', '[]')
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('monitor_inspection')
            .select('monitor_id')
            .whereRef('monitor_id', '=', 'monitor.id'),
        ),
      ),
    )
    .orderBy('id')
    .limit(limit)
    .$call(forUpdate(engineOf(tx)))
    .execute();
}

import type { Database } from '../database/contract.ts';

/** A time at which a monitor was paused or resumed, epoch ms. */
export interface PauseChange {
  at: number;
  isPaused: boolean;
}

/**
 * Reads when a monitor was paused and resumed since that time (epoch ms), in chronological order, from the audit log:
 * changes older than AUDIT_RETENTION_DAYS are missing.
 */
export async function listPauseChanges(
  { scan }: Database,
  teamId: number,
  monitorId: number,
  from: number,
): Promise<PauseChange[]> {
  const rows = await scan
    .selectFrom('audit_entry')
    .select(['action', 'created_at'])
    .where('team_id', '=', teamId)
    .where('created_at', '>=', from)
    .where('target_type', '=', 'monitor')
    .where('target_id', '=', monitorId)
    .where('action', 'in', ['monitor.paused', 'monitor.resumed'])
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({ at: row.created_at, isPaused: row.action === 'monitor.paused' }));
}

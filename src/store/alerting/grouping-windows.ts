import type { Transaction } from 'kysely';
import type { Severity } from '../../model/condition.ts';
import type { Schema } from '../database/schema.ts';

/** When the channels of a team were last notified of something new, since then (epoch ms), by destination. */
export async function groupingWindowsOf(
  tx: Transaction<Schema>,
  teamId: number,
  since: number,
): Promise<Map<number, { openedAt: number; severity: Severity }>> {
  const rows = await tx
    .selectFrom('grouping_window')
    .select(['destination_id', 'opened_at', 'severity'])
    .where('team_id', '=', teamId)
    .where('opened_at', '>', since)
    .execute();
  return new Map(
    rows.map((row) => [
      row.destination_id,
      { openedAt: row.opened_at, severity: row.severity as Severity },
    ]),
  );
}

/** These channels are notified of something new now. Names each destination once. */
export async function openGroupingWindows(
  tx: Transaction<Schema>,
  teamId: number,
  opened: readonly { destinationId: number; severity: Severity }[],
  now: number,
): Promise<void> {
  if (opened.length === 0) return;
  await tx
    .insertInto('grouping_window')
    .values(
      opened.map(({ destinationId, severity }) => ({
        team_id: teamId,
        destination_id: destinationId,
        opened_at: now,
        severity,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['team_id', 'destination_id']).doUpdateSet((eb) => ({
        opened_at: eb.ref('excluded.opened_at'),
        severity: eb.ref('excluded.severity'),
      })),
    )
    .execute();
}

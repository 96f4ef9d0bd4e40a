import type { RecordedPing } from '../../src/model/heartbeat.ts';
import type { Database } from '../../src/store/database/contract.ts';
import { pingChanges } from '../../src/store/engine/pings.ts';

/** A ping as `curl` sends it. */
export const PLAIN_PING: Omit<RecordedPing, 'monitorId' | 'number' | 'at'> = {
  kind: 'success',
  exitCode: null,
  runId: null,
  durationMs: null,
  sourceAddress: '192.0.2.1',
  userAgent: 'curl/8.5.0',
  body: null,
  isBodyCut: false,
};

export type TestPing = Partial<typeof PLAIN_PING> & { at: number };

/** Stores the next pings of a monitor, oldest first, as if they had been received. */
export async function storePings(
  database: Database,
  monitorId: number,
  pings: readonly TestPing[],
): Promise<void> {
  await database.transaction(async (tx) => {
    const { ping_count: before } = await tx
      .selectFrom('monitor_state')
      .select('ping_count')
      .where('monitor_id', '=', monitorId)
      .executeTakeFirstOrThrow();
    const recorded = pings.map((ping, index) => ({
      ...PLAIN_PING,
      ...ping,
      monitorId,
      number: before + index + 1,
    }));
    await pingChanges(tx).insert(recorded);
    await tx
      .updateTable('monitor_state')
      .set({ ping_count: before + pings.length })
      .where('monitor_id', '=', monitorId)
      .execute();
  });
}

/** The numbers of a monitor's stored pings, oldest first. */
export async function numbersOf(database: Database, monitorId: number): Promise<number[]> {
  const rows = await database.read
    .selectFrom('ping')
    .select('number')
    .where('monitor_id', '=', monitorId)
    .orderBy('number')
    .execute();
  return rows.map(({ number }) => number);
}

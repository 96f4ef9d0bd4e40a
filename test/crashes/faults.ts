import type { Kysely } from 'kysely';
import { createNotifier } from '../../src/alerting/notifier.ts';
import type { HttpResponse } from '../../src/net/http-client.ts';
import type { Database } from '../../src/store/database/contract.ts';
import type { Schema } from '../../src/store/database/schema.ts';
import { answer } from '../support/delivery-worker.ts';
import { waitUntil } from '../support/event-loop.ts';
import { wrapDatabase } from '../support/wrapped-database.ts';
import type { Doubles } from './run-story.ts';
import type { CrashingProcess } from './crashing-process.ts';

type Dependencies = Parameters<typeof createNotifier>[0];

/** Faults that go unnoticed until a process crashes. */
export const FAULTS: Record<string, Doubles> = {
  'a delivery is recorded before it is sent': {
    async send(process: CrashingProcess, receive: () => Promise<HttpResponse>) {
      const before = process.steps.length;
      const isRecorded = () => process.steps.slice(before).includes('after commit');
      const later = async (): Promise<void> => {
        await waitUntil(() => process.hasCrashed() || isRecorded());
        await process.send(receive);
      };
      void later();
      return answer(200);
    },
  },
  'events are marked as fanned out in a separate transaction': {
    createNotifier(dependencies: Dependencies) {
      return createNotifier({ ...dependencies, database: markBeforeFanOut(dependencies) });
    },
  },
};

function markBeforeFanOut({ database, clock }: Dependencies): Database {
  async function transaction(work: Parameters<Database['transaction']>[0]): Promise<unknown> {
    const due = await database.read
      .selectFrom('event')
      .select('id')
      .where('fan_out_at', '<=', clock.now())
      .execute();
    const ids = due.map(({ id }) => id);
    await database.transaction((tx) => mark(tx, null, ids));
    return database.transaction(async (tx) => {
      await mark(tx, clock.now(), ids);
      return work(tx);
    });
  }
  return wrapDatabase(database, { transaction: transaction as Database['transaction'] });
}

async function mark(db: Kysely<Schema>, at: number | null, ids: number[]): Promise<void> {
  if (ids.length === 0) return;
  await db.updateTable('event').set({ fan_out_at: at }).where('id', 'in', ids).execute();
}

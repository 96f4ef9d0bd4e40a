import type { Kysely } from 'kysely';
import { createNotifier } from '../../src/alerting/notifier.ts';
import type { NotifierDependencies } from '../../src/alerting/notifier.ts';
import type { HttpResponse } from '../../src/net/http-client.ts';
import type { Database } from '../../src/store/database/contract.ts';
import type { Schema } from '../../src/store/database/schema.ts';
import { answer } from '../support/delivery-worker.ts';
import type { Doubles } from './life.ts';
import type { Mortal } from './mortal.ts';

const turn = () => new Promise<void>((resolve) => void setImmediate(resolve));

/** What a product might do that seems to work until a process dies. */
export const BREAKS: Record<string, Doubles> = {
  'what was sent is recorded before it is sent': {
    async sending(life: Mortal, receive: () => Promise<HttpResponse>) {
      const before = life.steps.length;
      const isRecorded = () => life.steps.slice(before).includes('after commit');
      const later = async (): Promise<void> => {
        while (!life.isDead() && !isRecorded()) await turn();
        await life.sending(receive);
      };
      void later();
      return answer(200);
    },
  },
  'events are marked as handed on in a transaction of its own': {
    createNotifier(dependencies: NotifierDependencies) {
      return createNotifier({ ...dependencies, database: markingFirst(dependencies) });
    },
  },
};

function markingFirst({ database, clock }: NotifierDependencies): Database {
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
  return Object.create(database, { transaction: { value: transaction } }) as Database;
}

async function mark(db: Kysely<Schema>, at: number | null, ids: number[]): Promise<void> {
  if (ids.length === 0) return;
  await db.updateTable('event').set({ fan_out_at: at }).where('id', 'in', ids).execute();
}

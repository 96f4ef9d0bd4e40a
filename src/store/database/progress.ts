import type { Kysely, Transaction } from 'kysely';
import type { Schema } from './schema.ts';

/** How far a slow job has come, in its own unit; null before its first step. `from`: `database.read`, or a `tx`. */
export async function getProgress(from: Kysely<Schema>, name: string): Promise<number | null> {
  const row = await from
    .selectFrom('progress')
    .select('position')
    .where('name', '=', name)
    .executeTakeFirst();
  return row?.position ?? null;
}

/** Kept in the transaction of the step itself, so that a crash repeats the step or doesn't, but never half of it. */
export async function setProgress(
  tx: Transaction<Schema>,
  name: string,
  position: number,
): Promise<void> {
  await tx
    .insertInto('progress')
    .values({ name, position })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ position }))
    .execute();
}

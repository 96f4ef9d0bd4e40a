import { sql } from 'kysely';
import type { Kysely, Transaction } from 'kysely';
import type { Schema } from './schema.ts';

/** How far a slow job has come, in its own unit; null before its first step. `from`: `database.read`, or a `tx`. */
export async function getProgress(from: Kysely<Schema>, name: string): Promise<number | null> {
  // Every process asks all the time: as text a statement takes a third of the time that the query builder needs.
  const { rows } = await sql<{ position: number }>`
    select position from progress where name = ${name}`.execute(from);
  return rows[0]?.position ?? null;
}

/** Kept in the transaction of the step itself, so that a crash repeats the step or doesn't, but never half of it. */
export async function setProgress(
  tx: Transaction<Schema>,
  name: string,
  position: number,
): Promise<void> {
  await sql`
    insert into progress (name, position) values (${name}, ${position})
    on conflict (name) do update set position = excluded.position`.execute(tx);
}

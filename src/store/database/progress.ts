import { sql } from 'kysely';
import type { Kysely, Transaction } from 'kysely';
import type { Schema } from './schema.ts';
import { prepareQuery } from './prepared-statements.ts';

/** Reads the position of a long-running job, in its own unit; null before its first step. */
export async function getProgress(db: Kysely<Schema>, name: string): Promise<number | null> {
  const [row] = await positionOf(db, { name });
  return row?.position ?? null;
}

const positionOf = prepareQuery<{ position: number }, 'name'>(
  ['name'],
  ({ name }) => sql`select position from progress where name = ${name}`,
);

/** Stores the position in the transaction of the step itself, so that a crash never leaves half a step. */
export async function setProgress(
  tx: Transaction<Schema>,
  name: string,
  position: number,
): Promise<void> {
  await sql`
    insert into progress (name, position) values (${name}, ${position})
    on conflict (name) do update set position = excluded.position`.execute(tx);
}

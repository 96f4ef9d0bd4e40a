import type { Kysely } from 'kysely';
import type { Schema } from './schema.ts';

/** @returns the new person's id. */
export async function insertPerson(
  db: Kysely<Schema>,
  person: { name: string; email: string; timezone: string },
  now: number,
): Promise<number> {
  const row = await db
    .insertInto('person')
    .values({ ...person, email: person.email.toLowerCase(), created_at: now, updated_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

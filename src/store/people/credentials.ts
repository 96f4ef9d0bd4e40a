import type { Kysely, Transaction } from 'kysely';
import type { Schema } from '../database/schema.ts';

/** The provider of passwords, as better-auth names it. */
export const PASSWORD_PROVIDER = 'credential';

/** The person signs in with that password from then on, whether or not there was one. */
export async function setPasswordHash(
  tx: Transaction<Schema>,
  personId: number,
  hash: string,
  now: number,
): Promise<void> {
  await tx
    .insertInto('credential')
    .values({
      person_id: personId,
      provider_id: PASSWORD_PROVIDER,
      account_id: String(personId),
      password: hash,
      scope: null,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['provider_id', 'account_id'])
        .doUpdateSet({ password: hash, updated_at: now }),
    )
    .execute();
}

export async function hasPassword(db: Kysely<Schema>, personId: number): Promise<boolean> {
  const row = await db
    .selectFrom('credential')
    .select('id')
    .where('person_id', '=', personId)
    .where('provider_id', '=', PASSWORD_PROVIDER)
    .where('password', 'is not', null)
    .executeTakeFirst();
  return row !== undefined;
}

import type { Db } from '../database/contract.ts';
import { hasRow, putRows } from '../database/rows.ts';

/** better-auth's name for the provider of passwords. */
export const PASSWORD_PROVIDER = 'credential';

/** Passwords of people, hashed. */
export function passwordStore(db: Db) {
  return {
    async set(personId: number, hash: string, now: number) {
      const row = {
        person_id: personId,
        provider_id: PASSWORD_PROVIDER,
        account_id: String(personId),
        password: hash,
        created_at: now,
        updated_at: now,
      };
      const key = ['provider_id', 'account_id'] as const;
      await putRows(db, 'credential', key, [row], ['person_id', 'created_at']);
    },

    async find(personId: number) {
      const row = await db
        .selectFrom('credential')
        .select('password')
        .where('person_id', '=', personId)
        .where('provider_id', '=', PASSWORD_PROVIDER)
        .executeTakeFirst();
      return row?.password ?? null;
    },

    async has(personId: number) {
      return hasRow(db, 'credential', {
        person_id: personId,
        provider_id: PASSWORD_PROVIDER,
        password: ['is not', null],
      });
    },
  };
}

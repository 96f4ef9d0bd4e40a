import type { Kysely, Selectable, Transaction } from 'kysely';
import { engineOf, forUpdate } from '../database/dialect.ts';
import type { Schema } from '../database/schema.ts';
import type { PersonTable } from '../database/schema-people.ts';

/** Who somebody is, in whichever teams. */
export type AccountRow = Pick<
  Selectable<PersonTable>,
  'id' | 'name' | 'email' | 'timezone' | 'email_verified'
>;

/** Undefined when there is no such person. */
export function findAccount(db: Kysely<Schema>, id: number): Promise<AccountRow | undefined> {
  return selectAccounts(db).where('id', '=', id).executeTakeFirst();
}

/** Undefined when nobody has that address; its case does not matter. */
export function findAccountByEmail(
  db: Kysely<Schema>,
  email: string,
): Promise<AccountRow | undefined> {
  return selectAccounts(db).where('email', '=', email.toLowerCase()).executeTakeFirst();
}

/** The same, and writers that hold the same person wait until the transaction ends. */
export function lockAccount(tx: Transaction<Schema>, id: number): Promise<AccountRow | undefined> {
  return selectAccounts(tx)
    .where('id', '=', id)
    .$call(forUpdate(engineOf(tx)))
    .executeTakeFirst();
}

function selectAccounts(db: Kysely<Schema>) {
  return db.selectFrom('person').select(['id', 'name', 'email', 'timezone', 'email_verified']);
}

export async function updateAccount(
  db: Kysely<Schema>,
  id: number,
  columns: Partial<Omit<AccountRow, 'id'>>,
  now: number,
): Promise<void> {
  await db
    .updateTable('person')
    .set({ ...columns, updated_at: now })
    .where('id', '=', id)
    .execute();
}

/** What a person is in each of their teams, those where they are disabled included. */
export function listRoles(
  db: Kysely<Schema>,
  personId: number,
): Promise<{ team_id: number; role: string; status: string }[]> {
  return db
    .selectFrom('member')
    .innerJoin('team', 'team.id', 'member.team_id')
    .where('member.person_id', '=', personId)
    .where('team.deleted_at', 'is', null)
    .select(['member.team_id', 'member.role', 'member.status'])
    .orderBy('member.team_id')
    .execute();
}

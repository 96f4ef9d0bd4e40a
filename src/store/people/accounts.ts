import { engineOf, forUpdate } from '../database/dialect.ts';
import type { Db, Row, Tx } from '../database/contract.ts';
import { updateRow } from '../database/rows.ts';

export type AccountRow = Pick<
  Row<'person'>,
  'id' | 'name' | 'email' | 'timezone' | 'email_verified'
>;

/** People as they see themselves. */
export function accountStore(db: Db) {
  return {
    find(id: number): Promise<AccountRow | undefined> {
      return selectAccounts(db).where('id', '=', id).executeTakeFirst();
    },

    /** Finds a person by address in any case; undefined for an unknown one. */
    findByEmail(email: string) {
      return selectAccounts(db).where('email', '=', email.toLowerCase()).executeTakeFirst();
    },

    async update(id: number, columns: Partial<Omit<AccountRow, 'id'>>, now: number) {
      await updateRow(db, 'person', id, { ...columns, updated_at: now });
    },

    /** Lists the roles of a person in all their teams, including those where they are disabled. */
    listRoles(personId: number) {
      return db
        .selectFrom('member')
        .innerJoin('team', 'team.id', 'member.team_id')
        .where('member.person_id', '=', personId)
        .where('team.deleted_at', 'is', null)
        .select(['member.team_id', 'member.role', 'member.status'])
        .orderBy('member.team_id')
        .execute();
    },

    /** Confirmed addresses of a person and of the active members of a team, in lower case. */
    async confirmedAddresses({
      personId,
      teamId,
    }: {
      personId: number | null;
      teamId: number | null;
    }): Promise<Set<string>> {
      const members = await db
        .selectFrom('member')
        .innerJoin('person', 'person.id', 'member.person_id')
        .where('member.team_id', '=', teamId ?? 0)
        .where('member.status', '=', 'active')
        .where('person.email_verified', '=', 1)
        .select('person.email')
        .execute();
      const own = personId === null ? undefined : await this.find(personId);
      const all = own?.email_verified === 1 ? [...members, own] : members;
      return new Set(all.map(({ email }) => email));
    },
  };
}

/** Finds a person and locks the row until the transaction ends. */
export function lockAccount(tx: Tx, id: number): Promise<AccountRow | undefined> {
  return selectAccounts(tx)
    .where('id', '=', id)
    .$call(forUpdate(engineOf(tx)))
    .executeTakeFirst();
}

function selectAccounts(db: Db) {
  return db.selectFrom('person').select(['id', 'name', 'email', 'timezone', 'email_verified']);
}

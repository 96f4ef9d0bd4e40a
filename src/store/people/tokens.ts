import type { Insertable } from 'kysely';
import type { Db, Row, Schema } from '../database/contract.ts';
import {
  insertRow,
  updateRow,
  countRows,
  findRows,
  deleteRows,
  findRow,
} from '../database/rows.ts';

/** What is read of the person, team and active membership behind a token or a grant, which is joined. */
export function selectHolders(db: Db) {
  return db
    .selectFrom('member')
    .innerJoin('person', 'person.id', 'member.person_id')
    .innerJoin('team', 'team.id', 'member.team_id')
    .where('member.status', '=', 'active')
    .where('team.deleted_at', 'is', null)
    .select([
      'person.id as person_id',
      'person.name as person_name',
      'person.email',
      'person.timezone',
      'team.id as team_id',
      'team.name as team_name',
      'team.slug',
      'team.personal_team',
      'team.plan',
      'member.role',
      'team.mfa_required',
      'person.mfa_enabled',
    ])
    .select((select) =>
      select
        .exists(
          select
            .selectFrom('passkey')
            .select('passkey.id')
            .whereRef('passkey.person_id', '=', 'member.person_id'),
        )
        .as('has_passkey'),
    );
}

/** Tokens of people. */
export function tokenStore(db: Db) {
  return {
    /**
     * The holder of the token with this hash; undefined when it is unknown or revoked, and when its holder is not an active
     * member of its team. Expired tokens are included.
     */
    findHolder(hash: string) {
      return selectHolders(db)
        .innerJoin('token', (join) =>
          join
            .onRef('token.team_id', '=', 'member.team_id')
            .onRef('token.person_id', '=', 'member.person_id'),
        )
        .where('token.hash', '=', hash)
        .select([
          'token.id as token_id',
          'token.name as token_name',
          'token.permissions',
          'token.expires_at',
          'token.last_used_at',
        ])
        .executeTakeFirst();
    },

    async insert(token: TokenColumns, now: number) {
      return insertRow(db, 'token', { ...token, created_at: now });
    },

    listByName(personId: number, name: string) {
      return findRows(db, 'token', { person_id: personId, name }, ['hash', 'team_id']);
    },

    async deleteByName(personId: number, name: string) {
      await deleteRows(db, 'token', { person_id: personId, name });
    },

    /** Finds the person whose token has that hash; null for an unknown one. */
    async holderOfHash(hash: string): Promise<number | null> {
      const row = await findRow(db, 'token', { hash }, ['person_id']);
      return row?.person_id ?? null;
    },

    async deleteByHash(hash: string) {
      await db.deleteFrom('token').where('hash', '=', hash).execute();
    },

    async move(tokenId: number, teamId: number) {
      await updateRow(db, 'token', tokenId, { team_id: teamId });
    },

    async count(personId: number) {
      return countRows(db.selectFrom('token').where('person_id', '=', personId));
    },
  };
}

export type TokenHolder = NonNullable<
  Awaited<ReturnType<ReturnType<typeof tokenStore>['findHolder']>>
>;

/** The columns of a new token; settings without a value get the default of their column. */
export type TokenColumns = Omit<Insertable<Schema['token']>, 'id' | 'last_used_at' | 'created_at'>;

export type TokenRow = Row<'token'>;

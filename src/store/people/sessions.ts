import type { Db } from '../database/contract.ts';
import { deleteRows, hasRow, updateRow } from '../database/rows.ts';

/** Sessions of people. */
export function sessionStore(db: Db) {
  return {
    /** Finds the holder of the session with this hash; undefined for an unknown one. Expired sessions are included. */
    async findHolder(hash: string) {
      const row = await db
        .selectFrom('session')
        .innerJoin('person', 'person.id', 'session.person_id')
        .leftJoin('member', (join) =>
          join
            .onRef('member.team_id', '=', 'session.team_id')
            .onRef('member.person_id', '=', 'session.person_id')
            .on('member.status', '=', 'active'),
        )
        .leftJoin('team', (join) =>
          join.onRef('team.id', '=', 'member.team_id').on('team.deleted_at', 'is', null),
        )
        .where('session.hash', '=', hash)
        .select([
          'session.id',
          'session.method',
          'session.created_at',
          'session.expires_at',
          'session.last_used_at',
          'person.id as person_id',
          'person.name as person_name',
          'person.email',
          'person.timezone',
          'person.email_verified',
          'person.mfa_enabled',
          'member.role',
          'team.id as team_id',
          'team.name as team_name',
          'team.slug',
          'team.personal_team',
          'team.plan',
          'team.mfa_required',
        ])
        .executeTakeFirst();
      if (row === undefined) return undefined;
      const { id, method, created_at, expires_at, last_used_at } = row;
      const { email, email_verified, timezone, mfa_enabled } = row;
      return {
        session: { id, method, created_at, expires_at, last_used_at },
        person: {
          id: row.person_id,
          name: row.person_name,
          email,
          email_verified,
          timezone,
          mfa_enabled,
        },
        team:
          row.team_id === null
            ? null
            : {
                id: row.team_id,
                name: row.team_name!,
                slug: row.slug!,
                personal_team: row.personal_team!,
                plan: row.plan,
                mfa_required: row.mfa_required!,
                role: row.role!,
              },
      };
    },

    /** True for active members of a team, whether current or not, that requires two-factor authentication. */
    async isInTeamThatRequiresMfa(personId: number) {
      return hasRow(
        db
          .selectFrom('member')
          .innerJoin('team', 'team.id', 'member.team_id')
          .where('member.person_id', '=', personId)
          .where('member.status', '=', 'active')
          .where('team.deleted_at', 'is', null)
          .where('team.mfa_required', '=', 1),
      );
    },

    /** Records when a credential was used. The time never moves backwards, as several processes record it. */
    async recordLastUse(table: 'token' | 'session' | 'oauth_grant', id: number, now: number) {
      await db
        // The three have the same columns; Kysely's types can't follow a union of tables.
        .updateTable(table as 'token')
        .set({ last_used_at: now })
        .where('id', '=', id)
        .where((or) => or.or([or('last_used_at', 'is', null), or('last_used_at', '<', now)]))
        .execute();
    },

    /** Makes calls of the session act on that team, and the person's next sessions, too. */
    async move(session: { id: number; personId: number }, teamId: number) {
      await updateRow(db, 'session', session.id, { team_id: teamId });
      await updateRow(db, 'person', session.personId, { team_id: teamId });
    },

    async delete(personId: number, id: number) {
      return (await deleteRows(db, 'session', { person_id: personId, id })) > 0;
    },

    async deleteAllOf(personId: number, exceptId: number | null = null) {
      const others = exceptId !== null && ({ id: ['!=', exceptId] } as const);
      return deleteRows(db, 'session', { person_id: personId, ...others });
    },
  };
}

/** A session with its person, and with its team where they are an active member. */
export type SessionHolder = NonNullable<
  Awaited<ReturnType<ReturnType<typeof sessionStore>['findHolder']>>
>;

import { sql } from 'kysely';
import type { Db } from '../database/contract.ts';
import { insertRow, hasRow, insertOnce } from '../database/rows.ts';

export interface NewPerson {
  name: string;
  /** In any case; stored in lower case. */
  email: string;
  timezone: string;
}

/** People, and the members of teams. */
export function peopleStore(db: Db) {
  return {
    insert: (person: NewPerson, now: number) => insertRow(db, 'person', rowOf(person, now)),

    /** Inserts a person unless the address is taken. @returns their id; null when it is taken. */
    insertOnce: (person: NewPerson, now: number) => insertOnce(db, 'person', rowOf(person, now)),

    /** Lists all members of the team, including disabled ones: the owner first, then by name. */
    listMembers(teamId: number) {
      return selectMembers(db, teamId)
        .orderBy(sql`case when member.role = 'owner' then 0 else 1 end`)
        .orderBy('person.name')
        .orderBy('person.id')
        .execute();
    },

    /** Finds a member, including a disabled one; undefined for others. */
    findMember(teamId: number, personId: number) {
      return selectMembers(db, teamId).where('person.id', '=', personId).executeTakeFirst();
    },

    async hasSecondFactor(personId: number) {
      return hasRow(
        db
          .selectFrom('person')
          .where('id', '=', personId)
          .where((or) =>
            or.or([
              or('mfa_enabled', '=', 1),
              or.exists(
                or
                  .selectFrom('passkey')
                  .select('passkey.id')
                  .where('passkey.person_id', '=', personId),
              ),
            ]),
          ),
      );
    },
  };
}

const rowOf = (person: NewPerson, now: number) => ({
  ...person,
  email: person.email.toLowerCase(),
  created_at: now,
  updated_at: now,
});

export type MemberRow = NonNullable<
  Awaited<ReturnType<ReturnType<typeof peopleStore>['findMember']>>
>;

function selectMembers(db: Db, teamId: number) {
  return db
    .selectFrom('member')
    .innerJoin('person', 'person.id', 'member.person_id')
    .innerJoin('team', 'team.id', 'member.team_id')
    .where('member.team_id', '=', teamId)
    .select([
      'person.id',
      'person.name',
      'person.email',
      'person.mfa_enabled',
      'person.last_login_at',
      'person.created_at',
      'member.role',
      'member.status',
    ])
    .select((select) =>
      select
        .case()
        // A person may become the owner of a team that they joined later (contract 37.11).
        .when('member.role', '=', 'owner')
        .then(select.ref('team.created_at'))
        .else(select.ref('member.added_at'))
        .end()
        .as('added_at'),
    );
}

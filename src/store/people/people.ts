import { sql, type Kysely } from 'kysely';
import type { Schema } from '../database/schema.ts';

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

/** The same, unless somebody has that address by now. @returns null then. */
export async function insertPersonOnce(
  db: Kysely<Schema>,
  person: { name: string; email: string; timezone: string },
  now: number,
): Promise<number | null> {
  const row = await db
    .insertInto('person')
    .values({ ...person, email: person.email.toLowerCase(), created_at: now, updated_at: now })
    // Postgres waits for the other transaction here, and then sees what it took.
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id ?? null;
}

/** A person and what they are in one team. */
export interface MemberRow {
  id: number;
  name: string;
  email: string;
  role: string;
  status: string;
  mfa_enabled: number;
  last_login_at: number | null;
  created_at: number;
  added_at: number;
}

/** Everybody in the team, disabled members too: the owner first, then by name. */
export function listMembers(db: Kysely<Schema>, teamId: number): Promise<MemberRow[]> {
  return selectMembers(db, teamId)
    .orderBy(sql`case when member.role = 'owner' then 0 else 1 end`)
    .orderBy('person.name')
    .orderBy('person.id')
    .execute();
}

/** A disabled member, too; undefined for anybody else. */
export function findMember(
  db: Kysely<Schema>,
  teamId: number,
  personId: number,
): Promise<MemberRow | undefined> {
  return selectMembers(db, teamId).where('person.id', '=', personId).executeTakeFirst();
}

/** Whether they have an authenticator or a passkey to sign in with. */
export async function hasSecondFactor(db: Kysely<Schema>, personId: number): Promise<boolean> {
  const row = await db
    .selectFrom('person')
    .select('id')
    .where('id', '=', personId)
    .where((or) =>
      or.or([
        or('mfa_enabled', '=', 1),
        or.exists(
          or.selectFrom('passkey').select('passkey.id').where('passkey.person_id', '=', personId),
        ),
      ]),
    )
    .executeTakeFirst();
  return row !== undefined;
}

function selectMembers(db: Kysely<Schema>, teamId: number) {
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
        // Somebody may come to own a team that they joined later (contract 37.11).
        .when('member.role', '=', 'owner')
        .then(select.ref('team.created_at'))
        .else(select.ref('member.added_at'))
        .end()
        .as('added_at'),
    );
}

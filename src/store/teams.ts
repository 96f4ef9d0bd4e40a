import type { Kysely, Selectable, Transaction } from 'kysely';
import { forUpdate, type Engine } from './dialect.ts';
import type { Schema, TeamTable } from './schema.ts';

/** @returns the new team's id. */
export async function insertTeam(
  db: Kysely<Schema>,
  team: { name: string; slug: string; personalTeam: boolean },
  now: number,
): Promise<number> {
  const row = await db
    .insertInto('team')
    .values({
      name: team.name,
      slug: team.slug,
      personal_team: team.personalTeam ? 1 : 0,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

export async function insertMember(
  db: Kysely<Schema>,
  teamId: number,
  personId: number,
  role: string,
  now: number,
): Promise<void> {
  await db
    .insertInto('member')
    .values({ team_id: teamId, person_id: personId, role, status: 'active', added_at: now })
    .execute();
}

/** The first team that the person owns; null when there is none. */
export async function firstOwnedTeam(db: Kysely<Schema>, personId: number): Promise<number | null> {
  const row = await db
    .selectFrom('member')
    .select('team_id')
    .where('person_id', '=', personId)
    .where('role', '=', 'owner')
    .orderBy('team_id')
    .limit(1)
    .executeTakeFirst();
  return row?.team_id ?? null;
}

/** Keeps other writers that lock the same team waiting until the transaction ends. */
export async function lockTeam(
  tx: Transaction<Schema>,
  engine: Engine,
  teamId: number,
): Promise<void> {
  await tx
    .selectFrom('team')
    .select('id')
    .where('id', '=', teamId)
    .$call(forUpdate(engine))
    .execute();
}

/** A team and what the person is there. */
export type MembershipRow = Pick<
  Selectable<TeamTable>,
  'id' | 'name' | 'slug' | 'personal_team'
> & { role: string };

/** The teams in which the person is an active member. */
export function listMemberships(db: Kysely<Schema>, personId: number): Promise<MembershipRow[]> {
  return selectMemberships(db, personId).orderBy('team.name').orderBy('team.id').execute();
}

/** Undefined when there is no such team, and when the person is no active member of it. */
export function findMembership(
  db: Kysely<Schema>,
  personId: number,
  teamId: number,
): Promise<MembershipRow | undefined> {
  return selectMemberships(db, personId).where('team.id', '=', teamId).executeTakeFirst();
}

function selectMemberships(db: Kysely<Schema>, personId: number) {
  return db
    .selectFrom('member')
    .innerJoin('team', 'team.id', 'member.team_id')
    .where('member.person_id', '=', personId)
    .where('member.status', '=', 'active')
    .select(['team.id', 'team.name', 'team.slug', 'team.personal_team', 'member.role']);
}

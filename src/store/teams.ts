import type { Kysely } from 'kysely';
import type { Schema } from './schema.ts';

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

import type { Kysely, Selectable, Transaction } from 'kysely';
import type { Schema } from '../database/schema.ts';
import { updateRow, countRows } from '../database/rows.ts';

export type PersonRow = Selectable<Schema['person']>;
export type TeamRow = Selectable<Schema['team']>;

/** Finds a person by address. @param email in any case. */
export function findPersonByEmail(db: Kysely<Schema>, email: string) {
  return db
    .selectFrom('person')
    .selectAll()
    .where('email', '=', email.toLowerCase())
    .executeTakeFirst();
}

export function listPeople(db: Kysely<Schema>): Promise<PersonRow[]> {
  return db.selectFrom('person').selectAll().orderBy('email').execute();
}

/** Lists the memberships of all people or of one, including disabled ones; the oldest team first. */
export function listAllMemberships(db: Kysely<Schema>, personId: number | null = null) {
  return db
    .selectFrom('member')
    .innerJoin('team', 'team.id', 'member.team_id')
    .where('team.deleted_at', 'is', null)
    .$if(personId !== null, (query) => query.where('member.person_id', '=', personId!))
    .select(['member.person_id', 'team.id as team_id', 'team.slug', 'member.role', 'member.status'])
    .orderBy('team.id')
    .orderBy('member.person_id')
    .execute();
}

export type MembershipOfPerson = Awaited<ReturnType<typeof listAllMemberships>>[number];

export function findTeamBySlug(db: Kysely<Schema>, slug: string): Promise<TeamRow | undefined> {
  return db
    .selectFrom('team')
    .selectAll()
    .where('slug', '=', slug)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
}

/** A team with its numbers of members and monitors, and the address of its owner. */
export type CountedTeam = TeamRow & { members: number; monitors: number; owner: string | null };

/** Lists teams that are not deleted, by slug. */
export function listTeams(db: Kysely<Schema>): Promise<CountedTeam[]> {
  return db
    .selectFrom('team')
    .selectAll('team')
    .where('team.deleted_at', 'is', null)
    .select(({ selectFrom, fn }) => [
      selectFrom('member')
        .whereRef('member.team_id', '=', 'team.id')
        .select(fn.countAll<number>().as('count'))
        .as('members'),
      selectFrom('monitor')
        .whereRef('monitor.team_id', '=', 'team.id')
        .where('monitor.deleted_at', 'is', null)
        .select(fn.countAll<number>().as('count'))
        .as('monitors'),
      selectFrom('member')
        .innerJoin('person', 'person.id', 'member.person_id')
        .whereRef('member.team_id', '=', 'team.id')
        .where('member.role', '=', 'owner')
        .select('person.email')
        .orderBy('person.id')
        .limit(1)
        .as('owner'),
    ])
    .orderBy('team.slug')
    .execute() as Promise<CountedTeam[]>;
}

/** Sets the subscription plan of a team. @param plan null for the default of PLANS_FILE. */
export async function setTeamPlan(
  tx: Transaction<Schema>,
  teamId: number,
  plan: string | null,
  now: number,
): Promise<void> {
  await updateRow(tx, 'team', teamId, { plan, updated_at: now });
}

/** Deletes a person's authenticator and its recovery codes; passkeys stay. */
export async function removeTwoFactor(tx: Transaction<Schema>, personId: number, now: number) {
  await tx.deleteFrom('two_factor').where('person_id', '=', personId).execute();
  await tx.deleteFrom('used_code').where('person_id', '=', personId).execute();
  await updateRow(tx, 'person', personId, { mfa_enabled: 0, updated_at: now });
}

export async function countPasskeys(db: Kysely<Schema>, personId: number): Promise<number> {
  return countRows(db.selectFrom('passkey').where('person_id', '=', personId));
}

/** Lists a team's tokens, the oldest first. */
export function listTokensOfTeam(db: Kysely<Schema>, teamId: number) {
  return db.selectFrom('token').selectAll().where('team_id', '=', teamId).orderBy('id').execute();
}

/** Lists the ids of a team's monitors above the given one, in order; without deleted monitors. */
export async function monitorIdsAfter(
  db: Kysely<Schema>,
  teamId: number,
  after: number,
  limit: number,
): Promise<number[]> {
  const rows = await db
    .selectFrom('monitor')
    .select('id')
    .where('team_id', '=', teamId)
    .where('deleted_at', 'is', null)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map((row) => row.id);
}

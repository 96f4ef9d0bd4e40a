import type { Kysely, Selectable, Transaction } from 'kysely';
import { engineOf, forUpdate } from '../database/dialect.ts';
import type { Schema } from '../database/schema.ts';
import type { TeamTable } from '../database/schema-people.ts';
import { slugOf } from '../resources/slug.ts';

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

/** What a team is founded with. */
export interface NewTeam {
  name: string;
  /** What its slug is made of; the name unless told otherwise. */
  slugFrom?: string;
  personalTeam: boolean;
  ownerId: number;
}

/**
 * A new team with its owner, also when others of that name come at once: where another team has the slug, a number is
 * appended, `-2`, `-3` and so on. Every team comes about here.
 *
 * @returns its id and the slug that it got.
 */
export async function createTeam(
  tx: Transaction<Schema>,
  { name, slugFrom = name, personalTeam, ownerId }: NewTeam,
  now: number,
): Promise<{ id: number; slug: string }> {
  const wanted = slugOf(slugFrom);
  for (;;) {
    const free = await freeSlug(tx, wanted);
    const row = await tx
      .insertInto('team')
      .values({
        name,
        slug: free,
        personal_team: personalTeam ? 1 : 0,
        created_at: now,
        updated_at: now,
      })
      // Postgres waits for the other transaction here, and then sees what it took.
      .onConflict((conflict) => conflict.column('slug').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (row === undefined) continue;
    await insertMember(tx, row.id, ownerId, 'owner', now);
    return { id: row.id, slug: free };
  }
}

/** So long a name may be that people give a team. */
const LONGEST_NAME = 100;
const OWN = "'s team";

/** The team that somebody has of their own. */
export function createPersonalTeam(
  tx: Transaction<Schema>,
  person: { id: number; name: string },
  now: number,
): Promise<{ id: number; slug: string }> {
  const characters = [...person.name].slice(0, LONGEST_NAME - OWN.length);
  const name = characters.join('') + OWN;
  const team = { name, slugFrom: person.name, personalTeam: true, ownerId: person.id };
  return createTeam(tx, team, now);
}

async function freeSlug(db: Kysely<Schema>, slug: string): Promise<string> {
  const rows = await db
    .selectFrom('team')
    .select('slug')
    .where((or) => or.or([or('slug', '=', slug), or('slug', 'like', `${slug}-%`)]))
    .execute();
  const taken = new Set(rows.map((row) => row.slug));
  if (!taken.has(slug)) return slug;
  let number = 2;
  while (taken.has(`${slug}-${number}`)) number += 1;
  return `${slug}-${number}`;
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

export async function countOwnedTeams(db: Kysely<Schema>, personId: number): Promise<number> {
  const { count } = await db
    .selectFrom('member')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('person_id', '=', personId)
    .where('role', '=', 'owner')
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Keeps other writers that lock the same team waiting until the transaction ends. */
export async function lockTeam(tx: Transaction<Schema>, teamId: number): Promise<void> {
  await tx
    .selectFrom('team')
    .select('id')
    .where('id', '=', teamId)
    .$call(forUpdate(engineOf(tx)))
    .execute();
}

/** A team and what the person is there. */
export type MembershipRow = Pick<
  Selectable<TeamTable>,
  'id' | 'name' | 'slug' | 'personal_team' | 'plan' | 'mfa_required' | 'created_at'
> & { role: string };

/** What a team is called; empty when it is gone. */
export async function teamName(db: Kysely<Schema>, teamId: number): Promise<string> {
  const row = await db
    .selectFrom('team')
    .select('name')
    .where('id', '=', teamId)
    .executeTakeFirst();
  return row?.name ?? '';
}

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
    .where('team.deleted_at', 'is', null)
    .select([
      'team.id',
      'team.name',
      'team.slug',
      'team.personal_team',
      'team.plan',
      'team.mfa_required',
      'team.created_at',
      'member.role',
    ]);
}

export async function updateTeam(
  db: Kysely<Schema>,
  id: number,
  change: { name: string; mfa_required: number },
  now: number,
): Promise<void> {
  await db
    .updateTable('team')
    .set({ ...change, updated_at: now })
    .where('id', '=', id)
    .execute();
}

export async function updateMember(
  db: Kysely<Schema>,
  member: { teamId: number; personId: number },
  change: { role?: string; status?: string },
): Promise<void> {
  await db
    .updateTable('member')
    .set(change)
    .where('team_id', '=', member.teamId)
    .where('person_id', '=', member.personId)
    .execute();
}

/** They are no member any more, and their tokens that act on the team are gone. */
export async function deleteMember(
  db: Kysely<Schema>,
  { teamId, personId }: { teamId: number; personId: number },
): Promise<void> {
  for (const table of ['token', 'member'] as const) {
    await db
      .deleteFrom(table)
      .where('team_id', '=', teamId)
      .where('person_id', '=', personId)
      .execute();
  }
}

/**
 * Sessions that act on the team act on the first other one of their person, or on none, and no new session begins
 * there: of one person, or, with null, of everybody.
 */
export async function moveSessionsAway(
  db: Kysely<Schema>,
  teamId: number,
  personId: number | null,
): Promise<void> {
  await db
    .updateTable('session')
    .set((set) => ({
      team_id: set
        .selectFrom('member')
        .innerJoin('team', 'team.id', 'member.team_id')
        .select('team.id')
        .whereRef('member.person_id', '=', 'session.person_id')
        .where('member.status', '=', 'active')
        .where('team.id', '!=', teamId)
        .where('team.deleted_at', 'is', null)
        .orderBy('team.id')
        .limit(1),
    }))
    .where('team_id', '=', teamId)
    .$if(personId !== null, (query) => query.where('person_id', '=', personId!))
    .execute();
  await db
    .updateTable('person')
    .set({ team_id: null })
    .where('team_id', '=', teamId)
    .$if(personId !== null, (query) => query.where('id', '=', personId!))
    .execute();
}

/** Their sessions that act on no team, and their next ones where none was chosen, act on that one. */
export async function moveSessionsTo(
  db: Kysely<Schema>,
  teamId: number,
  personId: number,
): Promise<void> {
  await db
    .updateTable('session')
    .set({ team_id: teamId })
    .where('person_id', '=', personId)
    .where('team_id', 'is', null)
    .execute();
  await db
    .updateTable('person')
    .set({ team_id: teamId })
    .where('id', '=', personId)
    .where('team_id', 'is', null)
    .execute();
}

/**
 * Nobody is in the team any more and nothing acts on it. What it had is cleared away later (see purge-teams.ts); its
 * slug is free at once.
 */
export async function closeTeam(
  tx: Transaction<Schema>,
  teamId: number,
  now: number,
): Promise<void> {
  await moveSessionsAway(tx, teamId, null);
  // Nobody is told any more of what was its business.
  await tx
    .updateTable('delivery')
    .set({ status: 'failed', finished_at: now, alert_id: null })
    .where('team_id', '=', teamId)
    .where('status', '=', 'pending')
    .execute();
  for (const table of ['token', 'invitation', 'member'] as const) {
    await tx.deleteFrom(table).where('team_id', '=', teamId).execute();
  }
  await tx
    .updateTable('team')
    // No name makes a slug with a tilde.
    .set({ slug: `~${teamId}`, deleted_at: now, updated_at: now })
    .where('id', '=', teamId)
    .execute();
}

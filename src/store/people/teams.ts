import type { Db, Row, Tx } from '../database/contract.ts';
import { slugOf } from '../resources/slug.ts';
import {
  updateRow,
  countRows,
  findRow,
  deleteRows,
  updateRows,
  lockRows,
  insertRows,
  insertOnce,
} from '../database/rows.ts';

/**
 * Creates a team with its owner. When another team has the slug, a number is appended: `-2`, `-3` and so on, also for
 * concurrent transactions.
 *
 * @returns its id and slug.
 */
export async function createTeam(
  tx: Tx,
  {
    name,
    slugFrom = name,
    personalTeam,
    ownerId,
  }: {
    name: string;
    /** Text from which the slug is derived; the name by default. */
    slugFrom?: string;
    personalTeam: boolean;
    ownerId: number;
  },
  now: number,
): Promise<{ id: number; slug: string }> {
  const wanted = slugOf(slugFrom);
  for (;;) {
    const slug = await unusedSlug(tx, wanted);
    const id = await insertOnce(tx, 'team', {
      name,
      slug,
      personal_team: personalTeam ? 1 : 0,
      created_at: now,
      updated_at: now,
    });
    if (id === null) continue;
    await teamStore(tx).insertMember(id, ownerId, 'owner', now);
    return { id, slug };
  }
}

/** Maximum length of a team name. */
const MAX_NAME_LENGTH = 100;
const OWN = "'s team";

/** Creates the personal team of a person. */
export function createPersonalTeam(tx: Tx, person: { id: number; name: string }, now: number) {
  const characters = [...person.name].slice(0, MAX_NAME_LENGTH - OWN.length);
  const name = characters.join('') + OWN;
  const team = { name, slugFrom: person.name, personalTeam: true, ownerId: person.id };
  return createTeam(tx, team, now);
}

async function unusedSlug(db: Db, slug: string): Promise<string> {
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

/** Teams, and who belongs to them. */
export function teamStore(db: Db) {
  return {
    async insertMember(teamId: number, personId: number, role: string, now: number) {
      const member = { team_id: teamId, person_id: personId, role, status: 'active' };
      await insertRows(db, 'member', [{ ...member, added_at: now }]);
    },

    async countOwned(personId: number) {
      return countRows(db, 'member', { person_id: personId, role: 'owner' });
    },

    async nameOf(teamId: number) {
      const row = await findRow(db, 'team', { id: teamId }, ['name']);
      return row?.name ?? '';
    },

    /** Lists the teams in which the person is an active member. */
    listMemberships(personId: number): Promise<MembershipRow[]> {
      return selectMemberships(db, personId).orderBy('team.name').orderBy('team.id').execute();
    },

    /** Finds a team in which the person is an active member; undefined for others. */
    findMembership(personId: number, teamId: number) {
      return selectMemberships(db, personId).where('team.id', '=', teamId).executeTakeFirst();
    },

    async update(id: number, change: { name: string; mfa_required: number }, now: number) {
      await updateRow(db, 'team', id, { ...change, updated_at: now });
    },

    async updateMember(
      member: { teamId: number; personId: number },
      change: { role?: string; status?: string },
    ) {
      await db
        .updateTable('member')
        .set(change)
        .where('team_id', '=', member.teamId)
        .where('person_id', '=', member.personId)
        .execute();
    },

    /** Deletes a membership, and the tokens and grants of the person that act on the team. */
    async deleteMember({ teamId, personId }: { teamId: number; personId: number }) {
      for (const table of ['token', 'oauth_grant', 'member'] as const) {
        await deleteRows(db, table, { team_id: teamId, person_id: personId });
      }
    },

    /**
     * Moves sessions from the team to the first other team of their person, or to none, and no new session begins there.
     *
     * @param personId null for all people.
     */
    async moveSessionsAway(teamId: number, personId: number | null) {
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
    },

    /** Makes a person's sessions without a team act on this one; the next ones, too, if none was chosen. */
    async moveSessionsTo(teamId: number, personId: number) {
      await updateRows(db, 'session', { person_id: personId, team_id: null }, { team_id: teamId });
      await updateRows(db, 'person', { id: personId, team_id: null }, { team_id: teamId });
    },

    /** Whether a person is the active owner of the oldest team of the installation. */
    async isOwnerOfFirst(personId: number) {
      const row = await db
        .selectFrom('member')
        .select('member.person_id')
        .where('member.team_id', '=', (oldest) =>
          oldest.selectFrom('team').select((select) => select.fn.min('team.id').as('id')),
        )
        .where('member.person_id', '=', personId)
        .where('member.role', '=', 'owner')
        .where('member.status', '=', 'active')
        .executeTakeFirst();
      return row !== undefined;
    },

    /** Counts teams by subscription plan, without those that have the default plan. */
    countByPlan(): Promise<{ plan: string; teams: number }[]> {
      return db
        .selectFrom('team')
        .where('plan', 'is not', null)
        .where('deleted_at', 'is', null)
        .groupBy('plan')
        .orderBy('plan')
        .select((select) => [
          select.ref('plan').$notNull().as('plan'),
          select.fn.countAll<number>().as('teams'),
        ])
        .execute();
    },
  };
}

export async function lockTeam(tx: Tx, teamId: number): Promise<void> {
  await lockRows(tx, 'team', { id: teamId }, ['id']);
}

/** A team with the role of a person in it. */
export type MembershipRow = Pick<
  Row<'team'>,
  'id' | 'name' | 'slug' | 'personal_team' | 'plan' | 'mfa_required' | 'created_at'
> & { role: string };

function selectMemberships(db: Db, personId: number) {
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

/** Closes a team: it has no members and nothing acts on it. purge-teams.ts deletes its rows later; its slug is free at once. */
export async function closeTeam(tx: Tx, teamId: number, now: number) {
  await teamStore(tx).moveSessionsAway(teamId, null);
  // Nobody is notified of its monitors any more.
  await tx
    .updateTable('delivery')
    .set({ status: 'failed', finished_at: now, alert_id: null })
    .where('team_id', '=', teamId)
    .where('status', '=', 'pending')
    .execute();
  // Without its status pages and walls, visitors are shown nothing of it either, and its domains are free.
  for (const table of [
    'status_page',
    'wall',
    'token',
    'oauth_grant',
    'invitation',
    'member',
  ] as const)
    await tx.deleteFrom(table).where('team_id', '=', teamId).execute();
  // Slugs of names have no tilde.
  await updateRow(tx, 'team', teamId, { slug: `~${teamId}`, deleted_at: now, updated_at: now });
}

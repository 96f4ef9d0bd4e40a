import type { Db, Row } from '../database/contract.ts';
import { updateRow, countRows, findRow, findRows } from '../database/rows.ts';

export type PersonRow = Row<'person'>;
export type TeamRow = Row<'team'>;

/** What operators read and change: all people and teams. */
export function installationStore(db: Db) {
  return {
    /** Finds a person by address. @param email in any case. */
    findPersonByEmail(email: string) {
      return findRow(db, 'person', { email: email.toLowerCase() });
    },

    listPeople(): Promise<PersonRow[]> {
      return db.selectFrom('person').selectAll().orderBy('email').execute();
    },

    /** Lists the memberships of all people or of one, including disabled ones; the oldest team first. */
    listMemberships(personId: number | null = null) {
      return db
        .selectFrom('member')
        .innerJoin('team', 'team.id', 'member.team_id')
        .where('team.deleted_at', 'is', null)
        .$if(personId !== null, (query) => query.where('member.person_id', '=', personId!))
        .select([
          'member.person_id',
          'team.id as team_id',
          'team.slug',
          'member.role',
          'member.status',
        ])
        .orderBy('team.id')
        .orderBy('member.person_id')
        .execute();
    },

    findTeamBySlug(slug: string): Promise<TeamRow | undefined> {
      return findRow(db, 'team', { slug, deleted_at: null });
    },

    /** Lists teams that are not deleted, by slug. */
    listTeams(): Promise<CountedTeam[]> {
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
    },

    /** Sets the subscription plan of a team. @param plan null for the default of PLANS_FILE. */
    async setPlan(teamId: number, plan: string | null, now: number) {
      await updateRow(db, 'team', teamId, { plan, updated_at: now });
    },

    /** Deletes a person's authenticator and its recovery codes; passkeys stay. */
    async removeTwoFactor(personId: number, now: number) {
      await db.deleteFrom('two_factor').where('person_id', '=', personId).execute();
      await db.deleteFrom('used_code').where('person_id', '=', personId).execute();
      await updateRow(db, 'person', personId, { mfa_enabled: 0, updated_at: now });
    },

    async countPasskeys(personId: number) {
      return countRows(db.selectFrom('passkey').where('person_id', '=', personId));
    },

    /** Lists a team's tokens, the oldest first. */
    listTokensOfTeam(teamId: number) {
      return findRows(db, 'token', { team_id: teamId }, 'all', ['id']);
    },

    /** Lists the ids of a team's monitors above the given one, in order; without deleted monitors. */
    async monitorIdsAfter(teamId: number, after: number, limit: number): Promise<number[]> {
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
    },
  };
}

export type MembershipOfPerson = Awaited<
  ReturnType<ReturnType<typeof installationStore>['listMemberships']>
>[number];

/** A team with its numbers of members and monitors, and the address of its owner. */
export type CountedTeam = TeamRow & { members: number; monitors: number; owner: string | null };

import type { Caller } from '../identity/caller.ts';
import type { Database } from '../store/contract.ts';
import { findMembership, listMemberships, type MembershipRow } from '../store/teams.ts';
import { moveToken } from '../store/tokens.ts';
import { authorise, Problem } from './errors.ts';

/** The teams of the caller, and which of them the token acts on. */
export interface TeamService {
  list(caller: Caller): Promise<object>;
  /** Every later call with this token acts on that team. Not being a member of it is forbidden, not unknown. */
  switch(caller: Caller, id: number): Promise<object>;
}

export interface TeamServiceDeps {
  database: Database;
  /** The token's next call must see what is stored now. */
  forgetToken: (tokenId: number) => void;
}

export function createTeamService({ database, forgetToken }: TeamServiceDeps): TeamService {
  return {
    async list(caller) {
      const rows = await listMemberships(database.read, caller.person.id);
      return { data: rows.map((row) => viewTeam(row, caller.team.id)) };
    },

    async switch(caller, id) {
      authorise(caller, 'update');
      // What is no integer arrives as 0 (api/routes.ts): a path that leads nowhere.
      if (id === 0) throw new Problem('not_found', 'There is no such team.');
      const team = await database.transaction(async (tx) => {
        const membership = await findMembership(tx, caller.person.id, id);
        if (membership === undefined) {
          throw new Problem(
            'forbidden',
            "You are no member of that team. GET /api/v1/teams lists yours; ask the other's owner or an admin for an invitation.",
          );
        }
        await moveToken(tx, caller.token.id, id);
        return membership;
      });
      forgetToken(caller.token.id);
      return viewTeam(team, id);
    },
  };
}

function viewTeam(row: MembershipRow, currentId: number): object {
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    role: row.role,
    personal_team: row.personal_team === 1,
    is_current: row.id === currentId,
  };
}

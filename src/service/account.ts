import type { Caller } from '../identity/caller.ts';

/** Who the caller is. Both need nothing but a valid token, and clients use them to see whether theirs is one. */
export interface AccountService {
  whoAmI(caller: Caller): object;
  test(caller: Caller): object;
}

export function createAccountService(about: { name: string; version: string }): AccountService {
  return {
    whoAmI({ person, team, token }) {
      return {
        user: { id: person.id, name: person.name, email: person.email, timezone: person.timezone },
        team: { id: team.id, name: team.name, slug: team.slug, personal_team: team.personalTeam },
        token: { name: token.name, permissions: token.permissions },
        api: about,
      };
    },
    test({ person }) {
      return {
        message: `You are signed in as ${person.name}.`,
        user: { id: person.id, name: person.name, email: person.email },
      };
    },
  };
}

import { PERMISSIONS, type Caller } from '../../identity/caller.ts';
import type { Database } from '../../store/database/contract.ts';
import { peopleStore } from '../../store/people/people.ts';
import { Problem } from '../common/errors.ts';
import { callWithin, type Route } from '../common/operation.ts';

/**
 * Plans, applies and exports sets for the operator of this machine: the command line and files that the server follows. A
 * change is recorded as made by the operator, with the rights of the owner of the team.
 *
 * Teams are named by their slug; null for the only one. Throws as the operations do, and a Problem for an unknown team.
 */
export function createLocalConfiguration(
  { database }: { database: Database },
  routes: readonly Route[],
) {
  async function call(
    team: string | null,
    name: string,
    given: { body?: unknown; query?: object; ifMatch?: string | null },
  ): Promise<object> {
    const caller = await operatorIn(database, team);
    const route = routes.find((one) => one.name === name)!;
    return (await route.handle(callWithin(caller, given))) as object;
  }

  return {
    plan: (team: string | null, body: object) => call(team, 'planConfiguration', { body }),
    /** @param ifMatch fingerprint of the plan to apply; null for any. */
    apply: (team: string | null, body: object, ifMatch: string | null) =>
      call(team, 'applyConfiguration', { body, ifMatch }),
    /** Days that another service observed, for the monitors of a set. */
    importDays: (team: string | null, body: object) =>
      call(team, 'importConfigurationDays', { body }),
    /** @param name of the set; null for the one that the team has. */
    export: (team: string | null, name: string | null) =>
      call(team, 'exportConfiguration', { query: name === null ? {} : { name } }),
    /** What all sets of the team own. */
    items: (team: string | null) => call(team, 'listConfigurationItems', {}),
  };
}

/** The operator with the rights of a team's owner. */
async function operatorIn({ read }: Database, slug: string | null): Promise<Caller> {
  const [team, another] = await read
    .selectFrom('team')
    .select(['id', 'name', 'slug', 'plan', 'personal_team'])
    .where('deleted_at', 'is', null)
    .$if(slug !== null, (teams) => teams.where('slug', '=', slug!))
    .orderBy('id')
    .limit(2)
    .execute();
  if (team === undefined)
    throw new Problem(
      'not_found',
      slug === null ? 'There is no team yet: set Tocsin up first.' : `There is no team "${slug}".`,
    );
  if (another !== undefined)
    throw new Problem('not_found', 'There are several teams: name the one that is meant.');
  const members = await peopleStore(read).listMembers(team.id);
  const owner = members.find((one) => one.role === 'owner' && one.status === 'active');
  if (owner === undefined)
    throw new Problem('forbidden', `The team "${team.slug}" has no active owner.`);
  return {
    person: { id: owner.id, name: owner.name, email: owner.email, timezone: 'UTC' },
    team: {
      id: team.id,
      name: team.name,
      slug: team.slug,
      plan: team.plan,
      personalTeam: team.personal_team === 1,
    },
    role: 'owner',
    withheld: null,
    permissions: PERMISSIONS,
    credential: { kind: 'operator', id: 0, name: 'operator' },
    address: null,
  };
}

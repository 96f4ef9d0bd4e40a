import type { Transaction } from 'kysely';
import type { Caller, Permission, Role } from '../../identity/caller.ts';
import type { Database } from '../../store/database/contract.ts';
import type { Schema } from '../../store/database/schema.ts';
import { findMembership, lockTeam, type MembershipRow } from '../../store/people/teams.ts';
import { authorise, Problem } from './errors.ts';

/** Work on the team that the caller acts on, as the team is when its turn has come. */
export type TeamWork<Value> = (tx: Transaction<Schema>, team: MembershipRow) => Promise<Value>;

/** `writeToTeam` for people of at least that role. */
export function teamWriter(database: Database, role: Role) {
  return <Value>(caller: Caller, permission: Permission, work: TeamWork<Value>) =>
    writeToTeam(database, caller, { permission, role }, work);
}

/**
 * Writes of one team's people come one after another, so that what one was judged by, the next can't undo meanwhile:
 * no two at once leave a team with two owners, or none. Whoever lost the role for it while they waited is refused.
 */
export function writeToTeam<Value>(
  database: Database,
  caller: Caller,
  needs: { permission: Permission; role: Role },
  work: TeamWork<Value>,
): Promise<Value> {
  authorise(caller, needs.permission, needs.role);
  return database.transaction(async (tx) => {
    await lockTeam(tx, caller.team.id);
    const team = await findMembership(tx, caller.person.id, caller.team.id);
    if (team === undefined) {
      throw new Problem('forbidden', 'You are no active member of this team any more.');
    }
    authorise({ ...caller, role: team.role as Role }, needs.permission, needs.role);
    return work(tx, team);
  });
}

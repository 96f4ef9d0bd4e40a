import type { Caller, Permission, Role } from '../../identity/caller.ts';
import type { Database, Tx } from '../../store/database/contract.ts';
import { lockTeam, type MembershipRow, teamStore } from '../../store/people/teams.ts';
import { authorize, Problem } from './errors.ts';

/** Change of a team, given as it is once the lock is held. */
export type TeamWork<Value> = (tx: Tx, team: MembershipRow) => Promise<Value>;

/** `writeToTeam` with a fixed minimum role. */
export function teamWriter(database: Database, role: Role) {
  return <Value>(caller: Caller, permission: Permission, work: TeamWork<Value>) =>
    writeToTeam(database, caller, { permission, role }, work);
}

/**
 * Changes the caller's team or its people in a transaction that locks the team, so that two changes at once cannot leave
 * it with two owners or none. Throws `forbidden` when the caller lacks the role, also if it was lost while waiting.
 */
export function writeToTeam<Value>(
  database: Database,
  caller: Caller,
  needs: { permission: Permission; role: Role },
  work: TeamWork<Value>,
): Promise<Value> {
  authorize(caller, needs.permission, needs.role);
  return database.transaction(async (tx) => {
    await lockTeam(tx, caller.team.id);
    const team = await teamStore(tx).findMembership(caller.person.id, caller.team.id);
    if (team === undefined) {
      throw new Problem('forbidden', 'You are no active member of this team any more.');
    }
    authorize({ ...caller, role: team.role as Role }, needs.permission, needs.role);
    return work(tx, team);
  });
}

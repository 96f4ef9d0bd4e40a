import type { Caller } from '../../identity/caller.ts';
import type { Plans } from '../../identity/plans.ts';
import type { Database } from '../../store/database/contract.ts';
import { isGroupOf } from '../../store/resources/groups.ts';
import type { MonitorRow } from '../../store/resources/monitors.ts';
import { fieldIn } from '../common/input.ts';
import { hostUseOf, urlIn } from './capacity.ts';
import { dependencyErrors, parentsIn } from './dependencies.ts';
import type { TeamRules } from './rules.ts';

/**
 * Reads the rules of the caller's team for a body.
 *
 * @param stored the monitor that the body changes; null for a new one.
 */
export async function teamRulesFor(
  { database, plans }: { database: Pick<Database, 'read'>; plans: Plans },
  caller: Caller,
  stored: MonitorRow | null,
  body: unknown,
): Promise<TeamRules> {
  const plan = plans.of(caller.team.plan);
  const id = stored?.id ?? null;
  const url = { id, from: stored?.url ?? null, to: urlIn(body) };
  const [isGroupKnown, errors, hostUse] = await Promise.all([
    namesKnownGroup(database, caller, body),
    dependencyErrors(database.read, caller.team.id, id, parentsIn(body)),
    hostUseOf(database.read, plan, caller, url),
  ]);
  return { isGroupKnown, dependencyErrors: errors, plan, hostUse };
}

/** True for a body whose group, if any, belongs to the team. */
async function namesKnownGroup(
  { read }: Pick<Database, 'read'>,
  caller: Caller,
  body: unknown,
): Promise<boolean> {
  const id = fieldIn(body, 'group_id');
  return Number.isSafeInteger(id) && isGroupOf(read, caller.team.id, id as number);
}

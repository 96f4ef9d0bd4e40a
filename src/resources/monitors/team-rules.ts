import type { Caller } from '../../identity/caller.ts';
import type { Plan, Plans } from '../../identity/plans.ts';
import { canonicalHostOf } from '../../lib/url-host.ts';
import type { Database, Db } from '../../store/database/contract.ts';
import { countMonitorsOfHost } from '../../store/resources/monitor-hosts.ts';
import { countMonitors, type MonitorRow } from '../../store/resources/monitors.ts';
import { requireHostCapacity, requireMonitorCapacity, type HostUse } from '../plan/gate.ts';
import { MAX_URL_LENGTH } from './target-url.ts';
import { fieldIn } from '../common/input.ts';
import { isGroupOf } from '../../store/resources/groups.ts';
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
async function namesKnownGroup({ read }: Pick<Database, 'read'>, caller: Caller, body: unknown) {
  const id = fieldIn(body, 'group_id');
  return Number.isSafeInteger(id) && isGroupOf(read, caller.team.id, id as number);
}

/** A url that a monitor is to have. */
interface UrlChange {
  /** Null for a new monitor. */
  id: number | null;
  /** The stored url; null for a new monitor. */
  from: string | null;
  to: string | null;
}

/** Use of the host of a new url; null for none, for the host of the stored url, and without a limit. */
async function hostUseOf(
  db: Db,
  plan: Plan,
  { team }: Pick<Caller, 'team'>,
  { id, from, to }: UrlChange,
): Promise<HostUse | null> {
  if (plan.maxMonitorsPerHost === null || to === null || to.length > MAX_URL_LENGTH) return null;
  const host = canonicalHostOf(to);
  if (host === null || (from !== null && host === canonicalHostOf(from))) return null;
  const others = await countMonitorsOfHost(db, { teamId: team.id, host, except: id });
  return { host, others };
}

/** The url in a body; null for none. */
function urlIn(body: unknown): string | null {
  const url = fieldIn(body, 'url');
  return typeof url === 'string' ? url : null;
}

/** Throws when the plan does not allow another monitor. */
export async function requireCapacity(db: Db, plan: Plan, { team }: Pick<Caller, 'team'>) {
  if (plan.maxMonitors !== null) requireMonitorCapacity(plan, await countMonitors(db, team.id));
}

/** Throws when the plan does not allow another monitor of the new url's host. */
export async function requireCapacityOfHost(
  db: Db,
  plan: Plan,
  caller: Pick<Caller, 'team'>,
  change: UrlChange,
): Promise<void> {
  requireHostCapacity(plan, await hostUseOf(db, plan, caller, change));
}

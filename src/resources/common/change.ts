import type { Principal } from '../../identity/caller.ts';
import { OPERATOR, personActor } from '../../model/audit.ts';
import type { Db } from '../../store/database/contract.ts';
import { auditAllAs, type AuditChange } from '../audit-log/entry.ts';
import { recordCarriedOut } from './idempotency.ts';
import { requireUnchanged } from './precondition.ts';

/**
 * Records a change by a caller, in its transaction and once that holds its locks. Throws a Problem when the change must
 * not be made: what it changes has changed since `If-Match` was compared, or its idempotency key was claimed again.
 */
export function recordChange(tx: Db, principal: Principal, change: AuditChange, now: number) {
  return recordChanges(tx, principal, [change], now);
}

/** Records changes by a caller, each as an entry of its own, as `recordChange` does. */
export async function recordChanges(
  tx: Db,
  { person, credential, address, team, byTool, idempotencyKey, precondition }: Principal,
  changes: readonly AuditChange[],
  now: number,
): Promise<void> {
  if (precondition !== undefined)
    for (const { target } of changes) await requireUnchanged(tx, precondition, target);
  const { kind, name } = credential;
  // Applications call the tool server only.
  const isByTool = byTool === true || kind === 'grant';
  const via = isByTool ? 'tool_server' : kind;
  const credentialName = kind === 'token' || isByTool ? name : null;
  const actor =
    via === 'operator' ? OPERATOR : { ...personActor(person, via, address), credentialName };
  const ofTeams = changes.map(({ teamId = team?.id ?? null, ...change }) => ({
    ...change,
    teamId,
  }));
  await auditAllAs(tx, actor, ofTeams, now);
  const [first, ...others] = changes;
  if (idempotencyKey === undefined || first === undefined) return;
  const target = others.length === 0 ? first.target : { ...first.target, id: null };
  await recordCarriedOut(tx, idempotencyKey, target, now);
}

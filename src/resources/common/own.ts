import type { Principal } from '../../identity/caller.ts';
import type { Tx } from '../../store/database/contract.ts';
import { type AuditChange } from '../audit-log/entry.ts';
import { recordChange } from '../common/change.ts';
import type { PeopleDeps } from './deps.ts';
import { Problem } from './errors.ts';

export type OwnDeps = Pick<PeopleDeps, 'database' | 'clock' | 'forget'>;

/**
 * Revokes credentials of the caller, whatever their team, which takes effect at once on this node.
 *
 * @param work revokes them, and returns the audit entry; null when there was nothing to revoke.
 */
export async function revokeOwn(
  { database, clock, forget }: OwnDeps,
  principal: Principal,
  work: (tx: Tx, personId: number) => Promise<AuditChange | null>,
): Promise<void> {
  const personId = principal.person.id;
  await database.transaction(async (tx) => {
    const change = await work(tx, personId);
    if (change !== null) await recordChange(tx, principal, change, clock.now());
  });
  forget({ personId });
}

export function notYours(noun: string): Problem {
  return new Problem('not_found', `There is no such ${noun} of yours.`);
}

import type { Precondition } from '../../identity/caller.ts';
import type { AuditEntry } from '../../model/audit.ts';
import type { Database, Db } from '../../store/database/contract.ts';
import { auditLog } from '../../store/resources/audit.ts';
import { Problem } from './errors.ts';

/**
 * Number of audit entries below the newest one that are remembered. On Postgres an entry may be committed after others
 * with higher ids: one is missed only if more changes than this are committed during a request, a few milliseconds.
 */
const OVERLAP = 500;

/** Remembers which changes were recorded, before a resource is read to compare it with `If-Match`. */
export async function snapshotOfChanges({ read }: Pick<Database, 'read'>): Promise<Precondition> {
  const floor = ((await auditLog(read).newestId()) ?? 0) - OVERLAP;
  return { floor, known: await auditLog(read).idsAfter(floor), checked: new Set() };
}

/**
 * Throws a Problem when something was changed since it was compared with `If-Match`. Runs in the transaction of the next
 * change, once that holds its locks: of two changes at once with the same tag, the second one finds the entry of the
 * first.
 */
export async function requireUnchanged(
  tx: Db,
  { floor, known, checked }: Precondition,
  { type, id }: AuditEntry['target'],
): Promise<void> {
  const key = `${type} ${id}`;
  // A second entry of the same change would find the first.
  if (id === null || checked.has(key)) return;
  checked.add(key);
  if (await auditLog(tx).hasChangedSince({ type, id }, floor, known)) throw preconditionFailed();
}

export function preconditionFailed(): Problem {
  return new Problem(
    'precondition_failed',
    'It has changed since you read it, or your If-Match is not its ETag. Nothing was changed: read it again, and send the new ETag.',
  );
}

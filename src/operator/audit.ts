import type { Transaction } from 'kysely';
import { differenceOf, type AuditChange } from '../resources/audit-log/entry.ts';
import { insertAuditEntry } from '../store/resources/audit.ts';
import type { Schema } from '../store/database/schema.ts';

/** Records a change by the operator in the audit log, in the transaction of the change. */
export async function auditOperatorChange(
  tx: Transaction<Schema>,
  change: AuditChange & { teamId: number | null },
  now: number,
): Promise<void> {
  const { target, verb, teamId } = change;
  const { before, after } = differenceOf(change.before, change.after);
  await insertAuditEntry(tx, {
    team_id: teamId,
    person_id: null,
    actor: 'operator',
    via: 'operator',
    credential_name: null,
    ip_address: null,
    action: `${target.type}.${verb}`,
    target_type: target.type,
    target_id: target.id,
    target_name: target.name,
    before: before && JSON.stringify(before),
    after: after && JSON.stringify(after),
    created_at: now,
  });
}

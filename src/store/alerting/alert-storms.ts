import type { Transaction } from 'kysely';
import type { Severity } from '../../model/condition.ts';
import type { AlertRow } from './alerts.ts';
import { engineOf, forUpdate, idTable, idList, unindexed, jsonText } from '../database/dialect.ts';
import type { Schema } from '../database/schema.ts';
import { updateRow } from '../database/rows.ts';

/** Locks the alerts of a team that nobody was notified of and that can still be grouped with others. */
export async function waitingAlerts(tx: Transaction<Schema>, teamId: number): Promise<AlertRow[]> {
  const engine = engineOf(tx);
  return (
    tx
      .selectFrom('alert')
      .selectAll()
      // Along the index of pending alerts, which are few.
      .where((eb) => eb(unindexed(engine, eb.ref('team_id')), '=', teamId))
      .where('next_at', 'is not', null)
      .where('groupable_until', 'is not', null)
      .where('notified_at', 'is', null)
      .orderBy('id')
      .$call(forUpdate(engine))
      .execute()
  );
}

/** Reads the newest open alerts of a team that people were notified of since then, with few incidents and no known cause. */
export async function recentlyNotifiedAlerts(
  tx: Transaction<Schema>,
  teamId: number,
  since: { notified: number; opened: number },
  limit: number,
): Promise<AlertRow[]> {
  return tx
    .selectFrom('alert')
    .selectAll()
    .where('team_id', '=', teamId)
    .where('opened_at', '>', since.opened)
    .where('notified_at', '>', since.notified)
    .where('kind', 'in', ['single', 'storm'])
    .where('shared_cause', 'is', null)
    .where('notified_count', '<=', limit)
    .where('over_at', 'is', null)
    .orderBy('opened_at', 'desc')
    .limit(limit)
    .execute();
}

export async function alertsById(
  tx: Transaction<Schema>,
  ids: readonly number[],
): Promise<AlertRow[]> {
  if (ids.length === 0) return [];
  return tx
    .selectFrom(idTable(tx, ids).as('wanted'))
    .innerJoin('alert', 'alert.id', 'wanted.id')
    .selectAll('alert')
    .orderBy('alert.id')
    .execute();
}

/** Reads the open storms of a team that began since then and that people were notified of. */
export async function openStorms(
  tx: Transaction<Schema>,
  teamId: number,
  since: number,
): Promise<{ id: number; sharedCause: string }[]> {
  const rows = await tx
    .selectFrom('alert')
    .select(['id', 'shared_cause'])
    .where('team_id', '=', teamId)
    .where('kind', '=', 'storm')
    .where('opened_at', '>=', since)
    .where('over_at', 'is', null)
    .where('notified_at', 'is not', null)
    .execute();
  return rows.flatMap(({ id, shared_cause: sharedCause }) =>
    sharedCause === null ? [] : [{ id, sharedCause }],
  );
}

/**
 * Merges alerts into a storm: the first one takes over the incidents of the others, which are deleted. `joiningAt` is set
 * when people were notified of the first one before.
 */
export async function mergeAlerts(
  tx: Transaction<Schema>,
  into: { id: number; sharedCause: string | null; severity: Severity },
  others: readonly number[],
  joiningAt: number | null,
): Promise<void> {
  await updateRow(tx, 'alert', into.id, {
    kind: 'storm',
    shared_cause: into.sharedCause,
    severity: into.severity,
    monitor_id: null,
    incident_type: null,
  });
  if (others.length === 0) return;
  const merged = idList(tx, others);
  await tx
    .updateTable('alert_incident')
    .set({ alert_id: into.id, ...(joiningAt !== null && { joined_at: joiningAt }) })
    .where('alert_id', 'in', merged)
    .execute();
  await tx.deleteFrom('alert').where('id', 'in', merged).execute();
}

/** Evidence of one check that incidents may have in common. */
export interface SeenCause {
  incidentId: number;
  /** Null where the check did not fail. */
  code: string | null;
  /** Name of the machine that made the check; null where it is unknown. */
  vantage: string | null;
  address: string | null;
  certificate: { subject: string; validTo: string } | null;
}

/** Reads possible causes of incidents without the bulk of their evidence. */
export async function seenCauses(
  tx: Transaction<Schema>,
  incidentIds: readonly number[],
): Promise<SeenCause[]> {
  const engine = engineOf(tx);
  if (incidentIds.length === 0) return [];
  const rows = await tx
    .selectFrom(idTable(tx, incidentIds).as('wanted'))
    .innerJoin('incident_evidence', 'incident_evidence.incident_id', 'wanted.id')
    .select((eb) => {
      const text = (...path: [string, ...string[]]) =>
        jsonText(engine, eb.ref('incident_evidence.evidence'), path);
      return [
        'incident_evidence.incident_id',
        text('failure', 'code').as('code'),
        text('vantage').as('vantage'),
        text('remoteAddress').as('address'),
        text('answer', 'tls', 'subject').as('subject'),
        text('answer', 'tls', 'validTo').as('valid_to'),
      ];
    })
    .execute();
  return rows.map(({ incident_id: incidentId, code, vantage, address, ...row }) => {
    const { subject, valid_to: validTo } = row;
    const certificate = subject === null || validTo === null ? null : { subject, validTo };
    return { incidentId, code, vantage, address, certificate };
  });
}

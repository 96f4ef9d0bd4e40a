import type { Kysely, Transaction } from 'kysely';
import type { Severity } from '../model/condition.ts';
import type { AlertRow } from './alerts.ts';
import { forUpdate, idTable, jsonText, unindexed, type Engine } from './dialect.ts';
import type { Schema } from './schema.ts';

/** Rows of one statement. */
const AT_ONCE = 500;

/** What else there is about a team's alerts, for those that arise. */
export async function alertsAround(
  tx: Transaction<Schema>,
  engine: Engine,
  teamId: number,
  now: number,
): Promise<{ gatheringUntil: number | null; newestAt: number | null }> {
  const newest = await tx
    .selectFrom('alert')
    .select('opened_at')
    .where('team_id', '=', teamId)
    .orderBy('opened_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  const gathering = await tx
    .selectFrom('alert')
    .select((eb) => eb.fn.min('gather_until').as('until'))
    // Few alerts wait, of however many there were.
    .where((eb) => eb(unindexed(engine, eb.ref('team_id')), '=', teamId))
    .where('next_at', 'is not', null)
    .where('gather_until', '>', now)
    .executeTakeFirst();
  return { gatheringUntil: gathering?.until ?? null, newestAt: newest?.opened_at ?? null };
}

/** An alert of a monitor that arose lately; of several monitors it is named once for each. */
export interface NewestAlert {
  monitorId: number;
  openedAt: number;
  gatherUntil: number | null;
}

/** The alerts of a team that arose since then, the newest first, at most so many. */
export async function newestAlerts(
  tx: Transaction<Schema>,
  teamId: number,
  since: number,
  limit: number,
): Promise<NewestAlert[]> {
  const rows = await tx
    .selectFrom('alert')
    .innerJoin('alert_incident', 'alert_incident.alert_id', 'alert.id')
    .select(['alert_incident.monitor_id', 'alert.opened_at', 'alert.gather_until'])
    .where('alert.team_id', '=', teamId)
    .where('alert.opened_at', '>', since)
    .orderBy('alert.opened_at', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    monitorId: row.monitor_id,
    openedAt: row.opened_at,
    gatherUntil: row.gather_until,
  }));
}

/** Monitors of the team beside this one that fail, and that is being confirmed: a look at them was asked for. */
export async function suspectedBeside(
  db: Kysely<Schema>,
  teamId: number,
  monitorId: number,
  limit: number,
): Promise<number[]> {
  const rows = await db
    .selectFrom('monitor_state')
    .select('monitor_id')
    .where('team_id', '=', teamId)
    .where('status', 'in', ['online', 'degraded'])
    .where('run_at', 'is not', null)
    .where('is_paused', '=', 0)
    .where('monitor_id', '!=', monitorId)
    .limit(limit)
    .execute();
  return rows.map((row) => row.monitor_id);
}

/** All alerts of a team whose gathering ended and of which nobody was told. */
export async function gatheredAlerts(
  tx: Transaction<Schema>,
  engine: Engine,
  teamId: number,
  now: number,
): Promise<AlertRow[]> {
  return tx
    .selectFrom('alert')
    .selectAll()
    .where((eb) => eb(unindexed(engine, eb.ref('team_id')), '=', teamId))
    .where('next_at', 'is not', null)
    .where('gather_until', '<=', now)
    .where('told_at', 'is', null)
    .orderBy('id')
    .$call(forUpdate(engine))
    .execute();
}

/** It was seen whether others share the cause of these. */
export async function endGathering(
  tx: Transaction<Schema>,
  engine: Engine,
  alertIds: readonly number[],
): Promise<void> {
  if (alertIds.length === 0) return;
  await tx
    .updateTable('alert')
    .set({ gather_until: null })
    .where('id', 'in', (eb) => eb.selectFrom(idTable(engine, alertIds).as('seen')).select('id'))
    .execute();
}

/** The storms of a team that people were told of since then, and that are not over. */
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
    .where('told_at', 'is not', null)
    .execute();
  return rows.flatMap(({ id, shared_cause: sharedCause }) =>
    sharedCause === null ? [] : [{ id, sharedCause }],
  );
}

/**
 * Makes one alert of several: the first takes in what belongs to the others, which are gone. Where people were told of
 * the first before, what it takes in joins it now.
 */
export async function mergeAlerts(
  tx: Transaction<Schema>,
  into: { id: number; sharedCause: string | null; severity: Severity },
  others: readonly number[],
  joiningAt: number | null,
): Promise<void> {
  await tx
    .updateTable('alert')
    .set({
      kind: 'storm',
      shared_cause: into.sharedCause,
      severity: into.severity,
      monitor_id: null,
      incident_type: null,
    })
    .where('id', '=', into.id)
    .execute();
  for (let from = 0; from < others.length; from += AT_ONCE) {
    const slice = others.slice(from, from + AT_ONCE);
    await tx
      .updateTable('alert_incident')
      .set({ alert_id: into.id, ...(joiningAt !== null && { joined_at: joiningAt }) })
      .where('alert_id', 'in', slice)
      .execute();
    await tx.deleteFrom('alert').where('id', 'in', slice).execute();
  }
}

/** What incidents may share with others, of what the regions saw that failed. */
export interface SeenCause {
  incidentId: number;
  code: string;
  address: string | null;
  certificate: { subject: string; validTo: string } | null;
}

/** Of any number of incidents, without the bulk of their evidence. */
export async function seenCauses(
  tx: Transaction<Schema>,
  engine: Engine,
  incidentIds: readonly number[],
): Promise<SeenCause[]> {
  if (incidentIds.length === 0) return [];
  const rows = await tx
    .selectFrom(idTable(engine, incidentIds).as('wanted'))
    .innerJoin('incident_evidence', 'incident_evidence.incident_id', 'wanted.id')
    .select((eb) => {
      const text = (...path: [string, ...string[]]) =>
        jsonText(engine, eb.ref('incident_evidence.evidence'), path);
      return [
        'incident_evidence.incident_id',
        text('failure', 'code').as('code'),
        text('remoteAddress').as('address'),
        text('answer', 'tls', 'subject').as('subject'),
        text('answer', 'tls', 'validTo').as('valid_to'),
      ];
    })
    .execute();
  return rows.flatMap(({ incident_id: incidentId, code, address, subject, valid_to: validTo }) => {
    if (code === null) return [];
    const certificate = subject === null || validTo === null ? null : { subject, validTo };
    return [{ incidentId, code, address, certificate }];
  });
}

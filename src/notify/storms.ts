import type { Transaction } from 'kysely';
import { SEVERITIES } from '../model/condition.ts';
import type { Severity } from '../model/condition.ts';
import { membersOf } from '../store/alert-steps.ts';
import {
  endGathering,
  gatheredAlerts,
  mergeAlerts,
  openStorms,
  seenCauses,
} from '../store/alert-storms.ts';
import { wakeAlerts } from '../store/alerts.ts';
import type { AlertRow } from '../store/alerts.ts';
import type { Database } from '../store/contract.ts';
import { toldMonitors } from '../store/events.ts';
import type { Schema } from '../store/schema.ts';
import { causesOf } from './causes.ts';
import { groupByCause, JOIN_MS } from './gather.ts';
import type { Causes } from './gather.ts';

/**
 * Makes one alert of those whose gathering ended and that share a cause, or lets them join a storm that people know of.
 *
 * @param alerts that are due.
 * @returns those of them that are left, as they are now.
 */
export async function mergeStorms(
  tx: Transaction<Schema>,
  engine: Database['engine'],
  { teamId, alerts, now }: { teamId: number; alerts: readonly AlertRow[]; now: number },
): Promise<AlertRow[]> {
  if (!alerts.some((alert) => hasGathered(alert, now))) return [...alerts];
  const gathered = await gatheredAlerts(tx, engine, teamId, now);
  const storms = await openStorms(tx, teamId, now - JOIN_MS);
  const known = new Map(storms.map(({ id, sharedCause }) => [sharedCause, id]));
  const groups = groupByCause(await causesOfAlerts(tx, engine, gathered), new Set(known.keys()));
  const gone = new Set<number>();
  const changed = new Map<number, { sharedCause: string | null; severity: Severity }>();
  for (const { cause, ids } of groups) {
    const [first, ...rest] = ids as [number, ...number[]];
    const storm = (cause === null ? undefined : known.get(cause)) ?? first;
    const others = storm === first ? rest : ids;
    const severity = worst(gathered.filter(({ id }) => ids.includes(id)));
    const joiningAt = storm === first ? null : now;
    await mergeAlerts(tx, { id: storm, sharedCause: cause, severity }, others, joiningAt);
    // It may have waited for something else, for hours: a night, or a parent.
    await wakeAlerts(tx, [storm], now);
    changed.set(storm, { sharedCause: cause, severity });
    for (const id of others) gone.add(id);
  }
  // What is told later, and shares nothing by now, is told by itself.
  await endGathering(
    tx,
    engine,
    gathered.map(({ id }) => id),
  );
  return alerts
    .filter(({ id }) => !gone.has(id))
    .map((alert) => {
      const change = changed.get(alert.id);
      if (change === undefined) return alert;
      const { sharedCause: shared_cause, severity } = change;
      return { ...alert, kind: 'storm', shared_cause, severity };
    });
}

function hasGathered(alert: AlertRow, now: number): boolean {
  return alert.told_at === null && alert.gather_until !== null && alert.gather_until <= now;
}

/** What the incidents of alerts that are to be told may share with others; what is over already is told of nowhere. */
async function causesOfAlerts(
  tx: Transaction<Schema>,
  engine: Database['engine'],
  alerts: readonly AlertRow[],
): Promise<Causes[]> {
  const members = await membersOf(
    tx,
    engine,
    alerts.map(({ id }) => id),
  );
  const open = members.filter(({ incident }) => incident !== null && incident.ended_at === null);
  const monitors = await toldMonitors(
    tx,
    engine,
    open.map(({ monitorId }) => monitorId),
  );
  const seen = Map.groupBy(
    await seenCauses(
      tx,
      engine,
      open.map(({ incidentId }) => incidentId),
    ),
    ({ incidentId }) => incidentId,
  );
  return open.flatMap(({ alertId, incidentId, incident, monitorId }) => {
    const monitor = monitors.get(monitorId);
    if (monitor === undefined) return [];
    const causes = causesOf({
      type: incident!.type,
      regions: incident!.region?.split(', ') ?? [],
      monitorUrl: monitor.url,
      groupName: monitor.groupName,
      seen: seen.get(incidentId) ?? [],
    });
    return [{ id: alertId, causes }];
  });
}

function worst(alerts: readonly AlertRow[]): Severity {
  return SEVERITIES.find((one) => alerts.some(({ severity }) => severity === one)) ?? 'info';
}

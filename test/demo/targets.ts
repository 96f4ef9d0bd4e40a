import type { FactsOf, InspectionKind } from '../../src/model/inspection.ts';
import type { Database } from '../../src/store/database/contract.ts';
import { targetHistoryChanges } from '../../src/store/engine/target-history.ts';
import { updateRows } from '../support/rows.ts';
import { HOUR_MS, DAY_MS } from './northwind/problems.ts';
import { factsOf, renewedAt } from './northwind/targets.ts';

/** When records of each host changed last, before the present. */
const RECORDS_CHANGED_AGO_MS = 19 * DAY_MS;

/** Stores what the inspections of all targets found, and the changes of certificates and DNS records. */
export async function storeTargets(
  database: Database,
  { teamId, since, now }: { teamId: number; since: number; now: number },
): Promise<void> {
  const inspections = await database.read
    .selectFrom('inspection')
    .select(['kind', 'target'])
    .orderBy('kind')
    .orderBy('target')
    .execute();
  for (const [index, { kind, target }] of inspections.entries()) {
    const inspectedAt = now - HOUR_MS - index * 61_000;
    const changes = {
      facts: JSON.stringify(factsOf(kind as InspectionKind, target, now)),
      known_at: inspectedAt,
      inspected_at: inspectedAt,
      next_at: inspectedAt + 6 * HOUR_MS,
      result: JSON.stringify({ state: 'known' }),
    };
    await updateRows(database, 'inspection', changes, { kind, target });
    if (kind === 'domain') continue;
    const monitors = await monitorsOf(database, kind, target);
    const history = { teamId, target, since, now, monitors };
    if (kind === 'ssl') await storeCertificates(database, history);
    else await storeRecords(database, history);
  }
}

interface TargetHistory {
  teamId: number;
  target: string;
  since: number;
  now: number;
  monitors: readonly number[];
}

async function storeCertificates(database: Database, history: TargetHistory): Promise<void> {
  const { target, since, now } = history;
  const at = renewedAt(target, now);
  const [former, current] = [factsOf('ssl', target, now, 1), factsOf('ssl', target, now)];
  if (at <= since) return storeFirst(database, target, current, since);
  await storeFirst(database, target, former, since);
  const day = new Date(current.certificate.validTo).toISOString().slice(0, 10);
  await database.transaction(async (tx) => {
    await targetHistoryChanges(tx).insertCertificate(target, current, at);
    const description = `The certificate changed: the new one of R11 is valid until ${day}.`;
    await targetHistoryChanges(tx).insertActivities(
      activities(history, 'certificate_changed', description, at),
    );
  });
}

function storeFirst(database: Database, target: string, facts: FactsOf['ssl'], at: number) {
  return database.transaction((tx) =>
    targetHistoryChanges(tx).insertCertificate(target, facts, at),
  );
}

async function storeRecords(database: Database, history: TargetHistory): Promise<void> {
  const { target, since, now } = history;
  const at = now - RECORDS_CHANGED_AGO_MS;
  const [former, current] = [factsOf('dns', target, now, 1), factsOf('dns', target, now)];
  const added = current.records.A.find((address) => !former.records.A.includes(address))!;
  const description = `DNS records changed: A added ${added}.`;
  await database.transaction(async (tx) => {
    await targetHistoryChanges(tx).insertRecordSet(target, former, since);
    await targetHistoryChanges(tx).insertRecordSet(target, current, at);
    await targetHistoryChanges(tx).insertActivities(
      activities(history, 'dns_changed', description, at),
    );
  });
}

function activities(
  { teamId, monitors }: TargetHistory,
  type: string,
  description: string,
  at: number,
) {
  return monitors.map((id) => ({
    team_id: teamId,
    monitor_id: id,
    type,
    description,
    created_at: at,
  }));
}

async function monitorsOf(database: Database, kind: string, target: string): Promise<number[]> {
  const rows = await database.read
    .selectFrom('monitor_inspection')
    .select('monitor_id')
    .where('kind', '=', kind)
    .where('target', '=', target)
    .execute();
  return rows.map(({ monitor_id: id }) => id);
}

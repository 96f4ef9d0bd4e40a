import type { DnsFacts, FactsOf, InspectionKind } from '../../../src/model/inspection.ts';
import type { Database } from '../../../src/store/database/contract.ts';
import { targetHistoryChanges } from '../../../src/store/engine/target-history.ts';
import { updateRows } from '../../support/rows.ts';
import { dnsFacts, domainFacts, sslFacts } from '../../support/target-facts.ts';
import { BEGINNING, NOW } from './incidents.ts';
import { INJECTION } from './monitors.ts';

const DAY_MS = 24 * 3_600_000;
/** Time at which the DNS records of the blog changed. */
const CHANGED_AT = Date.UTC(2030, 0, 12, 15, 30);

/** What the newest inspection of each target found. */
const FOUND: readonly {
  [Kind in InspectionKind]: [Kind, string, FactsOf[Kind]];
}[InspectionKind][] = [
  ['ssl', 'www.acme.example:443', sslFacts(Date.UTC(2030, 2, 1), 'a1')],
  ['ssl', 'docs.acme.example:443', sslFacts(Date.UTC(2030, 0, 30), 'b2')],
  ['ssl', 'shop.acme.example:443', sslFacts(Date.UTC(2030, 0, 24), 'c3')],
  ['ssl', 'portal.partner-portal.example:443', sslFacts(Date.UTC(2030, 5, 1), 'd4')],
  ['dns', 'www.acme.example', dnsFacts('192.0.2.80')],
  ['dns', 'blog.acme.example', blogRecords('198.51.100.7')],
  ['domain', 'acme.example', domainFacts(Date.UTC(2031, 3, 1))],
  ['domain', 'partner-portal.example', domainFacts(Date.UTC(2030, 0, 28))],
];

/** Stores what inspections found. @param idOf id of the monitor of that name. */
export async function storeTargets(
  database: Database,
  { teamId, idOf }: { teamId: number; idOf(name: string): number },
): Promise<void> {
  for (const [kind, target, facts] of FOUND) {
    const changes = {
      facts: JSON.stringify(facts),
      known_at: NOW - DAY_MS / 4,
      inspected_at: NOW - DAY_MS / 4,
      next_at: NOW + DAY_MS,
      result: JSON.stringify({ state: 'known' }),
    };
    await updateRows(database, 'inspection', changes, { kind, target });
    await database.transaction(async (tx) => {
      const history = targetHistoryChanges(tx);
      if (kind === 'ssl') await history.insertCertificate(target, facts, BEGINNING);
      if (kind === 'dns' && target.startsWith('www')) {
        await history.insertRecordSet(target, facts, BEGINNING);
      }
    });
  }
  const ids = { team_id: teamId, monitor_id: idOf('Blog') };
  const description = 'DNS records changed: A removed 192.0.2.81, added 198.51.100.7.';
  await database.transaction(async (tx) => {
    const history = targetHistoryChanges(tx);
    await history.insertRecordSet('blog.acme.example', blogRecords('192.0.2.81'), BEGINNING);
    await history.insertRecordSet('blog.acme.example', blogRecords('198.51.100.7'), CHANGED_AT);
    await history.insertActivities([
      { ...ids, type: 'dns_changed', description, created_at: CHANGED_AT },
    ]);
  });
}

function blogRecords(address: string): DnsFacts {
  const { records, ...facts } = dnsFacts(address);
  return { ...facts, records: { ...records, TXT: [INJECTION] } };
}

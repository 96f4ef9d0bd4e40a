import { viewCorrection } from '../resources/corrections/service.ts';
import { reports } from '../resources/reports/reports.ts';
import { SLO_FIELDS } from '../resources/slo/fields.ts';
import type { Database } from '../store/database/contract.ts';
import { correctionsAfter } from '../store/resources/corrections.ts';
import { listSlos } from '../store/resources/slos.ts';
import { ALL, rowsOf, viewRow } from './export-alerts.ts';

const PAGE = 500;

/** What a team has promised and corrected, and its saved reports, by their name in the document. */
export function reportParts(
  { scan }: Pick<Database, 'scan'>,
  teamId: number,
): [string, AsyncIterable<object>][] {
  return [
    [
      'slos',
      rowsOf(
        async () => (await listSlos(scan, teamId, { monitorId: null, ...ALL })).rows,
        (row) => ({ monitor_id: row.monitor_id, ...viewRow(SLO_FIELDS, row) }),
      ),
    ],
    ['corrections', corrections({ scan }, teamId)],
    ['reports', reports.exported(scan, teamId)],
  ];
}

async function* corrections(
  { scan }: Pick<Database, 'scan'>,
  teamId: number,
): AsyncGenerator<object> {
  for (let after = 0; ;) {
    const rows = await correctionsAfter(scan, teamId, { after, limit: PAGE });
    yield* rows.map(viewCorrection);
    if (rows.length < PAGE) return;
    after = rows.at(-1)!.id;
  }
}

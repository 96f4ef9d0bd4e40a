import { insertRun, runQueue, type ReportFile } from '../../src/store/resources/report-runs.ts';
import type { Database } from '../../src/store/database/contract.ts';
import type { ReportFacts } from '../../src/report/model.ts';
import { viewReport } from '../../src/report/view.ts';
import { sampleFacts } from './report-facts.ts';

/** Stores a run that is done, with the JSON of a report. @returns its id. */
export function storeReportRun(
  database: Database,
  run: { reportId: number; teamId: number; now: number; more?: Partial<ReportFacts> },
): Promise<number> {
  const { reportId, teamId, now, more } = run;
  const facts = sampleFacts({ reportId, ...more });
  const file: ReportFile = {
    type: 'application/json; charset=utf-8',
    name: 'daily.json',
    bytes: Buffer.from(JSON.stringify(viewReport(facts))),
  };
  const options = {
    name: 'Daily',
    scope: { monitors: [], groupId: null, tags: [] },
    ...facts.period,
    timezone: 'UTC',
    language: 'en',
    format: 'json',
    isCorrected: true,
    delimiter: ',',
    statusPageId: null,
  };
  const expiresAt = now + 7 * 86_400_000;
  return database.transaction(async (tx) => {
    const id = await insertRun(tx, { reportId, teamId, isMailed: false, options, expiresAt }, now);
    if (!(await runQueue(tx).end({ id, claim: 0 }, file, now)))
      throw new Error('It was not stored.');
    return id;
  });
}

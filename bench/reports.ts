import { addResult, encodeSummary, type Summary } from '../src/engine/history/summary.ts';
import { NO_TIMINGS } from '../src/model/check.ts';
import { reportFile } from '../src/report/file.ts';
import { drawReport } from '../src/report/pdf/document.ts';
import { createReportPrinter } from '../src/report/pdf/printer.ts';
import { readReportFacts } from '../src/report/read-facts.ts';
import { viewReport } from '../src/report/view.ts';
import type { Database } from '../src/store/database/contract.ts';
import { rollupChanges } from '../src/store/engine/rollups.ts';
import { changeSpans } from '../src/store/engine/spans.ts';
import { addMonitors } from '../test/support/history.ts';
import { insertRows, updateRows } from '../test/support/rows.ts';
import { numberOption } from './options.ts';
import { inDatabase, REGIONS } from './preload.ts';
import { ms, percentile, report, type Figure } from './report.ts';

const DAY_MS = 86_400_000;
const [DAYS, INCIDENTS, ROUNDS] = [90, 25, 9];
const PDF_TARGET_MS = 300;
const NOW = Date.UTC(2030, 0, 1);
const FROM = NOW - DAYS * DAY_MS;

/** Reports of 40 monitors (`--monitors=N`) over 90 days: reading the facts, and writing each of the files. */
export async function run(options: string[]): Promise<void> {
  const monitors = numberOption(options, '--monitors', 40);
  const figures = await inDatabase(':memory:', (database) => measureReports(database, monitors));
  report(`reports, ${monitors} monitors`, figures);
}

async function measureReports(database: Database, monitors: number): Promise<Figure[]> {
  const teamId = await preload(database, monitors);
  const request = {
    reportId: null,
    name: 'Benchmark',
    teamId,
    scope: { monitors: [], groupId: null, tags: [] },
    period: { from: FROM, to: NOW },
    timezone: 'Europe/Berlin',
    language: 'en' as const,
    isCorrected: true,
  };
  const facts = await readReportFacts(database, request, NOW);
  const printer = createReportPrinter();
  const write = (format: 'csv' | 'pdf') => async () => {
    const options = { format, delimiter: ',', logo: null, teamId: 1 } as const;
    return (await reportFile(facts, options, printer)).bytes.length;
  };
  return [
    ...(await measure('read the facts', async () => {
      await readReportFacts(database, request, NOW);
      return 0;
    })),
    ...(await measure('JSON', async () => JSON.stringify(viewReport(facts)).length)),
    ...(await measure('CSV', write('csv'))),
    ...(await measure('PDF, in a child process', write('pdf'), PDF_TARGET_MS)),
    ...(await measure('PDF, drawn alone', async () => (await drawReport(facts, null)).length)),
  ];
}

/** First and median duration, median CPU time of the process, and size. */
async function measure(
  name: string,
  work: () => Promise<number>,
  targetMs?: number,
): Promise<Figure[]> {
  const times: number[] = [];
  const cpu: number[] = [];
  let size = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const [begun, used] = [performance.now(), process.cpuUsage()];
    size = await work();
    times.push(performance.now() - begun);
    const { user, system } = process.cpuUsage(used);
    cpu.push((user + system) / 1_000);
  }
  return [
    ms(name, percentile(times, 0.5), targetMs),
    ms('  the first time', times[0]!),
    ms('  CPU time', percentile(cpu, 0.5)),
    ...(size === 0 ? [] : [{ name: '  size', value: size / 1_024, unit: 'KiB' }]),
  ];
}

/** Monitors with ten outages each, a roll-up a day from four regions, and 25 incidents. @returns the id of the team. */
async function preload(database: Database, monitors: number): Promise<number> {
  const ids = await addMonitors(database, monitors);
  const { team_id: teamId } = await database.read
    .selectFrom('monitor')
    .select('team_id')
    .executeTakeFirstOrThrow();
  await updateRows(database, 'monitor', { created_at: FROM - DAY_MS });
  await updateRows(database, 'monitor_state', { observed_until: NOW });
  await database.transaction(async (tx) => {
    for (const [index, monitorId] of ids.entries()) {
      await changeSpans(tx, [{ monitorId, teamId, status: 'online', at: FROM - 1 }]);
      for (let outage = 0; outage < 10; outage++) {
        const at = FROM + outage * 9 * DAY_MS + index * 3_600_000;
        await changeSpans(tx, [{ monitorId, teamId, status: 'offline', at }]);
        await changeSpans(tx, [{ monitorId, teamId, status: 'online', at: at + 900_000 }]);
      }
    }
  });
  for (let day = 0; day < DAYS; day++) {
    const rows = ids.map((monitorId) => {
      const summary: Summary = new Map();
      for (const region of REGIONS)
        for (let count = 0; count < 200; count++) {
          const responseTimeMs = 80 + ((count * 37 + day * 11) % 400);
          addResult(summary, { region, vote: 'up', responseTimeMs, timings: NO_TIMINGS });
        }
      return { monitorId, at: FROM + day * DAY_MS, data: encodeSummary(summary) };
    });
    await database.transaction((tx) => rollupChanges(tx).write('rollup_day', rows));
  }
  await insertRows(
    database,
    'incident',
    ids.slice(0, INCIDENTS).map((monitorId, index) => ({
      team_id: teamId,
      monitor_id: monitorId,
      type: 'uptime',
      severity: 'critical',
      root_cause: 'HTTP 503 Service Unavailable',
      is_regional: 0,
      started_at: FROM + index * DAY_MS,
      ended_at: FROM + index * DAY_MS + 900_000,
      created_at: FROM,
      updated_at: FROM,
    })),
  );
  return teamId;
}

/** Reports of 40 monitors over 90 days: `node bench/report-files.ts`. Prints milliseconds of JSON, CSV and PDF. */
import { addResult, encodeSummary, type Summary } from '../src/engine/history/summary.ts';
import { NO_TIMINGS } from '../src/model/check.ts';
import { reportFile } from '../src/report/file.ts';
import { createReportPrinter } from '../src/report/pdf/printer.ts';
import { readReportFacts } from '../src/report/read-facts.ts';
import { viewReport } from '../src/report/view.ts';
import { openDatabase } from '../src/store/database/database.ts';
import { writeRollups } from '../src/store/engine/rollups.ts';
import { changeSpans } from '../src/store/engine/spans.ts';
import { insertRows, updateRows } from '../test/support/rows.ts';
import { addMonitors } from '../test/support/history.ts';

const DAY_MS = 86_400_000;
const [MONITORS, DAYS, INCIDENTS, ROUNDS] = [40, 90, 25, 5];
const now = Date.UTC(2030, 0, 1);
const from = now - DAYS * DAY_MS;

const database = await openDatabase({ engine: 'sqlite', directory: ':memory:' });
const ids = await addMonitors(database, MONITORS);
const { team_id: teamId } = await database.read
  .selectFrom('monitor')
  .select('team_id')
  .executeTakeFirstOrThrow();
await updateRows(database, 'monitor', { created_at: from - DAY_MS });
await updateRows(database, 'monitor_state', { observed_until: now });
await database.transaction(async (tx) => {
  for (const [index, monitorId] of ids.entries()) {
    await changeSpans(tx, [{ monitorId, teamId, status: 'online', at: from - 1 }]);
    for (let outage = 0; outage < 10; outage++) {
      const at = from + outage * 9 * DAY_MS + index * 3_600_000;
      await changeSpans(tx, [{ monitorId, teamId, status: 'offline', at }]);
      await changeSpans(tx, [{ monitorId, teamId, status: 'online', at: at + 900_000 }]);
    }
  }
});
for (let day = 0; day < DAYS; day++) {
  const rows = ids.map((monitorId) => {
    const summary: Summary = new Map();
    for (const region of ['ash', 'pdx', 'nbg', 'sin'])
      for (let count = 0; count < 200; count++) {
        const responseTimeMs = 80 + ((count * 37 + day * 11) % 400);
        addResult(summary, { region, vote: 'up', responseTimeMs, timings: NO_TIMINGS });
      }
    return { monitorId, at: from + day * DAY_MS, data: encodeSummary(summary) };
  });
  await database.transaction((tx) => writeRollups(tx, 'rollup_day', rows));
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
    started_at: from + index * DAY_MS,
    ended_at: from + index * DAY_MS + 900_000,
    created_at: from,
    updated_at: from,
  })),
);

const request = {
  reportId: null,
  name: 'Benchmark',
  teamId,
  scope: { monitors: [], groupId: null, tags: [] },
  period: { from, to: now },
  timezone: 'Europe/Berlin',
  language: 'en' as const,
  isCorrected: true,
};
const printer = createReportPrinter();

async function measure(name: string, work: () => Promise<number>): Promise<void> {
  const times: number[] = [];
  let size = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const begun = performance.now();
    size = await work();
    times.push(performance.now() - begun);
  }
  const [median] = times.toSorted((a, b) => a - b).slice(Math.floor(ROUNDS / 2));
  console.log(
    `${name.padEnd(28)} first ${times[0]!.toFixed(0)} ms, median ${median!.toFixed(0)} ms, ${size} bytes`,
  );
}

const facts = await readReportFacts(database, request, now);
console.log(
  `${facts.monitors.length} monitors, ${facts.days.length} days, ${facts.incidentsTotal} incidents`,
);
await measure('read facts', async () => {
  await readReportFacts(database, request, now);
  return 0;
});
await measure('write JSON', async () => JSON.stringify(viewReport(facts)).length);
for (const format of ['csv', 'pdf'] as const) {
  await measure(`write ${format.toUpperCase()}`, async () => {
    const file = await reportFile(facts, { format, delimiter: ',', logo: null }, printer);
    return file.bytes.length;
  });
}
await database.close();

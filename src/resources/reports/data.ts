import type { Caller } from '../../identity/caller.ts';
import { z } from 'zod';
import type { Delimiter } from '../../report/csv.ts';
import { reportFile } from '../../report/file.ts';
import type { ReportPrinter } from '../../report/pdf/printer.ts';
import { readReportFacts, sizeOf, type ReportRequest } from '../../report/read-facts.ts';
import { viewReport } from '../../report/view.ts';
import { isGroupOf } from '../../store/resources/groups.ts';
import { pageLogo } from '../../store/resources/report-facts.ts';
import { idsOfTeam } from '../../store/resources/scoped-monitors.ts';
import type { CollectionDeps } from '../common/collection.ts';
import { downloadOf } from '../common/download.ts';
import { Findings, readQuery } from '../common/input.ts';
import { noun, type Call } from '../common/operation.ts';
import { dataExample, FILES, reportData as reportDataSchema } from './data-schema.ts';
import { adHocQuery, dataQuery, wantedPeriod, withLists, type Format } from './input.ts';
import { NO_GROUP, reports } from './reports.ts';

/**
 * Maximum number of monitors times days that is answered at once: about a second. Larger reports are runs, which work in
 * the background.
 */
export const MAX_DIRECT = 20_000;

/** Data of reports, answered at once. */
function createReportDataService(deps: CollectionDeps & { reportPrinter: ReportPrinter }) {
  const { database, clock, reportPrinter } = deps;

  async function answer(
    request: ReportRequest,
    form: { format: Format; delimiter: Delimiter; pageId: number | null },
    now: number,
  ): Promise<object> {
    if ((await sizeOf(database, request)) > MAX_DIRECT) throw tooLong(request);
    const facts = await readReportFacts(database, request, now);
    const { format, delimiter, pageId } = form;
    if (format === 'json') return viewReport(facts);
    const logo = pageId === null ? null : await pageLogo(database.read, request.teamId, pageId);
    const file = await reportFile(
      facts,
      { format, delimiter, logo, teamId: request.teamId },
      reportPrinter,
    );
    return downloadOf(file.type, file.name, file.bytes);
  }

  return {
    /** The data of a saved report, as an object or a Download. */
    async getReportData({ caller, id, query }: Call) {
      const row = await reports.find(database.read, caller, id);
      const settings = reports.settingsOf(row);
      const findings = new Findings();
      const wanted = readQuery(dataQuery, query, findings);
      const now = clock.now();
      const { timezone: zone, period: byDefault } = settings;
      const period = wantedPeriod(wanted, { zone, period: byDefault, now }, findings);
      findings.throwIfAny();
      const request = {
        reportId: row.id,
        name: settings.name,
        teamId: caller.team.id,
        scope: {
          monitors: settings.monitors,
          groupId: settings.group_id,
          tags: settings.tags,
        },
        period,
        timezone: zone,
        language: settings.language,
        isCorrected: wanted.corrected !== 'false',
      };
      const { format = 'json', delimiter = ',' } = wanted;
      return answer(request, { format, delimiter, pageId: settings.status_page_id }, now);
    },

    /** A report without a definition. */
    async getUptimeReport({ caller, query }: Call) {
      const findings = new Findings();
      const wanted = readQuery(adHocQuery, withLists(query), findings);
      const now = clock.now();
      const { timezone: zone = 'UTC', monitors = [], group_id: groupId = null, tag = [] } = wanted;
      const period = wantedPeriod(wanted, { zone, period: 'last_30_days', now }, findings);
      await checkScope(caller, { monitors, groupId }, findings);
      findings.throwIfAny();
      const request = {
        reportId: null,
        name: null,
        teamId: caller.team.id,
        scope: { monitors, groupId, tags: tag },
        period,
        timezone: zone,
        language: wanted.language ?? 'en',
        isCorrected: wanted.corrected !== 'false',
      };
      const { format = 'json', delimiter = ',' } = wanted;
      return answer(request, { format, delimiter, pageId: null }, now);
    },
  };

  async function checkScope(
    caller: Caller,
    { monitors, groupId }: { monitors: number[]; groupId: number | null },
    findings: Findings,
  ): Promise<void> {
    const known = await idsOfTeam(database.read, 'monitor', caller.team.id, monitors);
    for (const [index, id] of monitors.entries()) {
      if (!known.has(id))
        findings.add(`monitors.${index}`, 'must be the id of a monitor of your team');
    }
    if (groupId !== null && !(await isGroupOf(database.read, caller.team.id, groupId)))
      findings.add('group_id', NO_GROUP);
  }
}

function tooLong({ reportId }: ReportRequest) {
  const findings = new Findings();
  findings.add(
    'period',
    reportId === null
      ? `is too long for so many monitors: choose at most ${MAX_DIRECT} monitors times days, or save the report and start a run with POST /reports/{id}/runs`
      : `is too long for so many monitors to be answered at once: start a run with POST /reports/${reportId}/runs`,
  );
  return findings.asError();
}

const { monitors, ...otherParameters } = adHocQuery.shape;

const DATA =
  'With `format=csv` or `format=pdf` the response is a file. Totals add the times of all monitors, so each counts by the time that it was observed. The period begins no earlier than each monitor. docs/reports.md explains all figures.';
const LARGE =
  'A report about so many monitors and days that it takes longer than about a second is 422: start a run instead.';

export const reportData = noun('Reports', createReportDataService, {
  getReportData: {
    at: 'GET /reports/:id/data',
    summary: 'Get the data of a report',
    description: `${DATA} ${LARGE}`,
    query: dataQuery,
    answer: reportDataSchema,
    files: FILES,
    example: { answer: dataExample },
  },
  getUptimeReport: {
    at: 'GET /reports/uptime',
    summary: 'Get an ad hoc report',
    description: `The same data as a saved report, about the monitors that match any of \`monitors[]\`, \`group_id\` and \`tag\`. ${DATA} ${LARGE}`,
    query: z.object({ 'monitors[]': monitors, ...otherParameters }),
    answer: reportDataSchema,
    files: FILES,
    example: {
      query: 'monitors[]=1&period=last_7_days',
      answer: { ...dataExample, report_id: null, name: null },
    },
  },
});

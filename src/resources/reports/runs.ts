import { z } from 'zod';
import { FILE_LINK_MS } from '../../report/links.ts';
import type { RunOptions } from '../../report/runs.ts';
import {
  countOpenRuns,
  findRun,
  insertRun,
  listRuns,
  readRunFile,
  type ReportRunRow,
} from '../../store/resources/report-runs.ts';
import { shownAs } from '../common/answer.ts';
import { recordChange } from '../common/change.ts';
import type { CollectionDeps } from '../common/collection.ts';
import { downloadOf } from '../common/download.ts';
import { Problem } from '../common/errors.ts';
import { finderOf } from '../common/find.ts';
import { Findings, readBody, readQuery } from '../common/input.ts';
import { noun, type Call } from '../common/operation.ts';
import { pageExample, pageSchema } from '../common/page-reference.ts';
import { pageOf, pagingOf, UNSORTED_PAGE_QUERY } from '../common/page.ts';
import { textOrNull, time } from '../common/reference-schemas.ts';
import { teamWriter } from '../common/team-writes.ts';
import { isoOrNull, isoTime } from '../common/time.ts';
import { dataExample, FILES, reportData as reportDataSchema } from './data-schema.ts';
import { FORMATS, runInput, wantedPeriod } from './input.ts';
import { reports } from './reports.ts';

/** Time for which the file of a run is kept. */
const KEEP_MS = 7 * 24 * 3_600_000;
/** Maximum number of runs of a team that have not ended. */
export const MAX_OPEN_RUNS = 10;

const listQuery = z.object(UNSORTED_PAGE_QUERY);

const STATUSES = ['queued', 'running', 'done', 'failed'] as const;

const mustFind = finderOf('report run', findRun);

/** Reports that are made in the background, for any number of monitors. */
function createReportRunService(
  deps: CollectionDeps & {
    baseUrl: () => string;
    mailQueue: { readonly isConfigured: boolean };
  },
) {
  const { database, clock, baseUrl, mailQueue } = deps;
  const write = teamWriter(database, 'editor');

  const view = (row: ReportRunRow) => fields.view(row, baseUrl());

  return {
    startReportRun: ({ caller, id: reportId, body }: Call) =>
      write(caller, 'create', async (tx) => {
        const settings = reports.settingsOf(await reports.find(tx, caller, reportId));
        const findings = new Findings();
        const wanted = readBody(runInput, body, findings);
        const now = clock.now();
        const { timezone: zone, period: byDefault } = settings;
        const period = wantedPeriod(wanted, { zone, period: byDefault, now }, findings);
        if ((await countOpenRuns(tx, caller.team.id)) >= MAX_OPEN_RUNS)
          findings.add(
            'runs',
            `must not be more than ${MAX_OPEN_RUNS} at once: wait for one of them`,
          );
        const isMailed = wanted.mail === true;
        if (isMailed && !mailQueue.isConfigured)
          findings.add(
            'mail',
            'must be false: this installation sends no mail. Its operator can set SMTP_URL',
          );
        else if (isMailed && settings.recipients.length === 0)
          findings.add('mail', 'must be false: the report has no recipients. Add some to it first');
        findings.throwIfAny();
        const options: RunOptions = {
          name: settings.name,
          scope: { monitors: settings.monitors, groupId: settings.group_id, tags: settings.tags },
          ...period,
          timezone: zone,
          language: settings.language,
          format: wanted.format ?? 'pdf',
          isCorrected: wanted.corrected ?? true,
          delimiter: wanted.delimiter ?? ',',
          statusPageId: settings.status_page_id,
        };
        const teamId = caller.team.id;
        const expiresAt = now + (isMailed ? FILE_LINK_MS : KEEP_MS);
        const id = await insertRun(tx, { reportId, teamId, isMailed, options, expiresAt }, now);
        const target = reports.targetOf({ id: reportId, name: settings.name });
        const after = { run_id: id, format: options.format, ...(isMailed && { mail: true }) };
        await recordChange(tx, caller, { verb: 'run_started', target, after }, now);
        return view(await mustFind(tx, caller, id));
      }),

    async listReportRuns({ caller, id: reportId, query, address }: Call) {
      await reports.find(database.read, caller, reportId);
      const paging = pagingOf(readQuery(listQuery, query), 'created_at');
      const { rows, total } = await listRuns(database.read, reportId, paging);
      return pageOf(rows.map(view), total, paging, address);
    },

    async getReportRun({ caller, id }: Call) {
      return view(await mustFind(database.read, caller, id));
    },

    async getReportRunFile({ caller, id }: Call) {
      const run = await mustFind(database.read, caller, id);
      const file = run.status === 'done' ? await readRunFile(database.read, id) : null;
      if (file === null) throw notReady(run);
      return downloadOf(file.type, file.name, file.bytes);
    },
  };
}

function notReady({ status, progress, error }: ReportRunRow): Problem {
  return new Problem(
    'conflict',
    status === 'failed'
      ? `This run has no file. ${error ?? ''}`.trim()
      : `The file is not ready yet: the run is at ${progress} %. Ask again in a few seconds.`,
  );
}

const optionsOf = ({ options }: ReportRunRow) => JSON.parse(options) as RunOptions;

const fields = shownAs<ReportRunRow, string>()({
  id: [z.int(), (row) => row.id, 2],
  report_id: [z.int(), (row) => row.report_id, 1],
  status: [z.enum(STATUSES), (row) => row.status as (typeof STATUSES)[number], 'queued'],
  progress: [z.int().min(0).max(100).meta({ description: 'Percent.' }), (row) => row.progress, 0],
  error: [textOrNull.meta({ description: 'Why it failed.' }), (row) => row.error, null],
  format: [z.enum(FORMATS), (row) => optionsOf(row).format, 'pdf'],
  mailed: [
    z.boolean().meta({ description: 'Whether the recipients of the report get it.' }),
    (row) => row.is_mailed === 1,
    false,
  ],
  from: [time, (row) => isoTime(optionsOf(row).from), '2029-10-03T00:00:00.000Z'],
  to: [time, (row) => isoTime(optionsOf(row).to), '2030-01-01T00:00:00.000Z'],
  url: [
    textOrNull.meta({ description: 'Of the file, once it is done.' }),
    ({ id, status }, base) => (status === 'done' ? `${base}/api/v1/report-runs/${id}/file` : null),
    null,
  ],
  created_at: [time, (row) => isoTime(row.created_at), '2030-01-01T00:00:00.000Z'],
  ended_at: [time.nullable(), (row) => isoOrNull(row.ended_at), null],
  expires_at: [
    time.meta({ description: 'When the run and its file are deleted.' }),
    (row) => isoTime(row.expires_at),
    '2030-01-08T00:00:00.000Z',
  ],
});

const run = z
  .object(fields.shape)
  .meta({ id: 'ReportRun', description: 'A report that is made in the background.' });

const queued = fields.example;

const done = {
  ...queued,
  id: 1,
  status: 'done',
  progress: 100,
  format: 'json',
  url: 'https://up.example.com/api/v1/report-runs/1/file',
  ended_at: '2030-01-01T00:00:02.000Z',
};

export const reportRuns = noun('Reports', createReportRunService, {
  listReportRuns: {
    at: 'GET /reports/:id/runs',
    summary: 'List runs',
    description: 'Newest first, those of scheduled mails too, each with the address of its file.',
    query: listQuery,
    answer: pageSchema(run, 'ReportRunPage'),
    example: { answer: pageExample('/reports/1/runs', [done]) },
  },
  startReportRun: {
    at: 'POST /reports/:id/runs',
    status: 202,
    summary: 'Start a run',
    description:
      'Makes the report in the background, for any number of monitors. Ask for the run until it is `done`; its file is kept for 7 days, or for 30 where `mail` is true, as the link of the mail needs it. A team has at most 10 runs at once.',
    body: runInput,
    answer: run,
    example: { body: { period: 'last_90_days', format: 'pdf' }, answer: queued },
  },
  getReportRun: {
    at: 'GET /report-runs/:id',
    summary: 'Get a run',
    answer: run,
    example: {
      answer: done,
    },
  },
  getReportRunFile: {
    at: 'GET /report-runs/:id/file',
    summary: 'Get the file of a run',
    description: '409 before the run is done, and when it failed.',
    answer: reportDataSchema,
    files: FILES,
    refusals: ['conflict'],
    example: { answer: dataExample },
  },
});

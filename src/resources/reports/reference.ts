import { noun } from '../common/operation.ts';
import { createReportService } from './service.ts';
import { createReportDataService } from './data.ts';
import { createReportRunService } from './runs.ts';
import { z } from 'zod';
import { answerShape, exampleFields, requestSchema } from '../common/fields.ts';
import { pageExample, pageOf } from '../common/page-reference.ts';
import { CSV_EXAMPLE, dataExample, reportData as reportDataAnswer } from './data-schema.ts';
import { REPORT_FIELDS } from './fields.ts';
import { adHocQuery, dataQuery, FORMATS, runInput } from './input.ts';
import { reportListQuery } from './service.ts';

const reportBody = requestSchema(REPORT_FIELDS);

const report = z
  .object({
    id: z.int(),
    ...answerShape(REPORT_FIELDS),
    unsubscribed: z.array(z.string()).meta({
      description:
        'Addresses in lower case whose owners unsubscribed; they can not be added again.',
    }),
    next_mail_at: z.iso.datetime().nullable().meta({ description: 'Null without a frequency.' }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Report', description: 'A saved report about monitors and a period.' });

const monthly = {
  id: 1,
  ...exampleFields(REPORT_FIELDS, {
    name: 'Shop, monthly',
    monitors: [1],
    period: 'last_month',
    frequency: 'monthly',
    recipients: ['customer@example.com'],
    timezone: 'Europe/Berlin',
    language: 'de',
  }),
  unsubscribed: [],
  next_mail_at: '2030-01-01T06:00:00.000Z',
  created_at: '2030-01-01T00:00:00.000Z',
  updated_at: '2030-01-01T00:00:00.000Z',
};

const { monitors, ...otherParameters } = adHocQuery.shape;

const run = z
  .object({
    id: z.int(),
    report_id: z.int(),
    status: z.enum(['queued', 'running', 'done', 'failed']),
    progress: z.int().min(0).max(100).meta({ description: 'Percent.' }),
    error: z.string().nullable().meta({ description: 'Why it failed.' }),
    format: z.enum(FORMATS),
    from: z.iso.datetime(),
    to: z.iso.datetime(),
    url: z.string().nullable().meta({ description: 'Of the file, once it is done.' }),
    created_at: z.iso.datetime(),
    ended_at: z.iso.datetime().nullable(),
    expires_at: z.iso.datetime().meta({ description: 'When the run and its file are deleted.' }),
  })
  .meta({ id: 'ReportRun', description: 'A report that is made in the background.' });

const queued = {
  id: 2,
  report_id: 1,
  status: 'queued',
  progress: 0,
  error: null,
  format: 'pdf',
  from: '2029-10-03T00:00:00.000Z',
  to: '2030-01-01T00:00:00.000Z',
  url: null,
  created_at: '2030-01-01T00:00:00.000Z',
  ended_at: null,
  expires_at: '2030-01-08T00:00:00.000Z',
};

const FILES = [{ type: 'text/csv', example: CSV_EXAMPLE }, { type: 'application/pdf' }] as const;
const DATA =
  'With `format=csv` or `format=pdf` the response is a file. Totals add the times of all monitors, so each counts by the time that it was observed. The period begins no earlier than each monitor. docs/reports.md explains all figures.';
const LARGE =
  'A report about so many monitors and days that it takes longer than about a second is 422: start a run instead.';

export const reports = noun('Reports', createReportService, {
  listReports: {
    at: 'GET /reports',
    summary: 'List reports',
    query: reportListQuery,
    answer: pageOf(report, 'ReportPage'),
    example: { answer: pageExample('/reports', [monthly]) },
    handle: (its, { caller, query, address }) => its.list(caller, query, address),
  },
  createReport: {
    at: 'POST /reports',
    summary: 'Create a report',
    description:
      'Saves what a report is about, and to whom it is sent. Mails contain the main figures and a link to the PDF file, which works for 30 days without signing in.',
    body: reportBody,
    answer: report,
    example: {
      body: {
        name: 'Shop, monthly',
        monitors: [1],
        period: 'last_month',
        frequency: 'monthly',
        recipients: ['customer@example.com'],
        timezone: 'Europe/Berlin',
        language: 'de',
      },
      answer: monthly,
    },
    handle: (its, { caller, body }) => its.create(caller, body),
  },
  getReport: {
    at: 'GET /reports/:id',
    summary: 'Get a report',
    answer: report,
    example: { answer: monthly },
    handle: (its, { caller, id }) => its.get(caller, id),
  },
  updateReport: {
    at: 'PUT /reports/:id',
    summary: 'Change a report',
    description:
      'Only fields that are present change. A new frequency or time zone moves the next mail.',
    body: reportBody.partial(),
    answer: report,
    example: {
      body: { period: 'last_90_days' },
      answer: { ...monthly, period: 'last_90_days' },
    },
    handle: (its, { caller, id, body }) => its.update(caller, id, body),
  },
  deleteReport: {
    at: 'DELETE /reports/:id',
    summary: 'Delete a report',
    description: 'Also deletes its runs and their files.',
    handle: (its, { caller, id }) => its.delete(caller, id),
  },
});

export const reportData = noun('Reports', createReportDataService, {
  getReportData: {
    at: 'GET /reports/:id/data',
    summary: 'Get the data of a report',
    description: `${DATA} ${LARGE}`,
    query: dataQuery,
    answer: reportDataAnswer,
    files: FILES,
    example: { answer: dataExample },
    handle: (its, { caller, id, query }) => its.data(caller, id, query),
  },
  getUptimeReport: {
    at: 'GET /reports/uptime',
    summary: 'Get an ad hoc report',
    description: `The same data as a saved report, about the monitors that match any of \`monitors[]\`, \`group_id\` and \`tag\`. ${DATA} ${LARGE}`,
    query: z.object({ 'monitors[]': monitors, ...otherParameters }),
    answer: reportDataAnswer,
    files: FILES,
    example: {
      query: 'monitors[]=1&period=last_7_days',
      answer: { ...dataExample, report_id: null, name: null },
    },
    handle: (its, { caller, query }) => its.adHoc(caller, query),
  },
});

export const reportRuns = noun('Reports', createReportRunService, {
  startReportRun: {
    at: 'POST /reports/:id/runs',
    status: 202,
    summary: 'Start a run',
    description:
      'Makes the report in the background, for any number of monitors. Ask for the run until it is `done`; its file is kept for 7 days, or for 30 where `mail` is true, as the link of the mail needs it. A team has at most 10 runs at once.',
    body: runInput,
    answer: run,
    example: { body: { period: 'last_90_days', format: 'pdf' }, answer: queued },
    handle: (its, { caller, id, body }) => its.start(caller, id, body),
  },
  getReportRun: {
    at: 'GET /report-runs/:id',
    summary: 'Get a run',
    answer: run,
    example: {
      answer: {
        ...queued,
        id: 1,
        status: 'done',
        progress: 100,
        format: 'json',
        url: 'https://up.example.com/api/v1/report-runs/1/file',
        ended_at: '2030-01-01T00:00:02.000Z',
      },
    },
    handle: (its, { caller, id }) => its.get(caller, id),
  },
  getReportRunFile: {
    at: 'GET /report-runs/:id/file',
    summary: 'Get the file of a run',
    description: '409 before the run is done, and when it failed.',
    answer: reportDataAnswer,
    files: FILES,
    refusals: ['conflict'],
    example: { answer: dataExample },
    handle: (its, { caller, id }) => its.file(caller, id),
  },
});

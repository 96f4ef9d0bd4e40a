import { z } from 'zod';
import { reportFields } from '../resources/reports/reports.ts';
import { time } from './common.ts';
import { REPORT_DATA, sentenceOfReport, viewReportData } from './report-data.ts';
import { fromTeam } from './target-text.ts';
import { listTool, viewTool, type Tool, type View } from './tool.ts';

const period = z.enum(reportFields.period.input.enum) as z.ZodEnum;
const frequency = z.enum(reportFields.frequency.input.enum) as z.ZodEnum;

/** What tools read of a saved report as the API answers it. */
interface ReportAnswer {
  id: number;
  name: string;
  monitors: number[];
  group_id: number | null;
  tags: string[];
  period: string;
  frequency: string;
  recipients: string[];
  timezone: string;
  language: string;
  next_mail_at: string | null;
}

const report = z.object({
  id: z.int(),
  name: z.string(),
  period,
  frequency: frequency.meta({ description: 'How often it is mailed.' }),
  recipients_total: z.int().meta({ description: 'Number of people that it is mailed to.' }),
  next_mail_at: time.nullable(),
  is_for_whole_team: z.boolean().meta({
    description: 'True when it names no monitors, group and tags.',
  }),
  timezone: z.string().optional(),
  language: z.string().optional(),
  group_id: z.int().nullable().optional(),
  monitors_total: z.int().optional(),
  monitors: z.array(z.int()).optional(),
  tags_total: z.int().optional(),
  tags: z.array(z.string()).optional(),
});

const FIGURES =
  'Durations are in seconds, response times in milliseconds. uptime_percent counts only observed time: say observed_percent with it.';
const FILES = ['format', 'delimiter'];

export const REPORT_TOOLS: readonly Tool[] = [
  listTool({
    name: 'list_reports',
    operation: 'listReports',
    description: 'Lists saved reports. Their figures has get_report_data.',
    hiddenQuery: ['sort', 'direction'],
    hasDetail: true,
    items: 'reports',
    item: report,
    viewItem: viewReport,
  }),
  viewTool({
    name: 'get_uptime_report',
    operation: 'getUptimeReport',
    title: 'Get an uptime report',
    description: `Uptime, downtime, incidents and response times of a period of up to 400 days for some monitors, a group, tags or the whole team: totals, the worst and the slowest monitors; with detail more figures of more monitors, groups and incidents. The last 30 days by default. ${FIGURES} For a quick look at the last day to month, use get_uptime_summary.`,
    hiddenQuery: [...FILES, 'language'],
    hasDetail: true,
    output: REPORT_DATA,
    view: viewReportData,
    summary: sentenceOfReport,
  }),
  viewTool({
    name: 'get_report_data',
    operation: 'getReportData',
    description: `The figures of a saved report, for its own period or another one: totals and the worst monitors, with detail more. ${FIGURES}`,
    path: { id: { argument: 'report_id', description: 'Id of the report, from list_reports.' } },
    hiddenQuery: FILES,
    hasDetail: true,
    output: REPORT_DATA,
    view: viewReportData,
    summary: sentenceOfReport,
  }),
];

function viewReport(answer: ReportAnswer, { detail, itemLimit }: View): z.input<typeof report> {
  const { monitors, tags, group_id: groupId } = answer;
  return {
    id: answer.id,
    name: fromTeam(answer.name, 100),
    period: answer.period,
    frequency: answer.frequency,
    recipients_total: answer.recipients.length,
    next_mail_at: answer.next_mail_at,
    is_for_whole_team: monitors.length + tags.length === 0 && groupId === null,
    ...(detail && {
      timezone: answer.timezone,
      language: answer.language,
      group_id: groupId,
      monitors_total: monitors.length,
      monitors: monitors.slice(0, itemLimit),
      tags_total: tags.length,
      tags: tags.slice(0, itemLimit).map((tag) => fromTeam(tag, 50)),
    }),
  };
}

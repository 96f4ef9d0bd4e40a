import type { ReportFile } from '../store/resources/report-runs.ts';
import { reportCsv, type Delimiter } from './csv.ts';
import type { ReportFacts } from './model.ts';
import type { Logo, ReportPrinter } from './pdf/printer.ts';
import { viewReport } from './view.ts';

interface FileForm {
  format: 'json' | 'csv' | 'pdf';
  delimiter: Delimiter;
  logo: Logo | null;
  teamId: number;
}

export async function reportFile(
  facts: ReportFacts,
  { format, delimiter, logo, teamId }: FileForm,
  printer: ReportPrinter,
): Promise<ReportFile> {
  const name = `${fileName(facts)}.${format}`;
  if (format === 'pdf') {
    return { type: 'application/pdf', name, bytes: await printer.run(teamId, { facts, logo }) };
  }
  if (format === 'csv') {
    const bytes = Buffer.from(reportCsv(facts, delimiter));
    return { type: 'text/csv; charset=utf-8; header=present', name, bytes };
  }
  const bytes = Buffer.from(JSON.stringify(viewReport(facts)));
  return { type: 'application/json; charset=utf-8', name, bytes };
}

/** Such as `web-shop-2030-01-01-to-2030-01-31`: letters, digits and hyphens, with the last day that is included. */
function fileName({ name, team, period, timezone }: ReportFacts): string {
  const day = (at: number) =>
    new Intl.DateTimeFormat('en-CA', { timeZone: timezone, dateStyle: 'short' }).format(at);
  const words = (name ?? team)
    .normalize('NFKD')
    .replace(/[^\w\s-]/g, '')
    .trim()
    .toLowerCase()
    .split(/[\s_-]+/)
    .filter((word) => word !== '')
    .join('-')
    .slice(0, 60);
  return `${words || 'uptime'}-${day(period.from)}-to-${day(period.to - 1)}`;
}

import { clock } from './clock.ts';
import type { Log } from '../lib/log.ts';
import { createReportLinks, type ReportLinks } from '../report/links.ts';
import { createReportPrinter, type ReportPrinter } from '../report/pdf/printer.ts';
import { createReportRuns } from '../report/runs.ts';
import type { MailQueue } from '../store/alerting/mails.ts';
import type { Resources } from './resources.ts';

/** Report stage: makes reports in the background, and mails saved ones when they are due. */
export interface Reports {
  links: ReportLinks;
  printer: ReportPrinter;
  start(): void;
  stop(): Promise<void>;
}

export function createReports(
  parts: Pick<Resources, 'database' | 'keys'> & {
    mailQueue: MailQueue;
    /** OPEN_SIGNUP. */
    openSignup: boolean;
    /** Mails were enqueued. */
    onDeliveries: () => void;
    baseUrl: () => string;
    log: Log;
  },
): Reports {
  const links = createReportLinks(parts);
  const printer = createReportPrinter();
  const runs = createReportRuns({ ...parts, clock, links, printer });
  return { links, printer, start: () => runs.start(), stop: () => runs.stop() };
}

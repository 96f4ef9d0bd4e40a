import type { Generated } from 'kysely';

/** Tables of saved reports and of their runs. */
export interface ReportsSchema {
  report: ReportTable;
  report_run: ReportRunTable;
}

export interface ReportTable {
  id: Generated<number>;
  team_id: number;
  name: string;
  /** JSON array of ids. */
  monitors: string;
  /** Without a foreign key: a report about a deleted group covers nothing, rather than the whole team. */
  group_id: number | null;
  /** JSON array of texts. */
  tags: string;
  /** last_7_days, last_30_days, last_90_days or last_month. */
  period: string;
  /** none, weekly or monthly. */
  frequency: string;
  /** JSON array of e-mail addresses. */
  recipients: string;
  /** JSON array of e-mail addresses in lower case that unsubscribed. */
  unsubscribed: Generated<string>;
  /** IANA name. */
  timezone: string;
  /** Code of a language of reports, such as `en`. */
  language: string;
  /** Page whose logo the PDF shows. */
  status_page_id: number | null;
  /** When the next mail is due, epoch ms; null without a frequency. */
  next_at: number | null;
  created_at: number;
  updated_at: number;
}

export interface ReportRunTable {
  id: Generated<number>;
  report_id: number;
  team_id: number;
  /** 1 when its recipients get it by mail. */
  is_mailed: number;
  /** Period, format and language, JSON. */
  options: string;
  /** queued, running, done or failed. */
  status: string;
  /** 0 to 100. */
  progress: number;
  /** Why it failed, a sentence. */
  error: string | null;
  /** Incremented by each process that claims the run. */
  claim: Generated<number>;
  /** Times that the process which made it, or the child that drew its file, ended during it. */
  crashes: Generated<number>;
  /** When it is claimed next, also by the lease of a process that died; null once it has ended. */
  next_at: number | null;
  file_type: string | null;
  file_name: string | null;
  file: Uint8Array | null;
  created_at: number;
  ended_at: number | null;
  /** When it is deleted. */
  expires_at: number;
}

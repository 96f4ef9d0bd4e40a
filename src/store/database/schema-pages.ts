import type { Generated } from 'kysely';
import type { Dated, Identified } from './schema-installation.ts';

/** Tables of status pages, of what they announce and of their subscribers, of reports, and of changes for event streams. */
export interface PagesSchema {
  status_page: StatusPageTable;
  status_page_group: StatusPageGroupTable;
  status_page_service: StatusPageServiceTable;
  status_page_change: StatusPageChangeTable;
  announcement: AnnouncementTable;
  announcement_page: AnnouncementPageTable;
  announcement_service: AnnouncementServiceTable;
  announcement_incident: AnnouncementIncidentTable;
  announcement_update: AnnouncementUpdateTable;
  announcement_update_version: AnnouncementUpdateVersionTable;
  update_template: UpdateTemplateTable;
  subscriber: SubscriberTable;
  mailing: MailingTable;
  report: ReportTable;
  report_run: ReportRunTable;
  live_change: LiveChangeTable;
}

export interface StatusPageTable extends Identified, Dated {
  team_id: number;
  name: string;
  /** Unique in the installation: the last part of `/status/{slug}`. */
  slug: string;
  description: string | null;
  /** JSON of the `settings` object of the API. */
  settings: string;
  /** Code of a file of words, such as `en`. */
  language: string;
  /** IANA name. */
  timezone: string;
  /** JSON of `show_automatic` of the API, the default of its services. */
  show_automatic: string;
  /** public, password, members or addresses. */
  access_type: string;
  /** scrypt hash; null without a password. */
  access_password: string | null;
  /** JSON array of CIDR blocks. */
  access_addresses: string;
  /** Incremented by each change of access: cookies of former versions are void. */
  access_version: Generated<number>;
  /** Host name in lower case and ASCII. */
  custom_domain: string | null;
  /** Public value that the domain's DNS has to show. */
  domain_token: string | null;
  domain_verified_at: number | null;
  domain_checked_at: number | null;
  /** Why the last verification failed, a sentence. */
  domain_error: string | null;
  /** Since when the domain is not proven: since it was set or verification was last asked for, or since its record is missing. */
  domain_failing_since: number | null;
  /** When the domain is verified next; null without one. */
  domain_next_at: number | null;
  /** Media type of the logo. */
  logo_type: string | null;
  logo: Uint8Array | null;
  /** SHA-256 of the logo, base64url. */
  logo_hash: string | null;
}

export interface StatusPageGroupTable extends Identified {
  page_id: number;
  position: number;
  name: string;
}

/** A monitor on a page. */
export interface StatusPageServiceTable {
  page_id: number;
  monitor_id: number;
  /** Place on the page. */
  position: number;
  /** Place in the list as it was sent. */
  list_position: Generated<number>;
  group_id: number | null;
  /** Name on this page; null for that of the monitor. */
  label: string | null;
  /** bar, figure or response_time. */
  display: string;
  /** JSON of `show_automatic` of the API; null for that of the page. */
  show_automatic: string | null;
}

/** A page that something changed on. Only triggers write it. */
interface StatusPageChangeTable extends Identified {
  /** May be the id of a deleted page. */
  page_id: number;
  /** By the database's clock. */
  at: Generated<number>;
}

/** An incident or a maintenance as visitors of status pages see it. */
export interface AnnouncementTable extends Identified, Dated {
  team_id: number;
  /** incident or maintenance. */
  kind: string;
  /** automatic (from incidents), window (from a maintenance window) or person. */
  origin: string;
  /** Null for a title made of the affected services. */
  title: string | null;
  /** none, minor, major or critical. */
  impact: string;
  /** investigating, identified, monitoring or resolved; of maintenance scheduled, in_progress or completed. */
  state: string;
  /** Beginning of the incident, or planned beginning of the maintenance. */
  started_at: number;
  ended_at: number | null;
  /** Planned end of maintenance. */
  planned_until: number | null;
  /** Maintenance window and the beginning of its occurrence. */
  window_id: number | null;
  window_from: number | null;
  /** Markdown subset; shown once `post_mortem_at` is set. */
  post_mortem: string | null;
  post_mortem_at: number | null;
  /** Person that wrote it or changed its title, impact, services or pages: the publisher leaves these alone. */
  person_id: number | null;
  /** A deleted one is on no page. Its row keeps the publisher from announcing the same again. */
  deleted_at: number | null;
}

interface AnnouncementPageTable {
  announcement_id: number;
  page_id: number;
  shown_at: number;
}

interface AnnouncementServiceTable {
  announcement_id: number;
  monitor_id: number;
}

/** An incident that an announcement is about: at most one announcement for each incident. */
interface AnnouncementIncidentTable {
  incident_id: number;
  announcement_id: number;
}

export interface AnnouncementUpdateTable extends Identified {
  announcement_id: number;
  state: string;
  /** Markdown subset; null for an automatic update, whose words are those of the page's language. */
  body: string | null;
  /** JSON array of ids of the pages that show it. */
  status_pages: string;
  person_id: number | null;
  /** The time that visitors see. */
  shown_at: number;
  edited_at: number | null;
  deleted_at: number | null;
  created_at: number;
}

/** A former version of an update, from before an edit or its deletion. */
export interface AnnouncementUpdateVersionTable {
  update_id: number;
  /** From 1. */
  number: number;
  state: string;
  body: string | null;
  status_pages: string;
  /** Who replaced it. */
  person_id: number | null;
  /** When it was replaced. */
  at: number;
}

export interface UpdateTemplateTable extends Identified, Dated {
  team_id: number;
  name: string;
  title: string | null;
  state: string;
  text: string;
}

/** Somebody, or a program, that is notified of a page's announcements. */
export interface SubscriberTable extends Identified, Dated {
  page_id: number;
  /** email, webhook or slack. */
  kind: string;
  /** Sealed: a mail address or a URL. */
  address: string;
  /** Keyed hash of the address, by which it is found. */
  address_hash: string;
  /** JSON array of ids; empty for the whole page. */
  monitors: string;
  /** Queue of a webhook or Slack subscriber. */
  destination_id: number | null;
  confirmed_at: number | null;
  /** End of the confirmation link; null for one that needs none. */
  confirm_until: number | null;
  /** Why the system ended it, a sentence; null while it is active. */
  ended_reason: string | null;
  /** Person of the team that added it; null for visitors. */
  created_by: number | null;
  /** Sealed; signs what a webhook subscriber gets. */
  signing_secret: string | null;
  /** Mails in a row that its mail server refused for good. */
  refusals: Generated<number>;
  /** Mails about updates since the hour began that ends at `mails_until`. */
  mails: Generated<number>;
  mails_until: number | null;
  /** When one mail lists the updates that were held back as too many; null for none. */
  digest_at: number | null;
}

/** An update on its way to the subscribers of a page. */
interface MailingTable extends Identified {
  page_id: number;
  update_id: number;
  /** Id of the last subscriber that was served. */
  position: number;
  /** When its next batch is due; null when all were served. */
  next_at: number | null;
  created_at: number;
}

export interface ReportTable extends Identified, Dated {
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
  /** When the next mail is due; null without a frequency. */
  next_at: number | null;
}

export interface ReportRunTable extends Identified {
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
  expires_at: number;
}

interface LiveChangeTable extends Identified {
  team_id: number;
  /** status, incident, monitor, maintenance or settings. */
  kind: string;
  /** What happened to an incident or monitor, or which settings changed. */
  change: string;
  monitor_id: number | null;
  /** Incident, maintenance window or other object that changed. */
  subject_id: number | null;
  /** By the database's clock. */
  at: Generated<number>;
  /** Id of the transaction on Postgres; 0 on SQLite. */
  txid: Generated<number>;
}

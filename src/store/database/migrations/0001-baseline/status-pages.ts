import { DDL, type Engine } from '../../dialect.ts';

/**
 * Status pages with their services, announcements with their updates, subscribers, and reports. Triggers record which pages a
 * change concerns, so that each is rendered once per change whatever made it
 * (docs/adr/0031-pages-are-rendered-once-per-change.md).
 */
export function statusPageTables(engine: Engine): string[] {
  const { identity, integer, text, blob, strict, strictByKey, nowMs } = DDL[engine];
  const team = `team_id ${integer} not null references team (id) on delete cascade`;
  const page = `page_id ${integer} not null references status_page (id) on delete cascade`;
  const announcement = `announcement_id ${integer} not null references announcement (id) on delete cascade`;
  const monitor = `monitor_id ${integer} not null references monitor (id) on delete cascade`;
  const created = `created_at ${integer} not null`;
  const times = `${created}, updated_at ${integer} not null`;

  return [
    `create table status_page (
      id ${identity}, ${team}, name ${text} not null,
      -- Unique in the installation: the last part of '/status/{slug}'.
      slug ${text} not null,
      description ${text},
      -- JSON of the 'settings' object of the API.
      settings ${text} not null,
      -- Code of a file of words, such as 'en'.
      language ${text} not null,
      -- IANA name.
      timezone ${text} not null,
      -- JSON of 'show_automatic' of the API, the default of its services.
      show_automatic ${text} not null,
      -- JSON array of kinds of subscribers that visitors may be.
      subscribe_by ${text} not null default '["email","slack","microsoft_teams"]',
      -- Channel whose account sends text messages to subscribers.
      sms_channel_id ${integer} references alert_channel (id) on delete set null,
      -- public, password, members or addresses.
      access_type ${text} not null,
      -- scrypt hash; null without a password.
      access_password ${text},
      -- JSON array of CIDR blocks.
      access_addresses ${text} not null,
      -- Incremented by each change of access: cookies of former versions are void.
      access_version ${integer} not null default 1,
      -- Host name in lower case and ASCII.
      custom_domain ${text},
      -- Public value that the domain's DNS has to show.
      domain_token ${text},
      domain_verified_at ${integer}, domain_checked_at ${integer},
      -- Why the last verification failed, a sentence.
      domain_error ${text},
      -- Since when the domain is not proven: since it was set or verification was last asked for, or since its
      -- record is missing.
      domain_failing_since ${integer},
      -- When the domain is verified next; null without one.
      domain_next_at ${integer},
      -- JSON of the 'brand' object of the API.
      brand ${text} not null,
      -- 1 while only the team sees it.
      draft ${integer} not null,
      -- JSON object: media type and SHA-256 (base64url) of each image, by its name, such as 'logo'.
      images ${text} not null default '{}',
      ${times}
    ) ${strict}`,
    `create index status_page_sms on status_page (sms_channel_id) where sms_channel_id is not null`,
    `create unique index status_page_slug on status_page (slug)`,
    `create index status_page_team on status_page (team_id, id)`,
    // Two teams may claim a domain; it belongs to the one that proves it.
    `create index status_page_domain on status_page (custom_domain) where custom_domain is not null`,
    `create unique index status_page_verified_domain on status_page (custom_domain)
      where custom_domain is not null and domain_verified_at is not null`,
    `create index status_page_domain_next on status_page (domain_next_at) where domain_next_at is not null`,
    `create table status_page_image (
      ${page},
      -- logo, logo_dark, favicon or social_image.
      name ${text} not null,
      bytes ${blob} not null,
      primary key (page_id, name)
    ) ${strict}`,
    `create table status_page_group (
      id ${identity}, ${page}, position ${integer} not null, name ${text} not null
    ) ${strict}`,
    `create index status_page_group_page on status_page_group (page_id, position)`,
    // A monitor on a page.
    `create table status_page_service (
      ${page}, ${monitor},
      -- Place on the page.
      position ${integer} not null,
      -- Place in the list as it was sent.
      list_position ${integer} not null default 0,
      group_id ${integer} references status_page_group (id) on delete set null,
      -- Name on this page; null for that of the monitor.
      label ${text},
      -- bar, figure or response_time.
      display ${text} not null,
      -- JSON of 'show_automatic' of the API; null for that of the page.
      show_automatic ${text},
      primary key (page_id, monitor_id)
    ) ${strictByKey}`,
    `create index status_page_service_monitor on status_page_service (monitor_id, page_id)`,

    // An incident or a maintenance as visitors of status pages see it.
    `create table announcement (
      id ${identity}, ${team},
      -- incident or maintenance.
      kind ${text} not null,
      -- automatic (from incidents), window (from a maintenance window) or person.
      origin ${text} not null,
      -- Null for a title made of the affected services.
      title ${text},
      -- none, minor, major or critical.
      impact ${text} not null,
      -- investigating, identified, monitoring or resolved; of maintenance scheduled, in_progress or completed.
      state ${text} not null,
      -- Beginning of the incident, or planned beginning of the maintenance.
      started_at ${integer} not null,
      ended_at ${integer},
      -- Planned end of maintenance.
      planned_until ${integer},
      -- Maintenance window and the beginning of its occurrence.
      window_id ${integer},
      window_from ${integer},
      -- Markdown subset; shown once 'post_mortem_at' is set.
      post_mortem ${text},
      post_mortem_at ${integer},
      -- Person that wrote it or changed its title, impact, services or pages: the publisher leaves these alone.
      person_id ${integer},
      -- A deleted one is on no page. Its row keeps the publisher from announcing the same again.
      deleted_at ${integer},
      ${times}
    ) ${strict}`,
    `create index announcement_team on announcement (team_id, started_at, id)`,
    `create index announcement_open on announcement (team_id) where ended_at is null and deleted_at is null`,
    `create unique index announcement_window on announcement (window_id, window_from) where window_id is not null`,
    `create table announcement_page (
      ${announcement}, ${page}, shown_at ${integer} not null, primary key (announcement_id, page_id)
    ) ${strictByKey}`,
    `create index announcement_page_page on announcement_page (page_id, announcement_id)`,
    `create table announcement_service (
      ${announcement}, ${monitor}, primary key (announcement_id, monitor_id)
    ) ${strictByKey}`,
    `create index announcement_service_monitor on announcement_service (monitor_id)`,
    // An incident that an announcement is about: at most one announcement for each incident.
    `create table announcement_incident (
      incident_id ${integer} not null primary key references incident (id) on delete cascade, ${announcement}
    ) ${strictByKey}`,
    `create index announcement_incident_announcement on announcement_incident (announcement_id)`,
    `create table announcement_update (
      id ${identity}, ${announcement}, state ${text} not null,
      -- Markdown subset; null for an automatic update in words of the page's language.
      body ${text},
      -- JSON array of ids of the pages that show it.
      status_pages ${text} not null,
      person_id ${integer},
      -- The time that visitors see.
      shown_at ${integer} not null,
      edited_at ${integer}, deleted_at ${integer}, ${created}
    ) ${strict}`,
    `create index announcement_update_announcement on announcement_update (announcement_id, id)`,
    // A former version of an update, from before an edit or its deletion.
    `create table announcement_update_version (
      update_id ${integer} not null references announcement_update (id) on delete cascade,
      -- From 1.
      number ${integer} not null,
      state ${text} not null, body ${text}, status_pages ${text} not null,
      -- Who replaced it.
      person_id ${integer},
      -- When it was replaced.
      at ${integer} not null,
      primary key (update_id, number)
    ) ${strictByKey}`,
    `create table update_template (
      id ${identity}, ${team}, name ${text} not null, title ${text}, state ${text} not null, text ${text} not null,
      ${times}
    ) ${strict}`,
    `create index update_template_team on update_template (team_id, id)`,
    // A screen that shows how the monitors are; its link is signed, and stored nowhere.
    `create table wall (
      id ${identity}, ${team}, name ${text} not null, ${times}
    ) ${strict}`,
    `create index wall_team on wall (team_id, id)`,

    // Somebody, or a program, that is notified of a page's announcements.
    `create table subscriber (
      id ${identity}, ${page},
      -- email, slack, microsoft_teams, webhook or sms.
      kind ${text} not null,
      -- Sealed: a mail address, a URL or a phone number.
      address ${text} not null,
      -- Keyed hash of the address, by which it is found.
      address_hash ${text} not null,
      -- JSON array of ids; empty for the whole page.
      monitors ${text} not null,
      -- Queue of a subscriber by other ways than e-mail.
      destination_id ${integer},
      confirmed_at ${integer},
      -- End of the confirmation link; null for one that needs none.
      confirm_until ${integer},
      -- Why the system ended it, a sentence; null while it is active.
      ended_reason ${text},
      -- Person of the team that added it; null for visitors.
      created_by ${integer},
      -- Sealed; signs what a webhook subscriber gets.
      signing_secret ${text},
      -- Mails in a row that its mail server refused for good.
      refusals ${integer} not null default 0,
      -- Mails or text messages about updates since the hour began that ends at 'mails_until'.
      mails ${integer} not null default 0,
      mails_until ${integer},
      -- When one mail lists the updates that were held back as too many; null for none.
      digest_at ${integer},
      ${times}
    ) ${strict}`,
    `create unique index subscriber_address on subscriber (page_id, kind, address_hash)`,
    `create index subscriber_page on subscriber (page_id, id)`,
    `create index subscriber_unconfirmed on subscriber (confirm_until) where confirmed_at is null`,
    `create index subscriber_destination on subscriber (destination_id) where destination_id is not null`,
    `create index subscriber_digest on subscriber (digest_at) where digest_at is not null`,
    // An update on its way to the subscribers of a page.
    `create table mailing (
      id ${identity}, ${page}, update_id ${integer} not null,
      -- Id of the last subscriber that was served.
      position ${integer} not null,
      -- When its next batch is due; null when all were served.
      next_at ${integer},
      ${created}
    ) ${strict}`,
    `create unique index mailing_update on mailing (page_id, update_id)`,
    `create index mailing_next on mailing (next_at, id) where next_at is not null`,

    `create table report (
      id ${identity}, ${team}, name ${text} not null,
      -- JSON array of ids.
      monitors ${text} not null,
      -- Without a foreign key: a report about a deleted group covers nothing, rather than the whole team.
      group_id ${integer},
      -- JSON array of texts.
      tags ${text} not null,
      -- last_7_days, last_30_days, last_90_days or last_month.
      period ${text} not null,
      -- none, weekly or monthly.
      frequency ${text} not null,
      -- JSON array of e-mail addresses.
      recipients ${text} not null,
      -- JSON array of e-mail addresses in lower case that unsubscribed.
      unsubscribed ${text} not null default '[]',
      -- IANA name.
      timezone ${text} not null,
      -- Code of a language of reports, such as 'en'.
      language ${text} not null,
      -- Page whose logo the PDF shows.
      status_page_id ${integer} references status_page (id) on delete set null,
      -- When the next mail is due; null without a frequency.
      next_at ${integer},
      ${times}
    ) ${strict}`,
    `create index report_team on report (team_id, id)`,
    `create index report_next on report (next_at) where next_at is not null`,
    `create index report_page on report (status_page_id) where status_page_id is not null`,
    // `crashes` are times that the run ended the process that made it, so that it is given up.
    `create table report_run (
      id ${identity}, report_id ${integer} not null references report (id) on delete cascade, ${team},
      -- 1 when its recipients get it by mail.
      is_mailed ${integer} not null,
      -- Period, format and language, JSON.
      options ${text} not null,
      -- queued, running, done or failed.
      status ${text} not null,
      -- 0 to 100.
      progress ${integer} not null,
      -- Why it failed, a sentence.
      error ${text},
      -- Times that the process which made it, or the child that drew its file, ended during it.
      crashes ${integer} not null default 0,
      -- Incremented by each process that claims the run.
      claim ${integer} not null default 0,
      -- When it is claimed next, also by the lease of a process that died; null once it has ended.
      next_at ${integer},
      file_type ${text}, file_name ${text}, file ${blob}, ${created}, ended_at ${integer},
      expires_at ${integer} not null
    ) ${strict}`,
    `create index report_run_report on report_run (report_id, id)`,
    `create index report_run_team on report_run (team_id)`,
    `create index report_run_next on report_run (next_at) where next_at is not null`,
    `create index report_run_expires on report_run (expires_at)`,

    // A page that something changed on. Only triggers write it.
    `create table status_page_change (
      id ${identity},
      -- May be the id of a deleted page.
      page_id ${integer} not null,
      -- By the database's clock.
      at ${integer} not null default ${nowMs}
    ) ${strict}`,
    `create index status_page_change_at on status_page_change (at)`,
    ...(engine === 'sqlite' ? sqliteTriggers() : postgresTriggers()),
  ];
}

/** Pages that a changed row concerns, by table. `row` stands for the row or, on Postgres, for the changed rows. */
const PAGES_OF = {
  page: { sqlite: 'select row.id', postgres: 'select row.id from changed as row' },
  ofPage: { sqlite: 'select row.page_id', postgres: 'select row.page_id from changed as row' },
  monitor: {
    sqlite: 'select page_id from status_page_service where monitor_id = row.id',
    postgres:
      'select service.page_id from changed as row join status_page_service as service on service.monitor_id = row.id',
  },
  ofMonitor: {
    sqlite: 'select page_id from status_page_service where monitor_id = row.monitor_id',
    postgres:
      'select service.page_id from changed as row join status_page_service as service on service.monitor_id = row.monitor_id',
  },
  ofTeam: {
    sqlite: 'select id from status_page where team_id = row.team_id',
    postgres:
      'select status_page.id from changed as row join status_page on status_page.team_id = row.team_id',
  },
  announcement: {
    sqlite: 'select page_id from announcement_page where announcement_id = row.id',
    postgres:
      'select shown.page_id from changed as row join announcement_page as shown on shown.announcement_id = row.id',
  },
  ofAnnouncement: {
    sqlite: 'select page_id from announcement_page where announcement_id = row.announcement_id',
    postgres:
      'select shown.page_id from changed as row join announcement_page as shown on shown.announcement_id = row.announcement_id',
  },
} as const;

type Operation = 'insert' | 'update' | 'delete';

/** Tables whose changes show on pages. Monitors and windows are watched for the columns that pages show. */
const WATCHED: readonly [
  table: string,
  pages: keyof typeof PAGES_OF,
  operations: readonly Operation[],
  columns?: readonly string[],
][] = [
  ['status_page', 'page', ['insert', 'update', 'delete']],
  ['status_page_service', 'ofPage', ['insert', 'delete']],
  ['status_span', 'ofMonitor', ['insert', 'update']],
  ['incident', 'ofMonitor', ['insert', 'update', 'delete']],
  ['monitor', 'monitor', ['update'], ['friendly_name', 'url', 'is_paused', 'deleted_at']],
  ['correction', 'ofMonitor', ['insert', 'update']],
  ['maintenance_occurrence', 'ofTeam', ['insert', 'update', 'delete']],
  ['maintenance_window', 'ofTeam', ['update'], ['name', 'description', 'announce']],
  ['announcement', 'announcement', ['update']],
  ['announcement_page', 'ofPage', ['insert', 'delete']],
  ['announcement_service', 'ofAnnouncement', ['insert', 'delete']],
  ['announcement_incident', 'ofAnnouncement', ['insert', 'delete']],
  ['announcement_update', 'ofAnnouncement', ['insert', 'update']],
];

function sqliteTriggers(): string[] {
  return WATCHED.flatMap(([table, pages, operations, columns]) =>
    operations.map((operation) => {
      const of = columns === undefined ? '' : ` of ${columns.join(', ')}`;
      const found = PAGES_OF[pages].sqlite.replaceAll(
        /\brow\b/g,
        operation === 'delete' ? 'old' : 'new',
      );
      return `create trigger status_page_${table}_${operation} after ${operation}${of} on ${table} begin
        insert into status_page_change (page_id) ${found};
      end`;
    }),
  );
}

/** One insertion for each statement: a batch of the engine may change many monitors of a page. */
function postgresTriggers(): string[] {
  const functions = Object.entries(PAGES_OF).map(
    ([
      name,
      { postgres },
    ]) => `create function note_pages_${name.toLowerCase()}() returns trigger language plpgsql as $$
    begin
      insert into status_page_change (page_id) select distinct * from (${postgres}) as concerned;
      return null;
    end $$`,
  );
  const triggers = WATCHED.flatMap(([table, pages, operations, columns]) =>
    operations.map((operation) => {
      const [note, rows] = [
        `note_pages_${pages.toLowerCase()}()`,
        operation === 'delete' ? 'old' : 'new',
      ];
      // A trigger with columns can't have transition tables.
      if (columns !== undefined) {
        return `do $do$ begin
          create function note_changed_${table}() returns trigger language plpgsql as $$
          begin
            insert into status_page_change (page_id) ${PAGES_OF[pages].sqlite.replaceAll(/\brow\b/g, 'new')};
            return null;
          end $$;
          create trigger status_page_${table}_${operation} after ${operation} of ${columns.join(', ')} on ${table}
            for each row execute function note_changed_${table}();
        end $do$`;
      }
      return `create trigger status_page_${table}_${operation} after ${operation} on ${table}
        referencing ${rows} table as changed for each statement execute function ${note}`;
    }),
  );
  return [...functions, ...triggers];
}

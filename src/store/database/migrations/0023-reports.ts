import { DDL, type Engine } from '../dialect.ts';

/** Saved reports, and their runs with the files that they made. */
export function reports(engine: Engine): string[] {
  const { identity, integer, text, blob, strict } = DDL[engine];
  const team = `team_id ${integer} not null references team (id) on delete cascade`;
  return [
    `create table report (
      id ${identity}, ${team}, name ${text} not null, monitors ${text} not null, group_id ${integer},
      tags ${text} not null, period ${text} not null, frequency ${text} not null, recipients ${text} not null,
      unsubscribed ${text} not null default '[]', timezone ${text} not null, language ${text} not null,
      status_page_id ${integer} references status_page (id) on delete set null, next_at ${integer},
      created_at ${integer} not null, updated_at ${integer} not null
    ) ${strict}`,
    `create index report_team on report (team_id, id)`,
    `create index report_next on report (next_at) where next_at is not null`,
    `create index report_page on report (status_page_id) where status_page_id is not null`,
    `create table report_run (
      id ${identity}, report_id ${integer} not null references report (id) on delete cascade, ${team},
      is_mailed ${integer} not null, options ${text} not null, status ${text} not null, progress ${integer} not null,
      error ${text}, claim ${integer} not null default 0, next_at ${integer},
      file_type ${text}, file_name ${text}, file ${blob},
      created_at ${integer} not null, ended_at ${integer}, expires_at ${integer} not null
    ) ${strict}`,
    `create index report_run_report on report_run (report_id, id)`,
    `create index report_run_team on report_run (team_id)`,
    `create index report_run_next on report_run (next_at) where next_at is not null`,
    `create index report_run_expires on report_run (expires_at)`,
  ];
}

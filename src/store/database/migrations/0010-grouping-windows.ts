import { DDL, type Engine } from '../dialect.ts';

/**
 * When each channel was last notified of something new of a team, so that what begins right after it is grouped; and
 * when an incident of an alert was deleted, so that those who were notified of it are notified of that, too.
 */
export function groupingWindows(engine: Engine): string[] {
  const { integer, text, strictByKey } = DDL[engine];
  return [
    `create table grouping_window (
      team_id ${integer} not null, destination_id ${integer} not null, opened_at ${integer} not null,
      severity ${text} not null, primary key (team_id, destination_id)
    ) ${strictByKey}`,
    `create index grouping_window_destination on grouping_window (destination_id)`,
    `alter table alert_incident add column removed_at ${integer}`,
    `alter table alert_incident add column removed_severity ${text}`,
  ];
}

/** Times that a report run ended the process that made it, so that it is given up. */
export function reportCrashes(): string[] {
  return ['alter table report_run add column crashes integer not null default 0'];
}

import { DDL, type Engine } from '../dialect.ts';

/** What processes report of themselves, problems of the installation, and the process that evaluates them. */
export function installationHealth(engine: Engine): string[] {
  const { integer, text, strict, strictByKey } = DDL[engine];
  return [
    `create table process_report (
      id ${text} primary key, name ${text} not null, roles ${text} not null, version ${text} not null,
      started_at ${integer} not null, seen_at ${integer} not null, lag_ms ${integer}, checks_due ${integer},
      checks_late ${integer}, probes ${text}, free_bytes ${integer}, clock_offset_ms ${integer}
    ) ${strict}`,
    `create table installation_problem (
      kind ${text} not null, subject ${text} not null, seen_at ${integer}, opened_at ${integer}, clear_since ${integer},
      value ${integer}, processes ${text} not null, told_opened_at ${integer}, primary key (kind, subject)
    ) ${strictByKey}`,
    `create table installation_watch (
      id ${integer} primary key, holder ${text} not null, leased_until ${integer} not null, evaluated_at ${integer},
      summary ${text}
    ) ${strict}`,
  ];
}

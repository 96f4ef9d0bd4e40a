import { DDL, type Engine } from '../dialect.ts';

/**
 * Corrections of what was recorded of monitors, and their service level objectives (SLO). A correction shows on pages:
 * triggers record it as 0021 does for what was recorded.
 */
export function corrections(engine: Engine): string[] {
  const { identity, integer, real, text, strict, strictByKey } = DDL[engine];
  // Deleted with their monitors, which are deleted with their team.
  const team = `team_id ${integer} not null`;
  const times = `created_at ${integer} not null, updated_at ${integer} not null`;
  return [
    `create table correction (
      id ${identity}, ${team},
      monitor_id ${integer} not null references monitor (id) on delete cascade,
      from_at ${integer} not null, to_at ${integer} not null, counts_as ${text} not null,
      reason ${text} not null, evidence ${text}, person_id ${integer},
      removed_at ${integer}, removed_by ${integer}, ${times}
    ) ${strict}`,
    `create index correction_monitor on correction (monitor_id, to_at)`,
    `create index correction_end on correction (to_at)`,
    `create table monitor_slo (
      monitor_id ${integer} not null primary key references monitor (id) on delete cascade, ${team},
      target_percent ${real} not null, window_days ${integer} not null, burn_rate_alerts ${integer} not null,
      burning ${text}, incident_id ${integer}, burning_since ${integer}, next_at ${integer}, ${times}
    ) ${strictByKey}`,
    `create index monitor_slo_next on monitor_slo (next_at) where next_at is not null`,
    ...(['insert', 'update'] as const).map((operation) => TRIGGER[engine](operation)),
  ];
}

const TRIGGER: Record<Engine, (operation: 'insert' | 'update') => string> = {
  sqlite: (
    operation,
  ) => `create trigger status_page_correction_${operation} after ${operation} on correction begin
    insert into status_page_change (page_id)
      select page_id from status_page_service where monitor_id = new.monitor_id;
  end`,
  postgres: (
    operation,
  ) => `create trigger status_page_correction_${operation} after ${operation} on correction
    referencing new table as changed for each statement execute function note_pages_ofmonitor()`,
};

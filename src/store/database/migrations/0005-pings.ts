import { DDL, type Engine } from '../dialect.ts';

/**
 * Pings, what is known of the job behind a push monitor, and the times in which this service was away. A ping's number
 * counts the pings of its monitor, so that the newest thousand and the number of all are known without counting.
 */
export function pings(engine: Engine): string[] {
  const { identity, integer, text, strict, strictByKey } = DDL[engine];

  return [
    ...[
      `due_at ${integer}`,
      `first_ping_at ${integer}`,
      `armed_at ${integer}`,
      `is_missed ${integer} not null default 0`,
      `is_put_off ${integer} not null default 0`,
      `ping_count ${integer} not null default 0`,
      `ping_window_at ${integer}`,
      `ping_window_count ${integer} not null default 0`,
      `runs ${text} not null default '[]'`,
    ].map((column) => `alter table monitor_state add column ${column}`),
    `create index monitor_state_due on monitor_state (due_at) where due_at is not null`,
    // Those that were made before pings were taken have been waited for unheard: when their time is over, it is put off.
    `update monitor_state set due_at = heartbeat_expected_at,
        armed_at = (select created_at from monitor where monitor.id = monitor_state.monitor_id)
      where heartbeat_expected_at is not null and is_paused = 0`,

    `create table ping (
      monitor_id ${integer} not null, number ${integer} not null, at ${integer} not null, kind ${text} not null,
      run_id ${text}, exit_code ${integer}, duration_ms ${integer}, source_address ${text} not null,
      user_agent ${text}, body ${text}, is_body_cut ${integer} not null, primary key (monitor_id, number)
    ) ${strictByKey}`,

    `create table service_gap (
      id ${identity}, from_at ${integer} not null, to_at ${integer} not null
    ) ${strict}`,
    `create index service_gap_end on service_gap (to_at)`,
  ];
}

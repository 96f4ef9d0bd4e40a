import { DDL, type Engine } from '../dialect.ts';

/** Groups, the settings of push monitors, content checks and credentials, and what is shown of a person's sign-in. */
export function groupsAndPushMonitors(engine: Engine): string[] {
  const { identity, integer, text, strict } = DDL[engine];

  return [
    `create table monitor_group (
      id ${identity}, team_id ${integer} not null references team (id) on delete cascade,
      name ${text} not null, description ${text},
      parent_id ${integer} references monitor_group (id) on delete set null,
      sort_order ${integer} not null, created_at ${integer} not null, updated_at ${integer} not null
    ) ${strict}`,
    `create unique index monitor_group_name on monitor_group (team_id, name)`,
    `create index monitor_group_parent on monitor_group (parent_id) where parent_id is not null`,

    // Nothing has written it so far; it comes back as a reference, which SQLite can't add to a column that exists.
    `alter table monitor drop column group_id`,
    addToMonitor(`group_id ${integer} references monitor_group (id) on delete set null`),
    `create index monitor_by_group on monitor (group_id) where group_id is not null`,

    ...[
      `heartbeat_interval ${integer}`,
      `heartbeat_cron_expression ${text}`,
      `heartbeat_timezone ${text}`,
      `heartbeat_grace ${integer}`,
      `heartbeat_wait_for_first_ping ${integer}`,
      `heartbeat_max_runtime ${integer}`,
      `ping_token ${text}`,
      `ping_token_hash ${text}`,
      `keyword_settings ${text}`,
      `json_assertion_settings ${text}`,
      `auth_type ${text}`,
      `auth_username ${text}`,
      `auth_password ${text}`,
    ].map(addToMonitor),
    `create unique index monitor_ping_token on monitor (ping_token_hash) where ping_token_hash is not null`,

    `alter table monitor_state add column last_heartbeat_at ${integer}`,
    `alter table monitor_state add column heartbeat_expected_at ${integer}`,

    `alter table person add column last_login_at ${integer}`,
    `alter table person add column mfa_enabled ${integer} not null default 0`,
  ];
}

function addToMonitor(column: string): string {
  return `alter table monitor add column ${column}`;
}

import { DDL, type Engine } from '../dialect.ts';

/** The host of each monitor, by which a plan may limit them. SQL can't read it from a url: monitor-hosts.ts fills it in. */
export function monitorHosts(engine: Engine): string[] {
  return [
    `alter table monitor add column host ${DDL[engine].text}`,
    `create index monitor_by_host on monitor (team_id, host) where deleted_at is null and host is not null`,
    `create index monitor_without_host on monitor (id) where host is null`,
  ];
}

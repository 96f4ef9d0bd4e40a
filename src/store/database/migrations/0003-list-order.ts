import { DDL, type Engine } from '../dialect.ts';

/**
 * An index for each order of the list of monitors, so that a page costs the same however many there are. `deleted_at`
 * stands in them where null is asked for; after the id, by which ties are ordered, come the columns of the filters, so
 * that what does not match is stepped over without a look at its row. There is none by the time of the last check:
 * each round would have to move its monitor in it.
 */
export function listOrder(engine: Engine): string[] {
  return [
    order('monitor_by_created', 'created_at, id, type, check_interval'),
    `drop index monitor_team`,
    order('monitor_by_url', `${DDL[engine].indexedUrl}, id, type, check_interval`),
    order('monitor_by_interval', 'check_interval, id, type'),
    order('monitor_by_type', 'type, check_interval, id'),
    ...(engine === 'postgres' ? postgresOnly() : []),
  ];
}

function postgresOnly(): string[] {
  return [
    // It walks an index backwards with nulls first; SQLite can put them last either way.
    order('monitor_by_interval_down', 'check_interval desc nulls last, id desc, type'),
    // SQLite's indexes end with the row's id by themselves.
    `drop index monitor_state_team`,
    `create index monitor_state_team on monitor_state (team_id, status, monitor_id)`,
  ];
}

const order = (name: string, key: string) =>
  `create index ${name} on monitor (team_id, deleted_at, ${key})`;

import type { Engine } from '../dialect.ts';

/**
 * On Postgres a list by duration reads its index alone. An index on an expression is only read alone if it holds the
 * columns of the expression, too (Postgres's documentation, "Index-Only Scans and Covering Indexes").
 */
export function durationIndex(engine: Engine): string[] {
  if (engine === 'sqlite') return [];
  return [
    `drop index incident_duration`,
    `create index incident_duration on incident (team_id, (ended_at - started_at), id)
      include (started_at, ended_at) where ended_at is not null`,
  ];
}

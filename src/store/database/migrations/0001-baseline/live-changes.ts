import { DDL, type Engine } from '../../dialect.ts';

/**
 * Changes that open event streams report (docs/adr/0037-streams-resume-by-snapshots.md). Triggers record them, so that
 * each is reported whatever made it, in the transaction that made it. No trigger fires for a round that changes nothing.
 */
export function liveChanges(engine: Engine): string[] {
  const { identity, integer, text, strict, nowMs } = DDL[engine];
  return [
    `create table live_change (
      id ${identity}, team_id ${integer} not null,
      -- status, incident, monitor, maintenance or settings.
      kind ${text} not null,
      -- What happened to an incident or monitor, or which settings changed.
      change ${text} not null,
      monitor_id ${integer},
      -- Incident, maintenance window or other object that changed.
      subject_id ${integer},
      -- By the database's clock.
      at ${integer} not null default ${nowMs},
      -- Id of the transaction on Postgres; 0 on SQLite.
      txid ${integer} not null default ${TRANSACTION[engine]}
    ) ${strict}`,
    `create index live_change_at on live_change (at)`,
    ...(engine === 'postgres' ? ['create index live_change_txid on live_change (txid)'] : []),
    ...(engine === 'sqlite' ? WATCHED.map(sqliteTrigger) : WATCHED.flatMap(postgresTrigger)),
  ];
}

/** SQLite has one writer: the order of ids is that of commits. */
const TRANSACTION = {
  sqlite: '0',
  postgres: '(pg_current_xact_id()::text::bigint)',
} as const;

interface Watched {
  table: string;
  operation: 'insert' | 'update' | 'delete';
  /** Columns of an update; all by default. */
  columns?: string;
  /** Which updated rows count. */
  when?: string;
  /** Terms for `kind`, `change`, `monitor_id` and `subject_id`. `row` stands for the changed row. */
  values: [kind: string, change: string, monitor: string, subject: string];
  /** Term for `team_id`. */
  team?: string;
  /** Which of the changed rows are recorded. */
  where?: string;
}

const SETTING = {
  maintenance_window: 'maintenance-windows',
  announcement: 'announcements',
  report_run: 'reports',
} as const;

const setting = (
  table: keyof typeof SETTING,
  change: Omit<Watched, 'table' | 'values'>,
): Watched => ({
  table,
  ...change,
  values: [`'settings'`, `'${SETTING[table]}'`, 'null', 'row.id'],
});

/** Kinds of audited things that no list of settings shows. */
const IN_NO_LIST = `('incident', 'token', 'session', 'person', 'notification_channel', 'application')`;

/** The list that shows an audited thing has the name of its kind: 'alert-routes' for 'alert_route'. */
const LIST_OF_AUDITED = `case row.target_type when 'team' then 'team' when 'invitation' then 'members'
    else replace(row.target_type, '_', '-') || 's' end`;

const WATCHED: readonly Watched[] = [
  {
    table: 'status_span',
    operation: 'insert',
    values: [`'status'`, `'status'`, 'row.monitor_id', 'null'],
  },
  {
    table: 'status_span',
    operation: 'update',
    columns: 'status, to_at',
    // A span that only ends is followed by an inserted one.
    when: 'old.status is distinct from new.status or (old.to_at is not null and new.to_at is null)',
    values: [`'status'`, `'status'`, 'row.monitor_id', 'null'],
  },
  {
    table: 'monitor',
    operation: 'update',
    columns: 'is_paused',
    when: 'old.is_paused is distinct from new.is_paused',
    values: [`'status'`, `'paused'`, 'row.id', 'null'],
  },
  {
    table: 'incident',
    operation: 'insert',
    values: [`'incident'`, `'opened'`, 'row.monitor_id', 'row.id'],
  },
  {
    table: 'incident',
    operation: 'update',
    values: [
      `'incident'`,
      `case when old.ended_at is null and new.ended_at is not null then 'resolved'
        when old.ended_at is not null and new.ended_at is null then 'reopened'
        when old.acknowledged_at is null and new.acknowledged_at is not null then 'acknowledged'
        else 'updated' end`,
      'row.monitor_id',
      'row.id',
    ],
  },
  {
    table: 'incident',
    operation: 'delete',
    values: [`'incident'`, `'deleted'`, 'row.monitor_id', 'row.id'],
  },
  {
    table: 'activity',
    operation: 'insert',
    values: [
      `'incident'`,
      `'updated'`,
      '(select incident.monitor_id from incident where incident.id = row.incident_id)',
      'row.incident_id',
    ],
    // The others come with a change of their incident.
    where: `row.type in ('failed_again', 'target_changed', 'root_cause_changed')`,
  },
  // The times of a window come and go without a change by anybody: the scheduler then sets when it is due next.
  {
    table: 'maintenance_window',
    operation: 'update',
    values: [`'maintenance'`, `'maintenance'`, 'null', 'row.id'],
  },
  {
    table: 'maintenance_occurrence',
    operation: 'insert',
    values: [`'maintenance'`, `'maintenance'`, 'null', 'row.window_id'],
  },
  {
    table: 'maintenance_occurrence',
    operation: 'update',
    values: [`'maintenance'`, `'maintenance'`, 'null', 'row.window_id'],
  },
  {
    table: 'audit_entry',
    operation: 'insert',
    values: [
      `case when row.target_type in ('monitor', 'slo') then 'monitor' else 'settings' end`,
      `case when row.action in ('monitor.created', 'monitor.deleted') then substr(row.action, 9)
        when row.target_type in ('monitor', 'slo') then 'updated' else ${LIST_OF_AUDITED} end`,
      `case when row.target_type in ('monitor', 'slo') then row.target_id end`,
      'row.target_id',
    ],
    where: `row.team_id is not null and row.target_type not in ${IN_NO_LIST}`,
  },
  // Changes that Tocsin makes itself have no audit entry.
  setting('maintenance_window', {
    operation: 'update',
    columns: 'next_at',
    when: 'old.next_at is distinct from new.next_at',
  }),
  setting('announcement', { operation: 'insert' }),
  setting('announcement', { operation: 'update' }),
  {
    table: 'announcement_update',
    operation: 'insert',
    team: '(select announcement.team_id from announcement where announcement.id = row.announcement_id)',
    values: [`'settings'`, `'announcements'`, 'null', 'row.announcement_id'],
  },
  setting('report_run', {
    operation: 'update',
    columns: 'status',
    when: 'old.status is distinct from new.status',
  }),
  {
    table: 'destination',
    operation: 'update',
    columns: 'failing_since',
    when: `(old.failing_since is null) <> (new.failing_since is null) and new.team_id is not null
      and new.kind in ('webhook', 'channel')`,
    values: [
      `'settings'`,
      `case row.kind when 'webhook' then 'webhook-endpoints' else 'alert-channels' end`,
      'null',
      'null',
    ],
  },
];

const nameOf = ({ table, operation, values }: Watched) =>
  `live_${table}_${operation}_${values[0].replaceAll(/\W/g, '').slice(0, 8)}`;

/** Statement that records the changed rows of a source. */
function insertOf({ values, team = 'row.team_id', where }: Watched, from: string): string {
  return `insert into live_change (team_id, kind, change, monitor_id, subject_id)
    select ${team}, ${values.join(', ')}${from}${where === undefined ? '' : ` where ${where}`}`;
}

const withRow = (statement: string, name: 'old' | 'new') =>
  statement.replaceAll(/\brow\./g, `${name}.`);

function headOf({ table, operation, columns }: Watched): string {
  const of = columns === undefined ? '' : ` of ${columns}`;
  return `after ${operation}${of} on ${table}`;
}

function sqliteTrigger(watched: Watched): string {
  const { operation, when } = watched;
  return `create trigger ${nameOf(watched)} ${headOf(watched)} for each row
    ${when === undefined ? '' : `when ${when} `}begin
    ${withRow(insertOf(watched, ''), operation === 'delete' ? 'old' : 'new')};
  end`;
}

/** One insertion for each statement that inserts or deletes; updates compare the old row with the new one. */
function postgresTrigger(watched: Watched): string[] {
  const { operation, when } = watched;
  const name = nameOf(watched);
  const isByRow = operation === 'update';
  const insert = isByRow
    ? withRow(insertOf(watched, ''), 'new')
    : insertOf(watched, ' from changed as row').replaceAll(/\brow\b/g, 'changed_row');
  const each = isByRow
    ? `for each row${when === undefined ? '' : ` when (${when})`}`
    : `referencing ${operation === 'delete' ? 'old' : 'new'} table as changed for each statement`;
  return [
    `create function ${name}() returns trigger language plpgsql as $$
    begin
      ${insert};
      return null;
    end $$`,
    `create trigger ${name} ${headOf(watched)} ${each} execute function ${name}()`,
  ];
}

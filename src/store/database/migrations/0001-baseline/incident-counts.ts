import { DDL, type Engine } from '../../dialect.ts';

/**
 * Numbers of incidents by UTC day, type and severity, kept by triggers in the transaction of each change
 * (docs/adr/0023-incident-counts-are-kept-by-triggers.md). A change of a monitor's `deleted_at` moves its incidents
 * between those that lists show and those that they don't.
 */
export function incidentCounts(engine: Engine): string[] {
  const { integer, text, strictByKey } = DDL[engine];
  const counts = `
      -- Whole UTC days since 1970.
      day ${integer} not null, type ${text} not null, severity ${text} not null,
      total ${integer} not null, open ${integer} not null`;
  return [
    // Incidents of one monitor that started on one day. Only triggers write it.
    `create table incident_monitor_day (
      monitor_id ${integer} not null, ${counts}, primary key (monitor_id, day, type, severity)
    ) ${strictByKey}`,
    // Incidents of one team that started on one day. On Postgres the rows of one key are summed.
    `create table incident_team_day (
      team_id ${integer} not null,
      -- 0 for incidents of deleted monitors, which lists leave out.
      is_shown ${integer} not null,
      ${counts},
      -- 0 for a change that is not summed yet.
      is_sum ${integer} not null default 1 ${engine === 'sqlite' ? ', primary key (team_id, is_shown, day, type, severity)' : ''}
    ) ${strictByKey}`,
    ...(engine === 'postgres' ? POSTGRES_INDEXES : []),
    ...(engine === 'sqlite' ? sqliteTriggers() : postgresTriggers()),
  ];
}

const DAY_MS = 86_400_000;

/** The UTC day of an instant, also before 1970. */
const dayOf = (at: string) => `(${at} - (${at} % ${DAY_MS} + ${DAY_MS}) % ${DAY_MS}) / ${DAY_MS}`;

/** Columns of an incident that its counts depend on, besides whether it has ended. */
const KEY = ['team_id', 'monitor_id', 'type', 'severity', 'started_at'];

const isOpen = (row: string) => `(${row}.ended_at is null)`;

function sqliteTriggers(): string[] {
  const differs = KEY.map((column) => `old.${column} <> new.${column}`).join(' or ');
  const turned = `${isOpen('new')} - ${isOpen('old')}`;
  return [
    `create trigger incident_added after insert on incident begin
      ${sqliteCount('new', '1', isOpen('new'))}
    end`,
    `create trigger incident_removed after delete on incident begin
      ${sqliteCount('old', '-1', `-${isOpen('old')}`)}
      ${sqliteForget('old')}
    end`,
    `create trigger incident_ended_or_reopened after update of ended_at on incident
    when ${isOpen('old')} <> ${isOpen('new')} and not (${differs}) begin
      ${sqliteCount('new', '0', turned)}
    end`,
    `create trigger incident_moved after update on incident when ${differs} begin
      ${sqliteCount('old', '-1', `-${isOpen('old')}`)}
      ${sqliteForget('old')}
      ${sqliteCount('new', '1', isOpen('new'))}
    end`,
    `create trigger incident_monitor_deleted after update of deleted_at on monitor
    when (old.deleted_at is null) <> (new.deleted_at is null) begin
      ${sqliteMove('(old.deleted_at is null)', '-')}
      delete from incident_team_day where team_id = new.team_id and is_shown = (old.deleted_at is null) and total = 0
        and day in (select day from incident_monitor_day where monitor_id = new.id);
      ${sqliteMove('(new.deleted_at is null)', '')}
    end`,
  ];
}

const isShown = (row: string) =>
  `exists (select 1 from monitor where id = ${row}.monitor_id and deleted_at is null)`;

function sqliteCount(row: string, total: string, open: string): string {
  const counted = `${dayOf(`${row}.started_at`)}, ${row}.type, ${row}.severity, ${total}, ${open}`;
  const added = 'do update set total = total + excluded.total, open = open + excluded.open';
  return `insert into incident_monitor_day (monitor_id, day, type, severity, total, open)
        values (${row}.monitor_id, ${counted})
        on conflict (monitor_id, day, type, severity) ${added};
      insert into incident_team_day (team_id, is_shown, day, type, severity, total, open)
        values (${row}.team_id, ${isShown(row)}, ${counted})
        on conflict (team_id, is_shown, day, type, severity) ${added};`;
}

/** Days without incidents have no row. */
function sqliteForget(row: string): string {
  const day = `day = ${dayOf(`${row}.started_at`)} and type = ${row}.type and severity = ${row}.severity and total = 0`;
  return `delete from incident_monitor_day where monitor_id = ${row}.monitor_id and ${day};
      delete from incident_team_day where team_id = ${row}.team_id and is_shown in (0, 1) and ${day};`;
}

function sqliteMove(shown: string, sign: string): string {
  return `insert into incident_team_day (team_id, is_shown, day, type, severity, total, open)
        select new.team_id, ${shown}, day, type, severity, ${sign}total, ${sign}open
        from incident_monitor_day where monitor_id = new.id
        on conflict (team_id, is_shown, day, type, severity)
        do update set total = total + excluded.total, open = open + excluded.open;`;
}

const POSTGRES_INDEXES = [
  `create index incident_team_day_key on incident_team_day (team_id, is_shown, day, type, severity)`,
  `create index incident_team_day_change on incident_team_day (team_id) where is_sum = 0`,
];

/**
 * Rows of changes that wait to be added up, for each team, before a transaction does it: often enough to keep sums
 * quick, seldom enough to cost little.
 */
const CHANGES_KEPT = 100;

/**
 * A team's row of today would be held by one transaction until it ends, and two that take such rows in different order
 * would wait for each other for ever. So changes of a team are rows of their own, which one transaction at a time adds
 * up; a session that finds another one at it leaves that to the next. Rows of one monitor are safe, as a session that changes its
 * incidents holds its state.
 */
function postgresTriggers(): string[] {
  return [
    `create function add_up_incident_days(team bigint) returns void language plpgsql as $$
    begin
      if (select count(*) from (select 1 from incident_team_day where team_id = team and is_sum = 0
        limit ${CHANGES_KEPT}) as change) < ${CHANGES_KEPT} then return; end if;
      if not pg_try_advisory_xact_lock(hashtextextended('tocsin.incident_team_day', team)) then return; end if;
      with change as (
        select distinct is_shown, day, type, severity from incident_team_day where team_id = team and is_sum = 0
      ), gone as (
        delete from incident_team_day as kept using change
        where kept.team_id = team and kept.is_shown = change.is_shown and kept.day = change.day
          and kept.type = change.type and kept.severity = change.severity
        returning kept.*
      )
      insert into incident_team_day (team_id, is_shown, day, type, severity, total, open, is_sum)
        select team_id, is_shown, day, type, severity, sum(total), sum(open), 1 from gone
        group by team_id, is_shown, day, type, severity having sum(total) <> 0 or sum(open) <> 0;
    end $$`,
    postgresTrigger('added', 'insert', 'new table as added', changeRows('added', 1)),
    postgresTrigger('removed', 'delete', 'old table as removed', changeRows('removed', -1)),
    postgresTrigger(
      'changed',
      'update',
      'old table as removed new table as added',
      `${changeRows('added', 1)} union all ${changeRows('removed', -1)}`,
    ),
    `create function count_deleted_monitor() returns trigger language plpgsql as $$
    begin
      perform 1 from monitor_state where monitor_id = new.id for no key update;
      insert into incident_team_day (team_id, is_shown, day, type, severity, total, open, is_sum)
        select new.team_id, side.is_shown, day, type, severity, side.sign * total, side.sign * open, 0
        from incident_monitor_day, (values
          (case when old.deleted_at is null then 1 else 0 end, -1),
          (case when new.deleted_at is null then 1 else 0 end, 1)) as side (is_shown, sign)
        where monitor_id = new.id;
      perform add_up_incident_days(new.team_id);
      return null;
    end $$`,
    `create trigger incident_monitor_deleted after update of deleted_at on monitor for each row
      when ((old.deleted_at is null) <> (new.deleted_at is null)) execute function count_deleted_monitor()`,
  ];
}

const changeRows = (table: string, sign: 1 | -1) =>
  `select team_id, monitor_id, ${dayOf('started_at')} as day, type, severity, ${sign}::bigint as total,
        case when ended_at is null then ${sign}::bigint else 0 end as open from ${table}`;

/** Statements that only touch `updated_at` and the like add no row. */
function postgresTrigger(name: string, operation: string, tables: string, rows: string): string {
  return `do $do$ begin
    create function count_${name}_incidents() returns trigger language plpgsql as $$
    declare team bigint;
    begin
      insert into incident_monitor_day as kept (monitor_id, day, type, severity, total, open)
        select monitor_id, day, type, severity, sum(total), sum(open) from (${rows}) as change
        group by monitor_id, day, type, severity having sum(total) <> 0 or sum(open) <> 0
        order by monitor_id, day, type, severity
        on conflict (monitor_id, day, type, severity)
        do update set total = kept.total + excluded.total, open = kept.open + excluded.open;
      ${operation === 'insert' ? '' : FORGET}
      insert into incident_team_day (team_id, is_shown, day, type, severity, total, open, is_sum)
        select change.team_id, case when monitor.id is null then 0 else 1 end, day, change.type, change.severity,
          sum(total), sum(open), 0
        from (${rows}) as change
        left join monitor on monitor.id = change.monitor_id and monitor.deleted_at is null
        group by 1, 2, 3, 4, 5 having sum(total) <> 0 or sum(open) <> 0;
      if not found then return null; end if;
      for team in select distinct team_id from (${rows}) as change loop
        perform add_up_incident_days(team);
      end loop;
      return null;
    end $$;
    create trigger incident_${name} after ${operation} on incident referencing ${tables}
      for each statement execute function count_${name}_incidents();
  end $do$`;
}

/** Days without incidents have no row. */
const FORGET = `delete from incident_monitor_day as kept using (select distinct monitor_id from removed) as change
        where kept.monitor_id = change.monitor_id and kept.total = 0;`;

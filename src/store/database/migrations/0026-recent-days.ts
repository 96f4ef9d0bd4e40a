import { DDL, type Engine } from '../dialect.ts';

/** Start of the day of a changed hour. */
const dayOf = (row: 'old' | 'new') => `${row}.at - ${row}.at % 86400000`;

const forgetDay = (row: 'old' | 'new') =>
  `delete from rollup_recent_day where monitor_id = ${row}.monitor_id and at = ${dayOf(row)}`;

/**
 * Sums of the hours of a day, of days whose hours are still kept. A trigger deletes the sum with any change of its hours,
 * whatever made it, so that a sum that is there is right (docs/adr/0039-recent-days-are-summed.md).
 */
export function recentDays(engine: Engine): string[] {
  const { integer, blob, strictByKey } = DDL[engine];
  const table = `create table rollup_recent_day (
    monitor_id ${integer} not null, at ${integer} not null, data ${blob} not null, primary key (monitor_id, at)
  ) ${strictByKey}`;
  if (engine === 'sqlite') return [table, ...CHANGES.map(sqliteTrigger)];
  return [
    table,
    // By row: for a whole statement the planner would read all sums.
    `create function forget_recent_day() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' then ${forgetDay('old')}; else ${forgetDay('new')}; end if;
      return null;
    end $$`,
    `create trigger recent_day after insert or update or delete on rollup_hour
      for each row execute function forget_recent_day()`,
  ];
}

const CHANGES = ['insert', 'update', 'delete'] as const;

function sqliteTrigger(change: (typeof CHANGES)[number]): string {
  return `create trigger recent_day_${change} after ${change} on rollup_hour for each row begin
    ${forgetDay(change === 'delete' ? 'old' : 'new')};
  end`;
}

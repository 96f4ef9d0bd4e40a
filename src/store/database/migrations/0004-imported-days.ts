import { DDL, type Engine } from '../dialect.ts';

/** Days that another service observed before a monitor was created here. Pages that show it are noted, as for corrections. */
export function importedDays(engine: Engine): string[] {
  const { integer, text, strictByKey } = DDL[engine];
  return [
    // The days are written and read together, by one monitor at a time.
    `create table imported_days (
      monitor_id ${integer} not null primary key references monitor (id) on delete cascade,
      -- Name of the service that observed them.
      source ${text} not null,
      -- JSON array of '[day, up, down]': the date as days since 1970, and seconds.
      days ${text} not null,
      -- The newest of them, as days since 1970.
      last_day ${integer} not null
    ) ${strictByKey}`,
    `create index imported_days_last on imported_days (last_day)`,
    ...(['insert', 'update', 'delete'] as const).map((operation) => {
      const row = operation === 'delete' ? 'old' : 'new';
      const trigger = `create trigger status_page_imported_days_${operation} after ${operation} on imported_days`;
      return engine === 'sqlite'
        ? `${trigger} begin
            insert into status_page_change (page_id)
              select page_id from status_page_service where monitor_id = ${row}.monitor_id;
          end`
        : `${trigger} referencing ${row} table as changed for each statement execute function note_pages_ofmonitor()`;
    }),
  ];
}

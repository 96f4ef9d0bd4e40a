import { DDL, type Engine } from '../database/dialect.ts';

/**
 * Names of the tables of a day, which is a text such as `20261121`: `round_…` has a row per round, `failure_…` the texts of
 * failed ones.
 */
export const roundName = (day: string): string => `round_${day}`;
export const failureName = (day: string): string => `failure_${day}`;

const DAY_TABLE = /^(round|failure)_\d{8}$/;

/** Whether a table is one of a day, which no migration makes. */
export function isDayTable(name: string): boolean {
  return DAY_TABLE.test(name);
}

/**
 * Statement that creates a table of a day. `at` is the start of the round in milliseconds since the start of the day, which
 * saves two bytes a round.
 */
export function dayTableStatement(engine: Engine, name: string): string {
  const { integer, blob, text, strictByKey } = DDL[engine];
  const content = name.startsWith('round') ? `data ${blob}` : `details ${text}`;
  // Milliseconds of a day need four bytes on Postgres, half of what other integers have there.
  return `create table ${name} (monitor_id ${integer} not null, at integer not null, ${content} not null,
    primary key (monitor_id, at)) ${strictByKey}`;
}

import { DDL, type Engine } from '../dialect.ts';

/** Rounds around the start and the end of an incident, as they were in the tables of their days. */
export function incidentRounds(engine: Engine): string[] {
  const { integer, text, blob, strictByKey } = DDL[engine];
  return [
    `create table incident_round (
      incident_id ${integer} not null, at ${integer} not null, data ${blob} not null, details ${text},
      primary key (incident_id, at)
    ) ${strictByKey}`,
  ];
}

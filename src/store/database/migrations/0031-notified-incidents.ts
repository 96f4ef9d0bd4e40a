import { DDL, type Engine } from '../dialect.ts';

/** Records of which incidents of an alert each destination was notified. Programs of the release before keep none. */
export function notifiedIncidents(engine: Engine): string[] {
  const { integer, text, strictByKey } = DDL[engine];
  return [
    `create table alert_recipient_incidents (
      alert_id ${integer} not null, destination_id ${integer} not null, incidents ${text} not null, ends ${text} not null,
      primary key (alert_id, destination_id)
    ) ${strictByKey}`,
  ];
}

import { DDL, type Engine } from '../dialect.ts';

/** What was used of budgets that survive a restart, such as mails to one address; recipients are hashed with a secret. */
export function budgets(engine: Engine): string[] {
  const { integer, text, strictByKey } = DDL[engine];
  return [
    `create table budget (
      key ${text} not null primary key, used ${integer} not null, ends_at ${integer} not null
    ) ${strictByKey}`,
    `create index budget_end on budget (ends_at)`,
  ];
}

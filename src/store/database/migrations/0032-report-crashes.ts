import { DDL, type Engine } from '../dialect.ts';

/** Times that a report run ended the process that made it, so that it is given up. */
export function reportCrashes(engine: Engine): string[] {
  return [`alter table report_run add column crashes ${DDL[engine].integer} not null default 0`];
}

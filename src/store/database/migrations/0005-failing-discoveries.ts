import { DDL, type Engine } from '../dialect.ts';

/** What a process can't discover. */
export function failingDiscoveries(engine: Engine): string[] {
  const { text } = DDL[engine];
  return [
    // JSON array of names of configuration sets.
    `alter table process_report add column failing_discoveries ${text} not null default '[]'`,
  ];
}

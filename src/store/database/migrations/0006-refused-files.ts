import { DDL, type Engine } from '../dialect.ts';

/** A process reports whether it refuses the files of CONFIG_DIR. */
export function refusedFiles(engine: Engine): string[] {
  const { integer } = DDL[engine];
  return [
    // 1 while they are wrong, or could not be applied.
    `alter table process_report add column refuses_files ${integer} not null default 0`,
  ];
}

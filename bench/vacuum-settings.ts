import type { PostgresWatch } from './postgres-watch.ts';

/** Settings of tables that a run tries; `own` as the migrations leave them: those of Postgres. */
export type TableSettings = 'own' | 'candidate';

/** Storage parameters that are tried, by a pattern of table names. */
const CANDIDATES: readonly [pattern: string, parameters: string][] = [
  // Room for the next version of a state in its page, also in pages that were just filled.
  ['^monitor_state$', 'fillfactor = 90, autovacuum_vacuum_scale_factor = 0.1'],
  // Rows of a day only come, and its table is dropped whole: to vacuum them reads and writes each page once more for nothing.
  ['^(round|failure)_[0-9]{8}$', 'autovacuum_vacuum_insert_threshold = -1'],
  // Few rows that are updated all the time.
  ['^(shard|node|progress|process_report|installation_watch)$', 'fillfactor = 50'],
];

/** @returns the settings that a word names. @throws for any other word. */
export function tableSettingsOf(word: string | null): TableSettings {
  if (word === null) return 'own';
  if (word === 'own' || word === 'candidate') return word;
  throw new Error(`There are no settings ${word}.`);
}

/** Alters the tables that there are; those of a new day need it again. */
export async function applyTableSettings(
  postgres: PostgresWatch,
  settings: TableSettings,
): Promise<void> {
  if (settings !== 'candidate') return;
  for (const [pattern, parameters] of CANDIDATES) {
    const found = await postgres.rows<{ name: string }>(
      `select relname as name from pg_class where relkind = 'r' and relname ~ '${pattern}'`,
    );
    for (const { name } of found) await postgres.execute(`alter table ${name} set (${parameters})`);
  }
}

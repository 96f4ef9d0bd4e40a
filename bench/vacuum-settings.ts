import type { PostgresWatch } from './postgres-watch.ts';

/** Settings of tables that a run tries: `own` as the migrations leave them, `defaults` those of Postgres. */
export type TableSettings = 'own' | 'defaults';

/** Tables to which a migration gave settings, and their names. */
const OWN: readonly [table: string, parameters: string][] = [['monitor_state', 'fillfactor']];

/** @returns the settings that a word names. @throws for any other word. */
export function tableSettingsOf(word: string | null): TableSettings {
  if (word === null) return 'own';
  if (word === 'own' || word === 'defaults') return word;
  throw new Error(`There are no settings ${word}.`);
}

/** Gives the tables these settings. */
export async function applyTableSettings(postgres: PostgresWatch, settings: TableSettings) {
  if (settings === 'own') return;
  for (const [name, parameters] of OWN)
    await postgres.execute(`alter table ${name} reset (${parameters})`);
}

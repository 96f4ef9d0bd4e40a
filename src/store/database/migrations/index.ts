import type { Engine } from '../dialect.ts';
import { baseline } from './0001-baseline/index.ts';
import { pingAliases } from './0002-ping-aliases.ts';
import { configurationSets } from './0003-configuration-sets.ts';
import { importedDays } from './0004-imported-days.ts';
import { failingDiscoveries } from './0005-failing-discoveries.ts';
import { refusedFiles } from './0006-refused-files.ts';

export interface NamedMigration {
  /** Name with its number, which sorts after all earlier names. */
  name: string;
  /** Statements that migrate a database of the previous version. */
  statements(engine: Engine): string[];
  /**
   * Whether programs of the release before fail on the tables that it leaves, or leave rows there that this release does not
   * understand. Then all of them are stopped before it runs, and none starts afterwards. Without it the migration only adds
   * to the tables, which the test beside this file checks.
   */
  isBreaking?: true;
}

/**
 * All migrations in order. Append only: a released migration is never changed, renamed or removed, as existing databases
 * have run it. The test beside this file holds the hash of each.
 */
export const MIGRATIONS: readonly NamedMigration[] = [
  { name: '0001-baseline', statements: baseline },
  { name: '0002-ping-aliases', statements: pingAliases },
  { name: '0003-configuration-sets', statements: configurationSets },
  { name: '0004-imported-days', statements: importedDays },
  { name: '0005-failing-discoveries', statements: failingDiscoveries },
  { name: '0006-refused-files', statements: refusedFiles },
];

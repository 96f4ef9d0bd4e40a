import { sql, type Kysely } from 'kysely';
import type { SealedForm } from '../../lib/secret-box.ts';
import { FIRST_BOUND, OLDEST_SETTING, raiseOldest } from './migrations/compatibility.ts';
import type { Schema } from './schema.ts';
import { readSetting } from './settings.ts';
import type { Database } from './contract.ts';

/*
 * Values that are bound to their place can be read by the release that brought `FIRST_BOUND` and by later ones. They are
 * written once no older program may use the database, which is what its oldest usable migration says.
 */

/** Form of the secrets that programs write to this database. */
export async function sealedFormOf(db: Kysely<Schema>): Promise<SealedForm> {
  const oldest = await readSetting(db, OLDEST_SETTING);
  return oldest !== null && oldest >= FIRST_BOUND ? 'bound' : 'unbound';
}

/** Lets programs write bound secrets, and keeps those from starting that can not read them. */
export async function startBinding(database: Database): Promise<void> {
  await database.transaction((tx) => sql.raw(raiseOldest(FIRST_BOUND)).execute(tx));
}

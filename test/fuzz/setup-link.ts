import { OPERATIONS } from '../../src/resources/nouns.ts';

import { OWNER_SETTING, SETUP_SETTING } from '../../src/identity/setup-token.ts';
import { hashToken } from '../../src/identity/token.ts';
import { peopleStore } from '../../src/store/people/people.ts';
import { claimSetting, readSetting, writeSetting } from '../../src/store/database/settings.ts';
import type { TestApi } from '../support/api.ts';
import { giveSession } from '../support/people.ts';
import type { Pool } from './pool.ts';

/** The token of the current setup link. */
export const SETUP_TOKEN = (OPERATIONS['completeSetup']!.example!.body as { token: string }).token;

/** Restores a setup link, as after a first start, whenever it was used; Alice stays signed in. */
export async function leaveSetupLink(
  { database, clock, alice }: TestApi,
  pool: Pool,
): Promise<void> {
  const now = clock.now();
  await database.transaction(async (tx) => {
    const olga = { name: 'Olga', email: 'olga@example.com', timezone: 'UTC' };
    const stored = await readSetting(tx, OWNER_SETTING);
    const ownerId = stored === null ? await peopleStore(tx).insert(olga, now) : Number(stored);
    await tx.deleteFrom('credential').where('person_id', '=', ownerId).execute();
    await claimSetting(tx, OWNER_SETTING, String(ownerId));
    await claimSetting(tx, SETUP_SETTING, '');
    await writeSetting(tx, SETUP_SETTING, hashToken(SETUP_TOKEN));
  });
  const { sessionId } = await giveSession(database, alice, { now });
  pool.know('sessions', sessionId, 'ours');
}

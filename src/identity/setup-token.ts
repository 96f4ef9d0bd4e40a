import type { Kysely, Transaction } from 'kysely';
import type { Schema } from '../store/database/schema.ts';
import {
  claimSetting,
  exchangeSetting,
  readSetting,
  writeSetting,
} from '../store/database/settings.ts';
import { hashToken, newLinkToken } from './token.ts';

export const SETUP_SETTING = 'setup_token_hash';
const USED = 'used ';

/** State of a set-up token. */
export type SetupTokenState = 'good' | 'used' | 'unknown';

/** Creates the token of the set-up link: 178 bits, stored as a hash. */
export async function issueSetupToken(tx: Transaction<Schema>): Promise<string> {
  const token = newLinkToken();
  const hash = hashToken(token);
  if (!(await claimSetting(tx, SETUP_SETTING, hash))) await writeSetting(tx, SETUP_SETTING, hash);
  return token;
}

export async function setupTokenState(db: Kysely<Schema>, token: string): Promise<SetupTokenState> {
  const stored = await readSetting(db, SETUP_SETTING);
  const hash = hashToken(token);
  if (stored === hash) return 'good';
  return stored === USED + hash ? 'used' : 'unknown';
}

/** Marks the token used; false when a concurrent request was faster. */
export function useSetupToken(tx: Transaction<Schema>, token: string): Promise<boolean> {
  const hash = hashToken(token);
  return exchangeSetting(tx, SETUP_SETTING, hash, USED + hash);
}

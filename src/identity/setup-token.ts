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

/** Whether a set-up token opens anything: `used` when it did once. */
export type SetupTokenState = 'good' | 'used' | 'unknown';

/** @returns the token of the set-up link: 178 bits, of which only the hash is kept. */
export async function issueSetupToken(tx: Transaction<Schema>): Promise<string> {
  const token = newLinkToken();
  const hash = hashToken(token);
  if (!(await claimSetting(tx, SETUP_SETTING, hash))) await writeSetting(tx, SETUP_SETTING, hash);
  return token;
}

export async function judgeSetupToken(db: Kysely<Schema>, token: string): Promise<SetupTokenState> {
  const stored = await readSetting(db, SETUP_SETTING);
  const hash = hashToken(token);
  if (stored === hash) return 'good';
  return stored === USED + hash ? 'used' : 'unknown';
}

/** False when somebody else was faster. */
export function useSetupToken(tx: Transaction<Schema>, token: string): Promise<boolean> {
  const hash = hashToken(token);
  return exchangeSetting(tx, SETUP_SETTING, hash, USED + hash);
}

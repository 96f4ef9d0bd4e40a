import type { Kysely, Transaction } from 'kysely';
import { hasPassword } from '../store/people/credentials.ts';
import type { Schema } from '../store/database/schema.ts';
import {
  claimSetting,
  exchangeSetting,
  readSetting,
  writeSetting,
} from '../store/database/settings.ts';
import { hashToken, newLinkToken } from './token.ts';

/** Setting with the id of the installation's owner. */
export const OWNER_SETTING = 'owner_person_id';
export const SETUP_SETTING = 'setup_token_hash';
/** Setting with the time at which the link ends, in epoch ms. */
const END_SETTING = 'setup_token_expires_at';
const USED = 'used ';

/** Validity of a set-up link. */
export const SETUP_LINK_MS = 24 * 3_600_000;

/** State of a set-up token. */
export type SetupTokenState = 'good' | 'used' | 'expired' | 'unknown';

/** Creates the token of the set-up link: 178 bits, stored as a hash. It replaces the former one. */
export async function issueSetupToken(
  tx: Transaction<Schema>,
  now: number,
): Promise<{ token: string; expiresAt: number }> {
  const token = newLinkToken();
  const expiresAt = now + SETUP_LINK_MS;
  await storeSetting(tx, SETUP_SETTING, hashToken(token));
  await storeSetting(tx, END_SETTING, String(expiresAt));
  return { token, expiresAt };
}

async function storeSetting(tx: Transaction<Schema>, name: string, value: string): Promise<void> {
  if (!(await claimSetting(tx, name, value))) await writeSetting(tx, name, value);
}

export async function setupTokenState(
  db: Kysely<Schema>,
  token: string,
  now: number,
): Promise<SetupTokenState> {
  const stored = await readSetting(db, SETUP_SETTING);
  const hash = hashToken(token);
  if (stored === USED + hash) return 'used';
  if (stored !== hash) return 'unknown';
  const end = await readSetting(db, END_SETTING);
  return end !== null && Number(end) <= now ? 'expired' : 'good';
}

/** Marks the token used; false when a concurrent request was faster. */
export function useSetupToken(tx: Transaction<Schema>, token: string): Promise<boolean> {
  const hash = hashToken(token);
  return exchangeSetting(tx, SETUP_SETTING, hash, USED + hash);
}

/** Whether the owner has still to set up the installation, by a link or by a password that the operator sets. */
export async function isSetupPending(db: Kysely<Schema>): Promise<boolean> {
  const stored = await readSetting(db, SETUP_SETTING);
  if (stored === null || stored.startsWith(USED)) return false;
  return !(await hasPassword(db, Number(await readSetting(db, OWNER_SETTING))));
}

/**
 * When the current set-up link ends, in epoch ms; null when set-up is complete, by a link or because the operator set a
 * password, or when there never was a link. A link of a version whose links did not end is given 24 hours from now.
 */
export async function pendingSetupUntil(
  tx: Transaction<Schema>,
  now: number,
): Promise<number | null> {
  if (!(await isSetupPending(tx))) return null;
  await claimSetting(tx, END_SETTING, String(now + SETUP_LINK_MS));
  return Number(await readSetting(tx, END_SETTING));
}

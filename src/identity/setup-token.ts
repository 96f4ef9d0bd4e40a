import { createHash, randomBytes } from 'node:crypto';
import { passwordStore } from '../store/people/credentials.ts';
import type { Db, Tx } from '../store/database/contract.ts';
import {
  claimSetting,
  exchangeSetting,
  readSetting,
  writeSetting,
} from '../store/database/settings.ts';
import { hashToken, newLinkToken } from './token.ts';
import { resetValue, verificationStore } from '../store/people/sign-in-rows.ts';

/** Setting with the id of the installation's owner. */
export const OWNER_SETTING = 'owner_person_id';
export const SETUP_SETTING = 'setup_token_hash';
/** Setting with the time at which the link ends, in epoch ms. */
const END_SETTING = 'setup_token_expires_at';
const USED = 'used ';

export const SETUP_LINK_MS = 24 * 3_600_000;

export type SetupTokenState = 'good' | 'used' | 'expired' | 'unknown';

/** Creates the token of the set-up link: 178 bits, stored as a hash. It replaces the former one. */
export async function issueSetupToken(tx: Tx, now: number) {
  const token = newLinkToken();
  const expiresAt = now + SETUP_LINK_MS;
  await storeSetting(tx, SETUP_SETTING, hashToken(token));
  await storeSetting(tx, END_SETTING, String(expiresAt));
  return { token, expiresAt };
}

async function storeSetting(tx: Tx, name: string, value: string): Promise<void> {
  if (!(await claimSetting(tx, name, value))) await writeSetting(tx, name, value);
}

export async function setupTokenState(db: Db, token: string, now: number) {
  const stored = await readSetting(db, SETUP_SETTING);
  const hash = hashToken(token);
  if (stored === USED + hash) return 'used';
  if (stored !== hash) return 'unknown';
  const end = await readSetting(db, END_SETTING);
  return end !== null && Number(end) <= now ? 'expired' : 'good';
}

/** Marks the token used; false when a concurrent request was faster. */
export function useSetupToken(tx: Tx, token: string): Promise<boolean> {
  const hash = hashToken(token);
  return exchangeSetting(tx, SETUP_SETTING, hash, USED + hash);
}

/** Whether the owner has still to set up the installation, by a link or by a password that the operator sets. */
export async function isSetupPending(db: Db): Promise<boolean> {
  const stored = await readSetting(db, SETUP_SETTING);
  if (stored === null || stored.startsWith(USED)) return false;
  return !(await passwordStore(db).has(Number(await readSetting(db, OWNER_SETTING))));
}

/**
 * When the current set-up link ends, in epoch ms; null when set-up is complete, by a link or because the operator set a
 * password, or when there never was a link.
 */
export async function pendingSetupUntil(db: Db) {
  return (await isSetupPending(db)) ? Number(await readSetting(db, END_SETTING)) : null;
}

const RESET_TOKEN_MS = 3_600_000;
const RANDOM_BYTES = 24;

/**
 * Creates a one-time token to set a new password: `${baseUrl}/reset-password?token=…`, redeemed at
 * `POST /api/auth/reset-password {newPassword, token}`. Only its hash is stored.
 */
export async function issueResetToken(tx: Tx, personId: number, now: number) {
  const token = randomBytes(RANDOM_BYTES).toString('base64url');
  const expiresAt = now + RESET_TOKEN_MS;
  await verificationStore(tx).insert(
    { identifier: resetIdentifier(token), value: resetValue(personId), expiresAt },
    now,
  );
  return { token, expiresAt };
}

export function resetIdentifier(token: string): string {
  return createHash('sha256').update(`reset-password:${token}`).digest('base64url');
}

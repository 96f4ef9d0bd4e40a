import { hash, randomBytes } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { Schema } from '../store/database/schema.ts';
import { insertVerification, resetValue } from '../store/people/sign-in-rows.ts';

/** Validity of a reset link. */
const RESET_TOKEN_MS = 3_600_000;
const RANDOM_BYTES = 24;

/**
 * Creates a one-time token to set a new password: `${baseUrl}/reset-password?token=…`, redeemed at
 * `POST /api/auth/reset-password {newPassword, token}`. Only its hash is stored.
 */
export async function issueResetToken(
  tx: Transaction<Schema>,
  personId: number,
  now: number,
): Promise<{ token: string; expiresAt: number }> {
  const token = randomBytes(RANDOM_BYTES).toString('base64url');
  const expiresAt = now + RESET_TOKEN_MS;
  await insertVerification(
    tx,
    { identifier: resetIdentifier(token), value: resetValue(personId), expiresAt },
    now,
  );
  return { token, expiresAt };
}

/** Identifier under which a reset token is stored. */
export function resetIdentifier(token: string): string {
  return hash('sha256', `reset-password:${token}`, 'base64url');
}

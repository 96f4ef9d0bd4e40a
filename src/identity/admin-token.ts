import type { Transaction } from 'kysely';
import type { Schema } from '../store/database/schema.ts';
import { findMembership } from '../store/people/teams.ts';
import {
  deleteTokenByHash,
  deleteTokensByName,
  holderOfHash,
  insertToken,
  listTokensByName,
} from '../store/people/tokens.ts';
import { PERMISSIONS } from './caller.ts';
import { hashToken } from './token.ts';

/** Name of the token that the ADMIN_TOKEN setting defines, reserved for it. */
export const ADMIN_TOKEN_NAME = 'ADMIN_TOKEN';
export const ADMIN_TOKEN_LENGTH = 32;

/** ADMIN_TOKEN or ADMIN_PASSWORD is invalid; the message says what to do. */
export class OwnerSettingError extends Error {
  override name = 'OwnerSettingError';
}

/** Throws OwnerSettingError unless the token is long enough and contains no spaces. */
export function validateAdminToken(token: string): void {
  if (token.length >= ADMIN_TOKEN_LENGTH && !/\s/.test(token)) return;
  throw new OwnerSettingError(
    `ADMIN_TOKEN must have ${ADMIN_TOKEN_LENGTH} characters or more and no spaces.`,
  );
}

/**
 * Stores the token that the operator set. A changed value replaces the stored one; a token whose holder left its team is
 * recreated.
 *
 * @param teamFor finds the team of a new token.
 * @returns whether anything changed.
 */
export async function storeAdminToken(
  tx: Transaction<Schema>,
  personId: number,
  token: string,
  now: number,
  teamFor: () => Promise<number>,
): Promise<boolean> {
  const hash = hashToken(token);
  const [stored, ...more] = await listTokensByName(tx, personId, ADMIN_TOKEN_NAME);
  const isKept = stored !== undefined && more.length === 0 && stored.hash === hash;
  if (isKept && (await findMembership(tx, personId, stored.team_id)) !== undefined) return false;
  await deleteTokensByName(tx, personId, ADMIN_TOKEN_NAME);
  await releaseValue(tx, personId, hash);
  const teamId = await teamFor();
  const permissions = JSON.stringify(PERMISSIONS);
  const row = { person_id: personId, team_id: teamId, name: ADMIN_TOKEN_NAME, hash, permissions };
  await insertToken(tx, row, now);
  return true;
}

/** Deletes another token of the owner with the same value, such as the one of the first start. */
async function releaseValue(
  tx: Transaction<Schema>,
  personId: number,
  hash: string,
): Promise<void> {
  const holder = await holderOfHash(tx, hash);
  if (holder === null) return;
  if (holder !== personId)
    throw new OwnerSettingError("ADMIN_TOKEN is already somebody else's token: set another value.");
  await deleteTokenByHash(tx, hash);
}

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

/** The name of the token whose value the operator sets; people can't use it for their own. */
export const ADMIN_TOKEN_NAME = 'ADMIN_TOKEN';
export const ADMIN_TOKEN_LENGTH = 32;

/** A setting of the owner that can't be used; the message says what to do. */
export class OwnerSettingError extends Error {
  override name = 'OwnerSettingError';
}

/** Throws unless it is long enough to be a secret, and one word. */
export function judgeAdminToken(token: string): void {
  if (token.length >= ADMIN_TOKEN_LENGTH && !/\s/.test(token)) return;
  throw new OwnerSettingError(
    `ADMIN_TOKEN must have ${ADMIN_TOKEN_LENGTH} characters or more and no spaces.`,
  );
}

/**
 * Makes the token work as the operator set it. A changed value replaces the stored one, so that the former value stops
 * working; one that can do nothing any more, as its person left its team, is made anew.
 *
 * @param teamFor finds a team for it to act on.
 * @returns whether anything had to be done.
 */
export async function keepAdminToken(
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
  await takeValue(tx, personId, hash);
  const teamId = await teamFor();
  const name = ADMIN_TOKEN_NAME;
  const row = { personId, teamId, name, hash, permissions: PERMISSIONS, expiresAt: null };
  await insertToken(tx, row, now);
  return true;
}

/** The value may be that of a token which the owner has already, such as the one of the first start. */
async function takeValue(tx: Transaction<Schema>, personId: number, hash: string): Promise<void> {
  const holder = await holderOfHash(tx, hash);
  if (holder === null) return;
  if (holder !== personId)
    throw new OwnerSettingError("ADMIN_TOKEN is somebody else's token already: set another value.");
  await deleteTokenByHash(tx, hash);
}

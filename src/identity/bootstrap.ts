import type { Transaction } from 'kysely';
import type { Clock } from '../lib/clock.ts';
import type { Database } from '../store/contract.ts';
import { insertPerson } from '../store/people.ts';
import type { Schema } from '../store/schema.ts';
import { claimSetting, readSetting, writeSetting } from '../store/settings.ts';
import { firstOwnedTeam, insertMember, insertTeam } from '../store/teams.ts';
import { deleteTokensByName, insertToken, tokenHashesByName } from '../store/tokens.ts';
import { PERMISSIONS } from './caller.ts';
import { hashToken, newToken } from './token.ts';

/** The name of the token whose value the operator sets; people can't use it for their own. */
export const ADMIN_TOKEN_NAME = 'ADMIN_TOKEN';
export const ADMIN_TOKEN_LENGTH = 32;

const OWNER_SETTING = 'owner_person_id';

export interface OwnerSettings {
  /** ADMIN_EMAIL, TEAM_NAME and ADMIN_TOKEN; null when unset. */
  adminEmail: string | null;
  teamName: string | null;
  adminToken: string | null;
}

/**
 * The installation's owner, made at the first start with a personal team. Safe to call at every start and by
 * several processes at once: exactly one of them makes it.
 *
 * @returns the API token to print this once, with all permissions; null at later starts and when ADMIN_TOKEN is set.
 * @throws when ADMIN_TOKEN is shorter than 32 characters or holds a space.
 */
export async function ensureOwner(
  deps: { database: Database; clock: Clock },
  settings: OwnerSettings,
): Promise<{ personId: number; token: string | null }> {
  const { adminToken } = settings;
  if (adminToken !== null && (adminToken.length < ADMIN_TOKEN_LENGTH || /\s/.test(adminToken))) {
    throw new Error(
      `ADMIN_TOKEN must have ${ADMIN_TOKEN_LENGTH} characters or more and no spaces.`,
    );
  }
  const now = deps.clock.now();
  return deps.database.transaction(async (tx) => {
    const isFirst = await claimSetting(tx, OWNER_SETTING, '');
    if (isFirst) {
      const personId = await createOwner(tx, settings, now);
      await writeSetting(tx, OWNER_SETTING, String(personId));
      if (adminToken === null) return { personId, token: await issueFirstToken(tx, personId, now) };
    }
    const personId = Number(await readSetting(tx, OWNER_SETTING));
    if (adminToken !== null) await keepAdminToken(tx, personId, adminToken, now);
    return { personId, token: null };
  });
}

async function createOwner(
  tx: Transaction<Schema>,
  settings: OwnerSettings,
  now: number,
): Promise<number> {
  const email = settings.adminEmail ?? 'admin@localhost';
  const name = email.split('@')[0] || 'Owner';
  const teamName = settings.teamName ?? 'My team';
  const personId = await insertPerson(tx, { name, email, timezone: 'UTC' }, now);
  const teamId = await insertTeam(
    tx,
    { name: teamName, slug: slugOf(teamName), personalTeam: true },
    now,
  );
  await insertMember(tx, teamId, personId, 'owner', now);
  return personId;
}

async function issueFirstToken(
  tx: Transaction<Schema>,
  personId: number,
  now: number,
): Promise<string> {
  const token = newToken();
  await insertOwnerToken(tx, personId, 'First start', token, now);
  return token;
}

/** A changed value replaces the stored one, so that the former value stops working. */
async function keepAdminToken(
  tx: Transaction<Schema>,
  personId: number,
  token: string,
  now: number,
): Promise<void> {
  const stored = await tokenHashesByName(tx, personId, ADMIN_TOKEN_NAME);
  if (stored.length === 1 && stored[0] === hashToken(token)) return;
  await deleteTokensByName(tx, personId, ADMIN_TOKEN_NAME);
  await insertOwnerToken(tx, personId, ADMIN_TOKEN_NAME, token, now);
}

async function insertOwnerToken(
  tx: Transaction<Schema>,
  personId: number,
  name: string,
  token: string,
  now: number,
): Promise<void> {
  const teamId = await firstOwnedTeam(tx, personId);
  if (teamId === null) throw new Error('The owner has no team any more: unset ADMIN_TOKEN.');
  const hash = hashToken(token);
  await insertToken(
    tx,
    { personId, teamId, name, hash, permissions: PERMISSIONS, expiresAt: null },
    now,
  );
}

/** Lower-case words joined by hyphens, such as `my-team`. */
export function slugOf(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return (
    plain
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 60) || 'team'
  );
}

import type { Clock } from '../lib/clock.ts';
import { accountStore } from '../store/people/accounts.ts';
import { auditTarget, OPERATOR, type AuditTarget } from '../model/audit.ts';
import { auditLog } from '../store/resources/audit.ts';
import type { Database, Tx } from '../store/database/contract.ts';
import { passwordStore } from '../store/people/credentials.ts';
import { peopleStore } from '../store/people/people.ts';
import { claimSetting, readSetting, writeSetting } from '../store/database/settings.ts';
import { createTeam, teamStore } from '../store/people/teams.ts';
import { tokenStore } from '../store/people/tokens.ts';
import { PERMISSIONS } from './caller.ts';
import { hashPassword, passwordProblem } from './password.ts';
import { issueSetupToken, OWNER_SETTING } from './setup-token.ts';
import { hashToken, newToken } from './token.ts';

/** Address of the owner until they set theirs. */
export const DEFAULT_EMAIL = 'admin@localhost';
const TEAM_NAME = 'My team';

export interface OwnerSettings {
  /** ADMIN_EMAIL, ADMIN_PASSWORD, TEAM_NAME and ADMIN_TOKEN; null when unset. */
  adminEmail: string | null;
  adminPassword: string | null;
  teamName: string | null;
  adminToken: string | null;
}

/** Secrets of the first start, which are stored as hashes only. */
export interface FirstSecrets {
  /** API token with all permissions; null with ADMIN_TOKEN. */
  token: string | null;
  setupToken: string;
  /** When the set-up link ends, in epoch ms. */
  expiresAt: number;
}

export interface Owner {
  personId: number;
  /** API token with all permissions, to be shown once; null at later starts. */
  token: string | null;
  /** Token of the set-up link, to be shown once; null at later starts. */
  setupToken: string | null;
}

/**
 * The installation's owner, made at the first start with a personal team (contract 39.9). Safe to call at
 * every start and by several processes at once: exactly one of them makes it.
 *
 * @param keep stores the secrets of the first start, before the owner exists for good: if it rejects, nothing has
 *   changed, and the next start is the first.
 * @returns no tokens with ADMIN_PASSWORD, and no API token with ADMIN_TOKEN.
 * @throws OwnerSettingError when ADMIN_TOKEN or ADMIN_PASSWORD is invalid.
 */
export async function ensureOwner(
  deps: { database: Database; clock: Clock },
  settings: OwnerSettings,
  keep: (secrets: FirstSecrets) => Promise<void> = async () => {},
): Promise<Owner> {
  const { adminToken, adminPassword } = settings;
  if (adminToken !== null) validateAdminToken(adminToken);
  const now = deps.clock.now();
  const isSettled = (await readSetting(deps.database.read, OWNER_SETTING)) !== null;
  // Slow, so it comes before the transaction.
  const passwordHash = isSettled ? null : await hashOf(settings);
  return deps.database.transaction(async (tx) => {
    const isFirst = await claimSetting(tx, OWNER_SETTING, '');
    if (isFirst) {
      const made = await createOwner(tx, settings, passwordHash, now);
      await writeSetting(tx, OWNER_SETTING, String(made));
    }
    const personId = Number(await readSetting(tx, OWNER_SETTING));
    if (adminToken !== null) await applyAdminToken(tx, personId, adminToken, now);
    if (!isFirst || adminPassword !== null) return { personId, token: null, setupToken: null };
    const token = adminToken === null ? await issueFirstToken(tx, personId, now) : null;
    const { token: setupToken, expiresAt } = await issueSetupToken(tx, now);
    await keep({ token, setupToken, expiresAt });
    return { personId, token, setupToken };
  });
}

export function firstStartText({ token, setupToken, expiresAt }: FirstSecrets, baseUrl: string) {
  const end = `${new Date(expiresAt).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const parts = [
    `Open this link to choose your password. It works once, until ${end}:`,
    `  ${baseUrl}/setup?token=${setupToken}`,
  ];
  if (token !== null) parts.push('Your API token has all permissions:', `  ${token}`);
  return `\nThis is the first start.\n\n${parts.join('\n\n')}\n\n`;
}

/** Reads the tokens back from that text; null when it holds no link. */
export function readFirstStartText(text: string) {
  const setupToken = /^ {2}\S+\/setup\?token=(\w+)$/m.exec(text)?.[1];
  if (setupToken === undefined) return null;
  return { setupToken, token: /^ {2}(tocsin_\w+)$/m.exec(text)?.[1] ?? null };
}

async function hashOf({ adminEmail, adminPassword, teamName }: OwnerSettings) {
  if (adminPassword === null) return null;
  const problem = await passwordProblem(adminPassword, {
    email: (adminEmail ?? DEFAULT_EMAIL).toLowerCase(),
    names: [teamName],
  });
  if (problem !== null) throw new OwnerSettingError(`ADMIN_PASSWORD ${problem}.`);
  return hashPassword(adminPassword);
}

/** Creates the owner; a person with that address, created by the operator before the first start, becomes the owner. */
async function createOwner(
  tx: Tx,
  settings: OwnerSettings,
  passwordHash: string | null,
  now: number,
): Promise<number> {
  const email = settings.adminEmail ?? DEFAULT_EMAIL;
  const known = await accountStore(tx).findByEmail(email);
  const name = email.split('@')[0] || 'Owner';
  const personId =
    known?.id ?? (await peopleStore(tx).insert({ name, email, timezone: 'UTC' }, now));
  // Nobody has confirmed the placeholder: until the set-up replaces it, nothing is mailed there.
  const isPlaceholder = settings.adminEmail === null && passwordHash === null;
  if (!isPlaceholder) await accountStore(tx).update(personId, { email_verified: 1 }, now);
  if (passwordHash !== null && !(await passwordStore(tx).has(personId)))
    await passwordStore(tx).set(personId, passwordHash, now);
  await createFirstTeam(tx, personId, settings.teamName ?? TEAM_NAME, now);
  return personId;
}

async function createFirstTeam(tx: Tx, personId: number, name: string, now: number) {
  const team = { name, personalTeam: true, ownerId: personId };
  const { id, slug } = await createTeam(tx, team, now);
  await auditCreated(tx, id, auditTarget('team', { id, name }), { name, slug }, now);
  return id;
}

async function applyAdminToken(tx: Tx, personId: number, token: string, now: number) {
  const name = ADMIN_TOKEN_NAME;
  let teamId: number | null = null;
  const teamFor = async () => (teamId = await teamOfOwner(tx, personId, now));
  if (!(await storeAdminToken(tx, personId, token, now, teamFor))) return;
  const after = { name, permissions: PERMISSIONS, expires_at: null };
  await auditCreated(tx, teamId, auditTarget('token', { id: null, name }), after, now);
}

/** The first team that they own, else any that they may act on, else a new one. */
async function teamOfOwner(tx: Tx, personId: number, now: number) {
  const teams = (await teamStore(tx).listMemberships(personId)).toSorted(
    (one, other) => one.id - other.id,
  );
  const team = teams.find(({ role }) => role === 'owner') ?? teams[0];
  return team?.id ?? createFirstTeam(tx, personId, TEAM_NAME, now);
}

async function issueFirstToken(tx: Tx, personId: number, now: number) {
  const token = newToken();
  const teamId = await teamOfOwner(tx, personId, now);
  const [name, hash] = ['First start', hashToken(token)];
  const permissions = JSON.stringify(PERMISSIONS);
  const row = { person_id: personId, team_id: teamId, name, hash, permissions };
  const id = await tokenStore(tx).insert(row, now);
  const after = { name, permissions: PERMISSIONS, expires_at: null };
  await auditCreated(tx, teamId, auditTarget('token', { id, name }), after, now);
  return token;
}

async function auditCreated(
  tx: Tx,
  teamId: number | null,
  target: AuditTarget,
  after: object,
  now: number,
): Promise<void> {
  await auditLog(tx).insert({ actor: OPERATOR, teamId, verb: 'created', target, after }, now);
}

/** Name of the token that the ADMIN_TOKEN setting defines, reserved for it. */
export const ADMIN_TOKEN_NAME = 'ADMIN_TOKEN';
const ADMIN_TOKEN_LENGTH = 32;

/** ADMIN_TOKEN or ADMIN_PASSWORD is invalid; the message says what to do. */
class OwnerSettingError extends Error {
  override name = 'OwnerSettingError';
}

/** Throws OwnerSettingError unless the token is long enough and contains no spaces. */
function validateAdminToken(token: string): void {
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
async function storeAdminToken(
  tx: Tx,
  personId: number,
  token: string,
  now: number,
  teamFor: () => Promise<number>,
): Promise<boolean> {
  const hash = hashToken(token);
  const [stored, ...more] = await tokenStore(tx).listByName(personId, ADMIN_TOKEN_NAME);
  const isKept = stored !== undefined && more.length === 0 && stored.hash === hash;
  if (isKept && (await teamStore(tx).findMembership(personId, stored.team_id)) !== undefined)
    return false;
  await tokenStore(tx).deleteByName(personId, ADMIN_TOKEN_NAME);
  await releaseValue(tx, personId, hash);
  const teamId = await teamFor();
  const permissions = JSON.stringify(PERMISSIONS);
  const row = { person_id: personId, team_id: teamId, name: ADMIN_TOKEN_NAME, hash, permissions };
  await tokenStore(tx).insert(row, now);
  return true;
}

/** Deletes another token of the owner with the same value, such as the one of the first start. */
async function releaseValue(tx: Tx, personId: number, hash: string) {
  const holder = await tokenStore(tx).holderOfHash(hash);
  if (holder === null) return;
  if (holder !== personId)
    throw new OwnerSettingError("ADMIN_TOKEN is already somebody else's token: set another value.");
  await tokenStore(tx).deleteByHash(hash);
}

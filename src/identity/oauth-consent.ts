import { auditTarget, personActor } from '../model/audit.ts';
import { auditLog } from '../store/resources/audit.ts';
import type { Tx } from '../store/database/contract.ts';
import { lockAccount } from '../store/people/accounts.ts';
import { saveGrant, grantStore } from '../store/people/grants.ts';
import type { SessionHolder } from '../store/people/sessions.ts';
import { lockTeam, type MembershipRow, teamStore } from '../store/people/teams.ts';
import { GRANT_PERMISSIONS, type GrantPermission } from './caller.ts';
import type { SignInFindings } from './sign-in-routes.ts';

/** Maximum number of applications that a person has connected at once, in all teams: more than anyone uses. */
const MAX_GRANTS = 100;
const FULL = `You have connected ${MAX_GRANTS} applications, which is the limit. Disconnect one on your account page, then connect this one again.`;

export interface Consent {
  team: MembershipRow;
  permissions: readonly GrantPermission[];
}

/** A consent can't be stored, or better-auth issued no code for it. */
export class NotConnected extends Error {
  override readonly name = 'NotConnected';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export function offeredTeam(
  team: MembershipRow,
  holder: SessionHolder,
  granted: readonly GrantPermission[] | null,
): Record<string, unknown> {
  return {
    id: team.id,
    name: team.name,
    role: team.role,
    is_current: team.id === holder.team?.id,
    needs_mfa: lacksFactor(team, holder),
    granted,
  };
}

/**
 * Reads a consent. Reading is always part of it: without it, no tool is of use.
 *
 * @param offer.permissions those that the client asks for.
 */
export function readConsent(
  { team_id: teamId, permissions: chosen }: Record<string, unknown>,
  offer: {
    permissions: readonly GrantPermission[];
    memberships: readonly MembershipRow[];
    holder: SessionHolder;
  },
): Consent | { findings: SignInFindings } {
  const findings: SignInFindings = {};
  const team = offer.memberships.find(({ id }) => id === teamId);
  if (team === undefined) findings['team_id'] = ['team_id must be the id of one of your teams.'];
  else if (lacksFactor(team, offer.holder)) {
    findings['team_id'] = [
      'team_id must be a team whose rules you meet: this one requires two-factor authentication, which you turn on in your account.',
    ];
  }
  const isChosen = Array.isArray(chosen) && chosen.length > 0;
  if (!isChosen || !chosen.every((one) => offer.permissions.includes(one as GrantPermission))) {
    findings['permissions'] = [
      `permissions must be a list of those that the application asks for: ${offer.permissions.join(', ')}.`,
    ];
  }
  if (team === undefined || Object.keys(findings).length > 0) return { findings };
  const permissions = GRANT_PERMISSIONS.filter(
    (one) => one === 'read' || (chosen as unknown[]).includes(one),
  );
  return { team, permissions };
}

/** Stores the grant of a consent, with its audit entry. @returns the id of the grant. */
export async function saveConsent(
  tx: Tx,
  asked: {
    consent: Consent;
    client: { clientId: string; name: string | null };
    /** Where the code goes, as the page shows it. */
    redirectHost: string;
    holder: SessionHolder;
    address: string;
  },
  now: number,
): Promise<number> {
  const { consent, client, redirectHost, holder, address } = asked;
  const { person } = holder;
  const grant = { personId: person.id, clientId: client.clientId, teamId: consent.team.id };
  await lockTeam(tx, grant.teamId);
  await lockAccount(tx, person.id);
  if ((await teamStore(tx).findMembership(person.id, grant.teamId)) === undefined)
    throw new NotConnected(409, 'You have just left this team. Choose another one.');
  const before = await grantStore(tx).findTo(grant);
  if (before === undefined && (await grantStore(tx).count(person.id)) >= MAX_GRANTS)
    throw new NotConnected(409, FULL);
  const permissions = JSON.stringify(consent.permissions);
  const id = await saveGrant(tx, { ...grant, permissions, redirectHost }, now);
  const entry = {
    actor: personActor(person, 'session', address),
    teamId: grant.teamId,
    verb: 'connected',
    target: auditTarget('application', { id, name: client.name }),
    before:
      before === undefined ? null : { permissions: JSON.parse(before.permissions) as unknown },
    after: { permissions: consent.permissions, host: redirectHost },
  };
  await auditLog(tx).insert(entry, now);
  return id;
}

/** Whether a team requires a second factor that the session lacks, as for its other requests. */
function lacksFactor(
  team: Pick<MembershipRow, 'mfa_required'>,
  { session, person }: SessionHolder,
): boolean {
  return team.mfa_required === 1 && person.mfa_enabled === 0 && session.method !== 'passkey';
}

import type { Kysely } from 'kysely';
import { isAtLeast, PERMISSIONS, type Caller, type Role } from '../../identity/caller.ts';
import type { MailQueue } from '../../store/alerting/mails.ts';
import { issueResetToken } from '../../identity/reset-token.ts';
import type { Clock } from '../../lib/clock.ts';
import { listRoles } from '../../store/people/accounts.ts';
import type { Database } from '../../store/database/contract.ts';
import { findMember, type MemberRow } from '../../store/people/people.ts';
import type { Schema } from '../../store/database/schema.ts';
import { auditTarget } from '../../model/audit.ts';
import { audit } from '../audit-log/entry.ts';
import { authorize, holdPermission, Problem } from '../common/errors.ts';
import { isoTime } from '../common/time.ts';

/** Links that set a new password, for installations that can't send them by mail. */
interface ResetLinkService {
  /** For a member of the caller's team. Whoever may make one is a rule of `mayResetPassword`. */
  create(caller: Caller, id: number): Promise<object>;
}

export function createResetLinkService(deps: {
  database: Database;
  clock: Clock;
  mailQueue: MailQueue;
  baseUrl: () => string;
}): ResetLinkService {
  const { database, clock, mailQueue, baseUrl } = deps;

  return {
    async create(caller, id) {
      authorize(caller, 'update', 'admin');
      const { token, expiresAt } = await database.transaction(async (tx) => {
        const member = await findMember(tx, caller.team.id, id);
        if (member === undefined)
          throw new Problem('not_found', 'There is no such user in your team.');
        refuseWithMail(mailQueue);
        await authorizeReset(tx, caller, member);
        const now = clock.now();
        const issued = await issueResetToken(tx, id, now);
        const target = auditTarget('person', { id, name: member.name });
        await audit(tx, caller, { verb: 'reset_link_created', target }, now);
        return issued;
      });
      const url = `${baseUrl()}/reset-password?token=${encodeURIComponent(token)}`;
      return { url, expires_at: isoTime(expiresAt) };
    },
  };
}

/** What somebody is in one team. */
export interface TeamRole {
  teamId: number;
  role: Role;
  isActive: boolean;
}

/**
 * Whether somebody may set another's password, and so act as them in all of their teams: an active owner or admin of
 * every one of them, above what the other is there. Everybody may set their own.
 */
export function mayResetPassword(
  actor: { personId: number; roles: readonly TeamRole[] },
  other: { personId: number; roles: readonly TeamRole[] },
): boolean {
  if (actor.personId === other.personId) return true;
  return other.roles.every(({ teamId, role }) => {
    const own = actor.roles.find((one) => one.teamId === teamId && one.isActive);
    return own !== undefined && isAtLeast(own.role, 'admin') && !isAtLeast(role, own.role);
  });
}

/** Between an account and its first membership, which are made together. */
const TOGETHER_MS = 60_000;

/**
 * Without mail whoever invites somebody holds the link, and could have taken in a person who is in no team just now.
 * Only whose account began in the team belongs to it.
 */
export function beganInTeam(member: Pick<MemberRow, 'created_at' | 'added_at'>): boolean {
  return member.added_at - member.created_at <= TOGETHER_MS;
}

async function authorizeReset(
  db: Kysely<Schema>,
  caller: Caller,
  member: MemberRow,
): Promise<void> {
  const { id } = member;
  // The password that follows opens sessions, which may do everything.
  for (const permission of PERMISSIONS) holdPermission(caller, permission);
  const personId = caller.person.id;
  const actor = { personId, roles: await rolesOf(db, personId) };
  const isOver = mayResetPassword(actor, { personId: id, roles: await rolesOf(db, id) });
  if (isOver && (personId === id || beganInTeam(member))) return;
  throw new Problem(
    'forbidden',
    'You may do that only for people whose account began in this team, and over whom you are owner or admin in every team that they are in: a new password opens all of them. The operator can do it by "npm run tocsin -- user reset-password".',
  );
}

async function rolesOf(db: Kysely<Schema>, personId: number): Promise<TeamRole[]> {
  const rows = await listRoles(db, personId);
  return rows.map((row) => ({
    teamId: row.team_id,
    role: row.role as Role,
    isActive: row.status === 'active',
  }));
}

/** With mail only the owner of the mailbox gets such a link. */
function refuseWithMail({ isConfigured }: MailQueue): void {
  if (!isConfigured) return;
  throw new Problem(
    'unsupported',
    'This installation sends mail: have the person ask for a link at /sign-in, by "Forgot your password?".',
  );
}

import { issueResetToken } from '../identity/setup-token.ts';
import { isAtLeast, PERMISSIONS, type Caller, type Role } from '../identity/caller.ts';
import type { MailQueue } from '../store/alerting/mails.ts';
import type { Clock } from '../lib/clock.ts';
import { accountStore } from '../store/people/accounts.ts';
import type { Database, Db } from '../store/database/contract.ts';
import type { MemberRow } from '../store/people/people.ts';
import { auditTarget } from '../model/audit.ts';
import { recordChange } from './common/change.ts';
import { holdPermission, Problem } from './common/errors.ts';
import { isoTime } from './common/time.ts';
import { requireMember } from './users/users.ts';
import { noun, type Call } from './common/operation.ts';
import { time } from './common/reference-schemas.ts';
import { z } from 'zod';

/** Links to set a new password, for installations without a mail server. */
function createResetLinkService(deps: {
  database: Database;
  clock: Clock;
  mailQueue: MailQueue;
  baseUrl: () => string;
}) {
  const { database, clock, mailQueue, baseUrl } = deps;

  return {
    /** Creates a link for a member of the caller's team. `mayResetPassword` says which callers may do so. */
    async createResetLink({ caller, id }: Call) {
      const { token, expiresAt } = await database.transaction(async (tx) => {
        const member = await requireMember(tx, caller, id);
        refuseWithMail(mailQueue);
        await authorizeReset(tx, caller, member);
        const now = clock.now();
        const issued = await issueResetToken(tx, id, now);
        const target = auditTarget('person', { id, name: member.name });
        await recordChange(tx, caller, { verb: 'reset_link_created', target }, now);
        return issued;
      });
      const url = `${baseUrl()}/reset-password?token=${encodeURIComponent(token)}`;
      return { url, expires_at: isoTime(expiresAt) };
    },
  };
}

/** Role of a person in a team. */
export interface TeamRole {
  teamId: number;
  role: Role;
  isActive: boolean;
}

/**
 * True when a person may reset the password of another one, which gives access to all of that person's teams. Requires
 * an active owner or admin of each of them, with a higher role there. People may always reset their own.
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

/** Maximum time between the creation of an account and of its first membership. */
const FIRST_MEMBERSHIP_MS = 60_000;

/**
 * True when the account was created for the team. Without a mail server, inviters hold the link themselves and could add
 * people who already have an account, so only such accounts can be reset by the team.
 */
export function beganInTeam(member: Pick<MemberRow, 'created_at' | 'added_at'>): boolean {
  return member.added_at - member.created_at <= FIRST_MEMBERSHIP_MS;
}

async function authorizeReset(db: Db, caller: Caller, member: MemberRow): Promise<void> {
  const { id } = member;
  // Sessions, which the new password gives access to, have all permissions.
  for (const permission of PERMISSIONS) holdPermission(caller, permission);
  const personId = caller.person.id;
  const actor = { personId, roles: await rolesOf(db, personId) };
  const mayReset = mayResetPassword(actor, { personId: id, roles: await rolesOf(db, id) });
  if (mayReset && (personId === id || beganInTeam(member))) return;
  throw new Problem(
    'forbidden',
    'You may do that only for people whose account was created in this team, and in all of whose teams you are owner or admin with a higher role, since a new password gives access to all of them. The operator can use "npm run tocsin -- user reset-password".',
  );
}

async function rolesOf(db: Db, personId: number): Promise<TeamRole[]> {
  const rows = await accountStore(db).listRoles(personId);
  return rows.map((row) => ({
    teamId: row.team_id,
    role: row.role as Role,
    isActive: row.status === 'active',
  }));
}

/** Throws when mail is configured: then only the owner of the mailbox may get the link. */
function refuseWithMail({ isConfigured }: MailQueue): void {
  if (!isConfigured) return;
  throw new Problem(
    'unsupported',
    'This installation sends mail: have the person ask for a link at /sign-in, by "Forgot your password?".',
  );
}

export const resetLinks = noun('Users', createResetLinkService, {
  createResetLink: {
    at: 'POST /users/:id/reset-link',
    needs: 'update',
    role: 'admin',
    summary: 'Create a link that sets a new password',
    description: `
For installations without a mail server: creates a link for a member who can no longer sign in. With a mail server, people
request it themselves.

A new password gives access to all teams of that person. The caller must therefore be owner or admin in every one of them,
with a higher role than the member; for yourself it is always possible. A token must have all permissions.`.trim(),
    answer: z
      .object({
        url: z.string().meta({ description: 'The link; give it to that person only.' }),
        expires_at: time.meta({ description: 'End of validity. The link works once.' }),
      })
      .meta({ id: 'ResetLink', description: 'Link to set a new password.' }),
    example: {
      answer: {
        url: 'https://up.example.com/reset-password?token=…',
        expires_at: '2030-01-01T01:00:00.000Z',
      },
    },
    refusals: ['unsupported'],
  },
});

import type { Transaction } from 'kysely';
import { z } from 'zod';
import type { Caller } from '../../identity/caller.ts';
import type { MailQueue } from '../../store/alerting/mails.ts';
import { invitationMail } from '../../identity/mails.ts';
import { hashToken, newLinkToken } from '../../identity/token.ts';
import type { Clock } from '../../lib/clock.ts';
import { findAccountByEmail } from '../../store/people/accounts.ts';
import type { Database } from '../../store/database/contract.ts';
import {
  countInvitations,
  deleteInvitation,
  findInvitation,
  findPendingInvitation,
  insertInvitation,
  listInvitations,
  updateInvitation,
  type InvitationRow,
} from '../../store/people/invitations.ts';
import { findMember } from '../../store/people/people.ts';
import type { Schema } from '../../store/database/schema.ts';
import { auditTarget } from '../../model/audit.ts';
import { audit } from '../audit-log/entry.ts';
import { authorise, notFound } from '../common/errors.ts';
import { Findings, readBody } from '../common/input.ts';
import { writeToTeam, type TeamWork } from '../common/team-writes.ts';
import { isoTime } from '../common/time.ts';
import { givenRole } from '../users/service.ts';

/** So long the link works (contract 37.20). */
export const INVITATION_MS = 7 * 24 * 3_600_000;
/** Of one team at once: nobody sends mail to the whole world. */
export const MOST_INVITATIONS = 100;
/** Before the token of a link that was mailed: who has it can read the mail of the address. */
export const MAILED = 'm';
const SHOWN = 's';

const EMAIL = 'must be an e-mail address, such as ed@example.com';

/** What people send to invite somebody. */
export const invitationInput = z.object({
  email: z
    .string({ error: EMAIL })
    .max(254, { error: EMAIL })
    .regex(/^[^\s@,;<>"\0]+@[^\s@,;<>"\0]+$/, { error: EMAIL })
    .refine((value) => value.isWellFormed(), { error: EMAIL }),
  role: givenRole(),
});

/** What people send to change an invitation. */
export const invitationChange = z.object({ role: givenRole() });

/** What is missing is told of by a rule of its own, so that it hides nothing else that is wrong. */
const incompleteInput = z.object({
  email: invitationInput.shape.email.nullish(),
  role: invitationInput.shape.role.nullish(),
});

/** Those who were asked into the caller's team and have not come yet. Ids of other teams are not found. */
export interface InvitationService {
  /** Expired ones too. */
  list(caller: Caller): Promise<object>;
  /** Mails the link; where no mail is configured, the answer shows it to whoever invites. */
  create(caller: Caller, body: unknown): Promise<object>;
  update(caller: Caller, id: number, body: unknown): Promise<object>;
  /** Its link works no more. */
  delete(caller: Caller, id: number): Promise<void>;
  /** A new link for another 7 days; the former one works no more. */
  resend(caller: Caller, id: number): Promise<object>;
}

export interface InvitationServiceDeps {
  database: Database;
  clock: Clock;
  mailQueue: MailQueue;
  /** The public address of this installation, without a slash at its end. */
  baseUrl: () => string;
}

export function createInvitationService(deps: InvitationServiceDeps): InvitationService {
  const { database, clock, mailQueue, baseUrl } = deps;
  const write = <Value>(
    caller: Caller,
    permission: 'create' | 'update' | 'delete',
    work: TeamWork<Value>,
  ): Promise<Value> => writeToTeam(database, caller, { permission, role: 'admin' }, work);

  /** The link and until when it works; only its hash is stored. */
  function newLink(now: number) {
    const token = (mailQueue.isConfigured ? MAILED : SHOWN) + newLinkToken();
    const expiresAt = now + INVITATION_MS;
    return { hash: hashToken(token), link: `${baseUrl()}/invitation?token=${token}`, expiresAt };
  }

  /** With mail only the owner of the mailbox may have the link: nobody can come in somebody else's name. */
  async function handOver(
    tx: Transaction<Schema>,
    caller: Caller,
    row: InvitationRow,
    { link, expiresAt }: { link: string; expiresAt: number },
    now: number,
  ): Promise<object> {
    if (!mailQueue.isConfigured) return { ...viewInvitation(row), url: link };
    const { email: to, role } = row;
    const names = { team: caller.team.name, inviter: caller.person.name };
    await mailQueue.enqueue(tx, invitationMail({ to, ...names, role, link, expiresAt }), now);
    return viewInvitation(row);
  }

  return {
    async list(caller) {
      authorise(caller, 'read');
      const rows = await listInvitations(database.read, caller.team.id);
      return { total: rows.length, data: rows.map(viewInvitation) };
    },

    create: (caller, body) =>
      write(caller, 'create', async (tx) => {
        const now = clock.now();
        const { email, role } = await judgeInvitation(tx, caller, body, now);
        const link = newLink(now);
        const { hash, expiresAt } = link;
        const columns = { teamId: caller.team.id, email, role, hash, expiresAt };
        const id = await insertInvitation(tx, { ...columns, invitedBy: caller.person.id }, now);
        const row = await mustFind(tx, caller, id);
        const after = viewInvitation(row);
        await audit(tx, caller, { verb: 'created', target: targetOf(row), after }, now);
        return handOver(tx, caller, row, link, now);
      }),

    update: (caller, id, body) =>
      write(caller, 'update', async (tx) => {
        const stored = await mustFind(tx, caller, id);
        const findings = new Findings();
        const { role } = readBody(incompleteInput.pick({ role: true }), body, findings);
        if (role == null && !findings.has('role')) findings.add('role', ROLE_MISSING);
        findings.throwIfAny();
        if (role === stored.role) return viewInvitation(stored);
        const now = clock.now();
        await updateInvitation(tx, id, { role: role as string }, now);
        const [before, after] = [stored, await mustFind(tx, caller, id)].map(viewInvitation);
        const target = targetOf(stored);
        await audit(tx, caller, { verb: 'updated', target, before: before!, after: after! }, now);
        return after!;
      }),

    delete: (caller, id) =>
      write(caller, 'delete', async (tx) => {
        const stored = await mustFind(tx, caller, id);
        await deleteInvitation(tx, id);
        const change = {
          verb: 'deleted',
          target: targetOf(stored),
          before: viewInvitation(stored),
        };
        await audit(tx, caller, change, clock.now());
      }),

    resend: (caller, id) =>
      write(caller, 'update', async (tx) => {
        const stored = await mustFind(tx, caller, id);
        const now = clock.now();
        const link = newLink(now);
        await updateInvitation(tx, id, { hash: link.hash, expires_at: link.expiresAt }, now);
        const row = await mustFind(tx, caller, id);
        const views = { before: viewInvitation(stored), after: viewInvitation(row) };
        await audit(tx, caller, { verb: 'resent', target: targetOf(row), ...views }, now);
        return handOver(tx, caller, row, link, now);
      }),
  };
}

const ROLE_MISSING = 'is required: say what they may do in the team';

async function mustFind(
  tx: Transaction<Schema>,
  caller: Caller,
  id: number,
): Promise<InvitationRow> {
  const row = await findInvitation(tx, caller.team.id, id);
  if (row === undefined) throw notFound('invitation');
  return row;
}

/** Who is to be invited. An expired invitation of the same address makes room. */
async function judgeInvitation(
  tx: Transaction<Schema>,
  caller: Caller,
  body: unknown,
  now: number,
): Promise<{ email: string; role: string }> {
  const findings = new Findings();
  const given = readBody(incompleteInput, body, findings) as z.output<typeof incompleteInput>;
  const email = given.email?.toLowerCase() ?? null;
  if (email === null && !findings.has('email'))
    findings.add('email', 'is required: the invitation is for whoever has that address');
  if (given.role == null && !findings.has('role')) findings.add('role', ROLE_MISSING);
  if (email !== null) await judgeAddress(tx, caller, email, now, findings);
  findings.throwIfAny();
  return { email: email!, role: given.role! };
}

async function judgeAddress(
  tx: Transaction<Schema>,
  caller: Caller,
  email: string,
  now: number,
  findings: Findings,
): Promise<void> {
  const person = await findAccountByEmail(tx, email);
  const member = person && (await findMember(tx, caller.team.id, person.id));
  if (member !== undefined) {
    findings.add(
      'email',
      member.status === 'active'
        ? 'must not be that of a member of the team'
        : `must not be that of a member of the team: enable them with PUT /api/v1/users/${member.id}`,
    );
    return;
  }
  const pending = await findPendingInvitation(tx, caller.team.id, email);
  if (pending !== undefined && pending.expires_at > now) {
    findings.add(
      'email',
      `has a pending invitation, ${pending.id}: send it again with POST /api/v1/users/invitations/${pending.id}/resend, or delete it first`,
    );
  } else if (pending !== undefined) {
    await deleteInvitation(tx, pending.id);
  } else if ((await countInvitations(tx, caller.team.id)) >= MOST_INVITATIONS) {
    findings.add(
      'email',
      `is one too many: ${MOST_INVITATIONS} invitations of the team wait already. Delete some that nobody needs`,
    );
  }
}

function targetOf({ id, email }: InvitationRow) {
  return auditTarget('invitation', { id, name: email });
}

function viewInvitation(row: InvitationRow): object {
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    created_at: isoTime(row.created_at),
    expires_at: isoTime(row.expires_at),
  };
}

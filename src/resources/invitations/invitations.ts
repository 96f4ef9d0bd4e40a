import { z } from 'zod';
import type { Caller } from '../../identity/caller.ts';
import { invitationMail } from '../../identity/mails.ts';
import { hashToken, newLinkToken } from '../../identity/token.ts';
import type { Clock } from '../../lib/clock.ts';
import { auditTarget } from '../../model/audit.ts';
import type { MailQueue } from '../../store/alerting/mails.ts';
import type { Database, Tx } from '../../store/database/contract.ts';
import { accountStore } from '../../store/people/accounts.ts';
import { type InvitationRow, invitationStore } from '../../store/people/invitations.ts';
import { peopleStore } from '../../store/people/people.ts';
import { recordChange } from '../common/change.ts';
import { finderOf } from '../common/find.ts';
import { Findings, readBody } from '../common/input.ts';
import { type Call, noun } from '../common/operation.ts';
import { emailAddress } from '../common/people-input.ts';
import { shownAs } from '../common/answer.ts';
import { time } from '../common/reference-schemas.ts';
import { teamWriter } from '../common/team-writes.ts';
import { isoTime } from '../common/time.ts';
import { GIVEN_ROLES, type GivenRole, givenRole } from '../users/users.ts';

const sent = shownAs<InvitationRow>()({
  id: [z.int(), (row) => row.id, 1],
  email: [z.string().meta({ description: 'Lower case.' }), (row) => row.email, 'zoe@example.com'],
  role: [z.enum(GIVEN_ROLES), (row) => row.role as GivenRole, 'editor'],
  created_at: [time, (row) => isoTime(row.created_at), '2030-01-01T00:00:00.000Z'],
  expires_at: [
    time.meta({
      description: 'End of validity of the link, 7 days after it was sent; it can be sent again.',
    }),
    (row) => isoTime(row.expires_at),
    '2030-01-08T00:00:00.000Z',
  ],
});

const invitation = z
  .object(sent.shape)
  .meta({ id: 'Invitation', description: 'Pending invitation to the team.' });

const sentInvitation = z
  .object({
    ...sent.shape,
    url: z.string().optional().meta({
      description:
        'Link for you to pass on; only when no mail server is configured. Otherwise the link is mailed.',
    }),
  })
  .meta({ id: 'SentInvitation', description: 'Invitation with a new link.' });

export const zoe = sent.example;

/** An invitation in answers and exports. */
export const viewInvitation = (row: InvitationRow) => sent.view(row);

/** Validity of the link (contract 37.20). */
export const INVITATION_MS = 7 * 24 * 3_600_000;
/** Maximum number of pending invitations per team, to limit the mail that a team can send. */
export const MAX_INVITATIONS = 100;
/** Prefix of the token of a mailed link, which proves that its holder can read the mail of the address. */
export const MAILED = 'm';
/** Prefix of the token of a link in a response. */
const SHOWN = 's';

const requiredRole = () => givenRole('is required: say what they may do in the team');

export const invitationInput = z.object({
  email: emailAddress('is required: the invitation is for whoever has that address'),
  role: requiredRole(),
});

export const invitationChange = z.object({ role: requiredRole() });

export interface InvitationServiceDeps {
  database: Database;
  clock: Clock;
  mailQueue: MailQueue;
  /** Public address of this installation, without a slash at its end. */
  baseUrl: () => string;
}

/** Pending invitations to the caller's team. Throws `not_found` for ids of other teams. */
export function createInvitationService(deps: InvitationServiceDeps) {
  const { database, clock, mailQueue, baseUrl } = deps;
  const write = teamWriter(database, 'admin');

  /** New link with its expiry and the hash to store. */
  function newLink(now: number) {
    const token = (mailQueue.isConfigured ? MAILED : SHOWN) + newLinkToken();
    const expiresAt = now + INVITATION_MS;
    return { hash: hashToken(token), link: `${baseUrl()}/invitation?token=${token}`, expiresAt };
  }

  /** Mails the link, so that only the owner of the mailbox gets it; without a mail server, adds it to the response. */
  async function send(
    tx: Tx,
    caller: Caller,
    row: InvitationRow,
    { link, expiresAt }: { link: string; expiresAt: number },
    now: number,
  ): Promise<object> {
    if (!mailQueue.isConfigured) return { ...viewInvitation(row), url: link };
    const { email: to, role } = row;
    const names = { team: caller.team.name, inviter: caller.person.name };
    const sender = { personId: caller.person.id, teamId: caller.team.id };
    const mail = invitationMail({ to, ...names, role, link, expiresAt });
    await mailQueue.enqueue(tx, { ...mail, sender }, now);
    return viewInvitation(row);
  }

  return {
    /** Lists pending invitations, including expired ones. */
    async listInvitations({ caller }: Call) {
      const rows = await invitationStore(database.read).list(caller.team.id);
      return { total: rows.length, data: rows.map(viewInvitation) };
    },

    /** Creates an invitation and mails the link; without a mail server, the response contains it. */
    createInvitation: ({ caller, body }: Call) =>
      write(caller, 'create', async (tx) => {
        const now = clock.now();
        const { email, role } = await readInvitation(tx, caller, body, now);
        const link = newLink(now);
        const { hash, expiresAt } = link;
        const columns = { teamId: caller.team.id, email, role, hash, expiresAt };
        const id = await invitationStore(tx).insert(
          { ...columns, invitedBy: caller.person.id },
          now,
        );
        const row = await requireInvitation(tx, caller, id);
        const after = viewInvitation(row);
        await recordChange(tx, caller, { verb: 'created', target: targetOf(row), after }, now);
        return send(tx, caller, row, link, now);
      }),

    updateInvitation: ({ caller, id, body }: Call) =>
      write(caller, 'update', async (tx) => {
        const stored = await requireInvitation(tx, caller, id);
        const { role = stored.role } = readBody(invitationChange, body);
        if (role === stored.role) return viewInvitation(stored);
        const now = clock.now();
        await invitationStore(tx).update(id, { role }, now);
        const before = viewInvitation(stored);
        const after = viewInvitation(await requireInvitation(tx, caller, id));
        const change = { verb: 'updated', target: targetOf(stored), before, after };
        await recordChange(tx, caller, change, now);
        return after;
      }),

    /** Withdraws an invitation and its link. */
    deleteInvitation: ({ caller, id }: Call) =>
      write(caller, 'delete', async (tx) => {
        const stored = await requireInvitation(tx, caller, id);
        await invitationStore(tx).delete(id);
        const before = viewInvitation(stored);
        const change = { verb: 'deleted', target: targetOf(stored), before };
        await recordChange(tx, caller, change, clock.now());
      }),

    /** Replaces the link by one that is valid for another 7 days. */
    resendInvitation: ({ caller, id }: Call) =>
      write(caller, 'update', async (tx) => {
        const stored = await requireInvitation(tx, caller, id);
        const now = clock.now();
        const link = newLink(now);
        await invitationStore(tx).update(id, { hash: link.hash, expires_at: link.expiresAt }, now);
        const row = await requireInvitation(tx, caller, id);
        const views = { before: viewInvitation(stored), after: viewInvitation(row) };
        await recordChange(tx, caller, { verb: 'resent', target: targetOf(row), ...views }, now);
        return send(tx, caller, row, link, now);
      }),
  };
}

const requireInvitation = finderOf('invitation', (db, teamId, id) =>
  invitationStore(db).find(teamId, id),
);

/** Reads a new invitation. Deletes an expired one for the same address. Throws InvalidInput. */
async function readInvitation(tx: Tx, caller: Caller, body: unknown, now: number) {
  const findings = new Findings();
  const given = readBody(invitationInput, body, findings);
  const email = given.email?.toLowerCase();
  if (email !== undefined) await validateAddress(tx, caller, email, now, findings);
  findings.throwIfAny();
  return { email: email!, role: given.role! };
}

async function validateAddress(
  tx: Tx,
  caller: Caller,
  email: string,
  now: number,
  findings: Findings,
): Promise<void> {
  const person = await accountStore(tx).findByEmail(email);
  const member = person && (await peopleStore(tx).findMember(caller.team.id, person.id));
  if (member !== undefined) {
    const hint =
      member.status === 'active' ? '' : `: enable them with PUT /api/v1/users/${member.id}`;
    findings.add('email', `must not be that of a member of the team${hint}`);
    return;
  }
  const pending = await invitationStore(tx).findPending(caller.team.id, email);
  if (pending !== undefined && pending.expires_at > now) {
    findings.add(
      'email',
      `has a pending invitation, ${pending.id}: send it again with POST /api/v1/users/invitations/${pending.id}/resend, or delete it first`,
    );
  } else if (pending !== undefined) {
    await invitationStore(tx).delete(pending.id);
  } else if ((await invitationStore(tx).count(caller.team.id)) >= MAX_INVITATIONS) {
    findings.add(
      'email',
      `is one too many: the team has ${MAX_INVITATIONS} pending invitations. Delete some that are no longer needed`,
    );
  }
}

function targetOf({ id, email }: InvitationRow) {
  return auditTarget('invitation', { id, name: email });
}

export const invitations = noun('Users', createInvitationService, {
  listInvitations: {
    at: 'GET /users/invitations',
    summary: 'List invitations',
    description: 'Pending and expired invitations, newest first.',
    answer: z
      .object({ total: z.int(), data: z.array(invitation) })
      .meta({ id: 'InvitationList', description: 'The invitations of the team.' }),
    example: { answer: { total: 1, data: [zoe] } },
  },
  createInvitation: {
    at: 'POST /users/invitations',
    role: 'admin',
    summary: 'Invite somebody',
    description:
      'Mails a link that is valid for 7 days; without a mail server, the response contains it. An address can have one pending invitation to a team: send that one again instead. An expired one is replaced. For admins.',
    body: invitationInput,
    answer: sentInvitation,
    example: {
      body: { email: 'mia@example.com', role: 'editor' },
      answer: { ...zoe, id: 2, email: 'mia@example.com' },
    },
  },
  updateInvitation: {
    at: 'PUT /users/invitations/:id',
    role: 'admin',
    summary: 'Change the role of an invitation',
    description: 'Changes the role that the new member gets. For admins.',
    body: invitationChange,
    answer: invitation,
    example: { body: { role: 'viewer' }, answer: { ...zoe, role: 'viewer' } },
  },
  deleteInvitation: {
    at: 'DELETE /users/invitations/:id',
    role: 'admin',
    summary: 'Withdraw an invitation',
    description: 'The link stops working. For admins.',
  },
  resendInvitation: {
    at: 'POST /users/invitations/:id/resend',
    needs: 'update',
    role: 'admin',
    summary: 'Send an invitation again',
    description:
      'Sends a new link, valid for another 7 days; the former one stops working. For admins.',
    answer: sentInvitation,
    example: { answer: zoe },
  },
});

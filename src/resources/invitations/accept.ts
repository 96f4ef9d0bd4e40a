import { z } from 'zod';
import type { Principal, Role } from '../../identity/caller.ts';
import { approveEnrollment } from '../../identity/identity-proof.ts';
import { hashToken } from '../../identity/token.ts';
import { type AccountRow, accountStore } from '../../store/people/accounts.ts';
import { passwordStore } from '../../store/people/credentials.ts';
import { invitationStore } from '../../store/people/invitations.ts';
import { peopleStore } from '../../store/people/people.ts';
import type { Db, Tx } from '../../store/database/contract.ts';
import { lockTeam, teamStore } from '../../store/people/teams.ts';
import { auditTarget } from '../../model/audit.ts';
import { recordChange } from '../common/change.ts';
import type { PeopleDeps } from '../common/deps.ts';
import { holdPermission, invalidField, Problem } from '../common/errors.ts';
import { Findings, readBody, readQuery } from '../common/input.ts';
import { addPasswordError, newPassword } from '../common/people-input.ts';
import { nameText, timeZone } from '../../lib/schemas.ts';
import { MAILED, zoe } from './invitations.ts';
import { time } from '../common/reference-schemas.ts';
import { teamAnswer, viewTeam } from '../teams/teams.ts';
import { isoTime } from '../common/time.ts';
import { ed, GIVEN_ROLES, member, user } from '../users/users.ts';
import { noun, type Call } from '../common/operation.ts';

const TOKEN = 'must be the text behind ?token= in the link of the invitation';

/** Body of an acceptance (contract 37.21). */
const acceptInput = z.object({
  token: z.string({ error: TOKEN }).min(1, { error: TOKEN }),
  name: nameText(100).nullish().meta({
    description:
      'Name of a new person; by default the part of the address before the @. Ignored for people with an account.',
  }),
  password: newPassword()
    .nullish()
    .meta({ description: 'Required for a new person. Ignored for people with an account.' }),
  timezone: timeZone().nullish().meta({
    description:
      'IANA name of the time zone of a new person; UTC by default. Ignored for people with an account.',
  }),
});

const previewQuery = z.object({
  token: z
    .string({ error: 'must be given once' })
    .optional()
    .meta({ description: 'Token in the link of the invitation.' }),
});

interface NewPerson {
  name: string;
  timezone: string;
  passwordHash: string | null;
  /** Whether the link was sent by mail, which confirms the address. */
  isMailed: boolean;
}

type Invitation = NonNullable<
  Awaited<ReturnType<ReturnType<typeof invitationStore>['findByHash']>>
>;

/**
 * Acceptance of invitations by holders of the link, signed in or not. Throws a Problem that says whether the link is
 * unknown, expired or used.
 */
function createInvitationAcceptance({ database, clock, forget, passwords }: PeopleDeps) {
  async function join(
    tx: Tx,
    invitation: Invitation,
    person: AccountRow,
    visitor: Principal | null,
  ): Promise<object> {
    const now = clock.now();
    const { team_id: teamId, role } = invitation;
    await teamStore(tx).insertMember(teamId, person.id, role, now);
    await teamStore(tx).moveSessionsTo(teamId, person.id);
    await invitationStore(tx).update(invitation.id, { accepted_at: now }, now);
    const team = (await teamStore(tx).findMembership(person.id, teamId))!;
    const target = auditTarget('member', person);
    const after = { role, status: 'active', invitation_id: invitation.id };
    const principal = visitor ?? holderOfLink(invitation, person);
    await recordChange(tx, principal, { verb: 'joined', target, teamId, after }, now);
    const isCurrent = visitor !== null && isSessionWithoutTeam(visitor);
    return {
      user: member.view((await peopleStore(tx).findMember(teamId, person.id))!),
      team: viewTeam(team, isCurrent ? teamId : null),
    };
  }

  /**
   * Creates the account of a new person. Only a mailed link confirms their address. Returns null if another invitation
   * created it first.
   */
  async function createPerson(
    tx: Tx,
    invitation: Invitation,
    { name, timezone, passwordHash, isMailed }: NewPerson,
  ): Promise<AccountRow | null> {
    const now = clock.now();
    const { email } = invitation;
    const id = await peopleStore(tx).insertOnce({ name, email, timezone }, now);
    if (id === null) return null;
    const person = { id, name, email, timezone, email_verified: isMailed ? 1 : 0 };
    await accountStore(tx).update(id, { email_verified: person.email_verified }, now);
    // Null when their account was deleted just now: they set a password by mail.
    if (passwordHash !== null) await passwordStore(tx).set(id, passwordHash, now);
    await approveEnrollment(tx, id, now);
    const target = auditTarget('person', { id, name });
    const change = { verb: 'created', target, teamId: null, after: { name, email } };
    await recordChange(tx, holderOfLink(invitation, person), change, now);
    return person;
  }

  return {
    /** Describes the invitation of a link. */
    async previewInvitation({ query }: Call) {
      const { token = '' } = readQuery(previewQuery, query);
      const invitation = await openLink(database.read, token, clock.now());
      const person = await accountStore(database.read).findByEmail(invitation.email);
      return {
        team: invitation.team,
        inviter: invitation.inviter,
        email: invitation.email,
        role: invitation.role,
        expires_at: isoTime(invitation.expires_at),
        has_account: person !== undefined,
      };
    },

    /** Adds the person to the team, and creates their account if they have none. */
    async acceptInvitation({ visitor, body, clientAddress }: Call) {
      // The link alone suffices, but a token only makes changes that it permits.
      if (visitor !== null) holdPermission(visitor, 'create');
      const findings = new Findings();
      const given = readBody(acceptInput, body, findings);
      const { token } = given;
      if (token === undefined) throw findings.asError();
      const seen = await openLink(database.read, token, clock.now());
      const isKnown = (await accountStore(database.read).findByEmail(seen.email)) !== undefined;
      requireInvitee(visitor, seen.email);
      if (!isKnown) {
        const names = [given.name, seen.team];
        await addPasswordError(given.password, { email: seen.email, names }, findings);
        findings.throwIfAny();
      }
      // Slow, so it comes before the transaction.
      const passwordHash = isKnown ? null : await passwords.hash(given.password!, clientAddress);
      const { personId, answer } = await database.transaction(async (tx) => {
        await lockTeam(tx, seen.team_id);
        const invitation = await openLink(tx, token, clock.now());
        const { email } = invitation;
        const isMailed = token.startsWith(MAILED);
        const name = given.name ?? email.split('@')[0]!;
        const before = await accountStore(tx).findByEmail(email);
        const timezone = given.timezone ?? 'UTC';
        const made = before
          ? null
          : await createPerson(tx, invitation, { name, timezone, passwordHash, isMailed });
        const person = made ?? before ?? (await accountStore(tx).findByEmail(email))!;
        if (made === null) await requireJoinable(tx, invitation, person, { visitor, isMailed });
        return { personId: person.id, answer: await join(tx, invitation, person, visitor) };
      });
      forget({ personId });
      return answer;
    },
  };
}

/** Pending invitation of a link. Throws when it cannot be accepted. */
async function openLink(db: Db, token: string, now: number): Promise<Invitation> {
  const invitation = await invitationStore(db).findByHash(hashToken(token));
  if (invitation === undefined) {
    throw new Problem(
      'not_found',
      'There is no such invitation: check that you have the whole link. It may have been withdrawn or replaced; ask for a new one.',
    );
  }
  if (invitation.accepted_at !== null)
    throw invalidField('token', 'is of an invitation that was used already: sign in');
  if (invitation.expires_at <= now) {
    const day = isoTime(invitation.expires_at).slice(0, 10);
    const sender = invitation.inviter ?? 'an admin of the team';
    throw invalidField(
      'token',
      `has expired on ${day}: ask ${sender} to send the invitation again`,
    );
  }
  return invitation;
}

/** Throws when the visitor is signed in as another person. */
function requireInvitee(visitor: Principal | null, email: string): void {
  if (visitor === null || visitor.person.email === email) return;
  throw new Problem(
    'forbidden',
    `This invitation is for ${email}, and you are signed in as ${visitor.person.email}: sign out first, or ask for an invitation to your address.`,
  );
}

/**
 * Throws for members, and if neither the link nor a sign-in proves the consent of the account's owner. A link that was
 * shown to the inviter proves nothing; a mailed one proves access to the mailbox, but an account with an unconfirmed
 * address may be somebody else's.
 */
async function requireJoinable(
  tx: Tx,
  invitation: Invitation,
  person: AccountRow,
  { visitor, isMailed }: { visitor: Principal | null; isMailed: boolean },
): Promise<void> {
  const hasConsent = visitor?.person.id === person.id || (isMailed && person.email_verified === 1);
  if (!hasConsent) {
    throw new Problem(
      'forbidden',
      `There is an account for ${person.email} already: sign in with it first, then open the link again.`,
    );
  }
  if ((await peopleStore(tx).findMember(invitation.team_id, person.id)) === undefined) return;
  throw invalidField(
    'token',
    'is of an invitation to a team that you are a member of already: sign in',
  );
}

/** True for a session that acts on no team, so that joining one makes it the current one. */
function isSessionWithoutTeam({ credential, team, withheld }: Principal): boolean {
  return credential.kind === 'session' && team === null && withheld === null;
}

/** Principal of the audit log for a link. */
function holderOfLink(invitation: Invitation, person: AccountRow): Principal {
  const { id, name, email, timezone } = person;
  return {
    person: { id, name, email, timezone },
    team: null,
    role: invitation.role as Role,
    withheld: null,
    permissions: [],
    credential: { kind: 'link', id: invitation.id, name: 'Invitation' },
    address: null,
  };
}

/** Token of the invitation in the tests of examples. */
export const EXAMPLE_LINK_TOKEN = 'm9QwErTyUiOpAsDfGhJkLzXcVbNm012';

export const invitationAcceptance = noun('Users', createInvitationAcceptance, {
  acceptInvitation: {
    at: 'POST /invitations/accept',
    needs: 'nobody',
    status: 201,
    summary: 'Accept an invitation',
    description:
      'Joins the team by the token of the link. A new person gets an account with the given name and password. A person with an account must be signed in, unless the link was mailed to their confirmed address. The response is 404 for an unknown link, 422 for one that has expired or was used, and 403 when another person is signed in. A token needs the permission `create`.',
    body: acceptInput,
    answer: z.object({ user, team: teamAnswer }).meta({
      id: 'AcceptedInvitation',
      description: 'New member and their team.',
    }),
    example: {
      body: { token: EXAMPLE_LINK_TOKEN, name: 'Zoe', password: 'correct horse battery' },
      answer: {
        user: { ...ed, id: 5, name: 'Zoe', email: 'zoe@example.com' },
        team: {
          id: 1,
          name: 'My team',
          slug: 'my-team',
          role: 'editor',
          personal_team: true,
          is_current: false,
        },
      },
    },
    refusals: ['not_found'],
  },
  previewInvitation: {
    at: 'GET /invitations/preview',
    needs: 'nobody',
    summary: 'Preview an invitation',
    description: 'For the page behind the link.',
    query: previewQuery,
    answer: z
      .object({
        team: z.string().meta({ description: 'Name of the team.' }),
        inviter: z.string().nullable().meta({ description: 'Name of the person who sent it.' }),
        email: z.string(),
        role: z.enum(GIVEN_ROLES),
        expires_at: time,
        has_account: z.boolean().meta({
          description: 'True when the address has an account; otherwise a password is required.',
        }),
      })
      .meta({ id: 'InvitationPreview', description: 'Invitation as its link shows it.' }),
    example: {
      query: `token=${EXAMPLE_LINK_TOKEN}`,
      answer: {
        team: 'My team',
        inviter: 'Alice',
        email: zoe.email,
        role: zoe.role,
        expires_at: zoe.expires_at,
        has_account: false,
      },
    },
    refusals: ['not_found'],
  },
});

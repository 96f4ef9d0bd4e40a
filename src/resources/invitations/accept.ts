import type { Kysely, Transaction } from 'kysely';
import { z } from 'zod';
import type { Authenticator } from '../../identity/authenticate.ts';
import type { Principal, Role } from '../../identity/caller.ts';
import { hashPassword, PASSWORD_LENGTH, passwordProblem } from '../../identity/password.ts';
import { hashToken } from '../../identity/token.ts';
import type { Clock } from '../../lib/clock.ts';
import { findAccountByEmail, updateAccount, type AccountRow } from '../../store/people/accounts.ts';
import type { Database } from '../../store/database/contract.ts';
import { setPasswordHash } from '../../store/people/credentials.ts';
import { findInvitationByHash, updateInvitation } from '../../store/people/invitations.ts';
import { findMember, insertPersonOnce } from '../../store/people/people.ts';
import type { Schema } from '../../store/database/schema.ts';
import {
  findMembership,
  insertMember,
  lockTeam,
  moveSessionsTo,
} from '../../store/people/teams.ts';
import { auditTarget } from '../../model/audit.ts';
import { audit } from '../audit-log/entry.ts';
import { Problem } from '../common/errors.ts';
import { Findings, readBody, readQuery } from '../common/input.ts';
import { nameText } from '../../lib/schemas.ts';
import { MAILED } from './service.ts';
import { viewTeam } from '../teams/service.ts';
import { isoTime } from '../common/time.ts';
import { viewMember } from '../users/service.ts';

const { minimum, maximum } = PASSWORD_LENGTH;
const TOKEN = 'must be the text behind ?token= in the link of the invitation';

/** What somebody sends who was invited (contract 37.21). */
export const acceptInput = z.object({
  token: z.string({ error: TOKEN }).min(1, { error: TOKEN }),
  name: nameText(100).nullish().meta({
    description:
      'Of somebody new; the part of the address before the @ unless given. Ignored for somebody who has an account.',
  }),
  password: z
    .string({ error: `must be text of ${minimum} to ${maximum} characters` })
    .nullish()
    .meta({
      description: 'Required for somebody new. Ignored for somebody who has an account.',
      override: { minLength: minimum, maxLength: maximum },
    }),
});

/** What is missing is told of by a rule of its own. */
const incompleteInput = acceptInput.extend({ token: acceptInput.shape.token.nullish() });

export const previewQuery = z.object({
  token: z
    .string({ error: 'must be given once' })
    .optional()
    .meta({ description: 'Of the link of the invitation.' }),
});

/**
 * How somebody who was invited comes in: whoever has the link, signed in or not. A link that is unknown, expired or
 * used is refused, and the refusal says which it is.
 */
export interface InvitationAcceptance {
  /** What the link is about. */
  preview(query: object): Promise<object>;
  /** Makes the person where new, and joins the team. */
  accept(visitor: Principal | null, body: unknown): Promise<object>;
}

export interface InvitationAcceptanceDeps {
  database: Database;
  clock: Clock;
  /** Their next call must see what is stored now. */
  forget: Authenticator['forget'];
}

type Invitation = NonNullable<Awaited<ReturnType<typeof findInvitationByHash>>>;

export function createInvitationAcceptance(deps: InvitationAcceptanceDeps): InvitationAcceptance {
  const { database, clock, forget } = deps;

  async function join(
    tx: Transaction<Schema>,
    invitation: Invitation,
    person: AccountRow,
    { visitor, isMailed }: { visitor: Principal | null; isMailed: boolean },
  ): Promise<object> {
    const now = clock.now();
    const { team_id: teamId, role } = invitation;
    await insertMember(tx, teamId, person.id, role, now);
    // Somebody else may hold a link that was shown: what people do next must not land in a team that they don't know of.
    if (visitor !== null || isMailed) await moveSessionsTo(tx, teamId, person.id);
    await updateInvitation(tx, invitation.id, { accepted_at: now }, now);
    const team = (await findMembership(tx, person.id, teamId))!;
    const target = auditTarget('member', person);
    const after = { role, status: 'active', invitation_id: invitation.id };
    const who = visitor ?? holderOfLink(invitation, person);
    await audit(tx, who, { verb: 'joined', target, teamId, after }, now);
    // A session that acted on no team acts on this one now.
    const isCurrent = visitor !== null && actsOnNone(visitor);
    return {
      user: viewMember((await findMember(tx, teamId, person.id))!),
      team: viewTeam(team, isCurrent ? teamId : null),
    };
  }

  /**
   * Somebody new, who can sign in with that password. Only a link that was mailed shows that the address is theirs.
   * Null where another invitation of theirs was faster.
   */
  async function enrol(
    tx: Transaction<Schema>,
    invitation: Invitation,
    {
      name,
      passwordHash,
      isMailed,
    }: { name: string; passwordHash: string | null; isMailed: boolean },
  ): Promise<AccountRow | null> {
    const now = clock.now();
    const { email } = invitation;
    const timezone = 'UTC';
    const id = await insertPersonOnce(tx, { name, email, timezone }, now);
    if (id === null) return null;
    const person = { id, name, email, timezone, email_verified: isMailed ? 1 : 0 };
    await updateAccount(tx, id, { email_verified: person.email_verified }, now);
    // Without one they had an account a moment ago, and choose a new password by mail.
    if (passwordHash !== null) await setPasswordHash(tx, id, passwordHash, now);
    const target = auditTarget('person', { id, name });
    const change = { verb: 'created', target, teamId: null, after: { name, email } };
    await audit(tx, holderOfLink(invitation, person), change, now);
    return person;
  }

  return {
    async preview(query) {
      const { token = '' } = readQuery(previewQuery, query);
      const invitation = await openLink(database.read, token, clock.now());
      const person = await findAccountByEmail(database.read, invitation.email);
      return {
        team: invitation.team,
        inviter: invitation.inviter,
        email: invitation.email,
        role: invitation.role,
        expires_at: isoTime(invitation.expires_at),
        has_account: person !== undefined,
      };
    },

    async accept(visitor, body) {
      const findings = new Findings();
      const given = readBody(incompleteInput, body, findings) as z.output<typeof incompleteInput>;
      const { token } = given;
      if (token == null && !findings.has('token')) findings.add('token', TOKEN);
      if (token == null) throw findings.asError();
      const seen = await openLink(database.read, token, clock.now());
      const isKnown = (await findAccountByEmail(database.read, seen.email)) !== undefined;
      judgeVisitor(visitor, seen.email);
      if (!isKnown) judgeNewcomer(given.password, seen.email, findings);
      // It takes long, and nobody else could write meanwhile.
      const passwordHash = isKnown ? null : await hashPassword(given.password!);
      const { personId, answer } = await database.transaction(async (tx) => {
        await lockTeam(tx, seen.team_id);
        const invitation = await openLink(tx, token, clock.now());
        const { email } = invitation;
        const isMailed = token.startsWith(MAILED);
        const name = given.name ?? email.split('@')[0]!;
        const before = await findAccountByEmail(tx, email);
        const made = before ? null : await enrol(tx, invitation, { name, passwordHash, isMailed });
        const person = made ?? before ?? (await findAccountByEmail(tx, email))!;
        if (made === null) await judgeKnown(tx, invitation, person, visitor);
        return {
          personId: person.id,
          answer: await join(tx, invitation, person, { visitor, isMailed }),
        };
      });
      forget({ personId });
      return answer;
    },
  };
}

/** The invitation of a link that can be accepted now. */
async function openLink(db: Kysely<Schema>, token: string, now: number): Promise<Invitation> {
  const invitation = await findInvitationByHash(db, hashToken(token));
  if (invitation === undefined) {
    throw new Problem(
      'not_found',
      'There is no such invitation: take the whole link. If that is what you did, it was withdrawn or sent again; ask for a new one.',
    );
  }
  const findings = new Findings();
  if (invitation.accepted_at !== null)
    findings.add('token', 'is of an invitation that was used already: sign in');
  else if (invitation.expires_at <= now) {
    const day = isoTime(invitation.expires_at).slice(0, 10);
    const sender = invitation.inviter ?? 'an admin of the team';
    findings.add('token', `has expired on ${day}: ask ${sender} to send the invitation again`);
  }
  findings.throwIfAny();
  return invitation;
}

/** Somebody who is signed in as another person than the one invited is about to make a mistake. */
function judgeVisitor(visitor: Principal | null, email: string): void {
  if (visitor === null || visitor.person.email === email) return;
  throw new Problem(
    'forbidden',
    `This invitation is for ${email}, and you are signed in as ${visitor.person.email}: sign out first, or ask for an invitation to your address.`,
  );
}

function judgeNewcomer(
  password: string | null | undefined,
  email: string,
  findings: Findings,
): void {
  const problem =
    password == null ? 'is required: you sign in with it' : passwordProblem(password, { email });
  if (problem !== null && !findings.has('password')) findings.add('password', problem);
  findings.throwIfAny();
}

/** Who registered an address that they never confirmed may not be the one who was invited by it. */
async function judgeKnown(
  tx: Transaction<Schema>,
  invitation: Invitation,
  person: AccountRow,
  visitor: Principal | null,
): Promise<void> {
  if (person.email_verified !== 1 && visitor?.person.id !== person.id) {
    throw new Problem(
      'forbidden',
      `There is an account for ${person.email} already, whose address was never confirmed: sign in with it first, then open the link again.`,
    );
  }
  if ((await findMember(tx, invitation.team_id, person.id)) === undefined) return;
  const findings = new Findings();
  findings.add('token', 'is of an invitation to a team that you are a member of already: sign in');
  throw findings.asError();
}

/** Their session, if that is what they have, joins the team with them. */
function actsOnNone({ credential, team, withheld }: Principal): boolean {
  return credential.kind === 'session' && team === null && withheld === null;
}

/** For the audit log: whoever had the link. */
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

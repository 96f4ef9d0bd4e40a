import type { Transaction } from 'kysely';
import { insertAuditEntry } from '../store/resources/audit.ts';
import type { Schema } from '../store/database/schema.ts';
import { deleteSession, type SessionHolder } from '../store/people/sessions.ts';
import {
  deleteResetLinks,
  findPersonById,
  findSession,
  homeTeam,
  noteSignIn,
} from '../store/people/sign-in-rows.ts';
import type { MailQueue } from '../store/alerting/mails.ts';
import { passwordChangedMail } from './mails.ts';

/** What a request of sign-in that succeeded was, as far as the audit log tells of it. */
interface SignInDone {
  path: string;
  /** Who was signed in when it came. */
  holder: SessionHolder | null;
  /** The session that it made. */
  newSession: { id: number; personId: number } | null;
  /** What somebody can sign in with since. */
  newCredential: { personId: number; provider: string } | null;
  /** Whose address it confirmed. */
  verified: { personId: number } | null;
  /** Whether that one began a visit, rather than taking the place of another. */
  isSignIn: boolean;
  /** Whom the link was for that it came by. */
  byLinkOf: { id: number } | null;
  address: string | null;
}

/** Verbs of the person who is signed in. */
const VERBS: Record<string, string> = {
  '/change-password': 'password_changed',
  '/two-factor/disable': 'mfa_disabled',
  '/two-factor/generate-backup-codes': 'recovery_codes_renewed',
  '/passkey/verify-registration': 'passkey_added',
  '/passkey/delete-passkey': 'passkey_removed',
  '/unlink-account': 'provider_unlinked',
  '/update-user': 'updated',
};

/** What somebody is told of by mail, whoever did it, and what ends the links that could do it again. */
const SET_PASSWORD = new Set(['/change-password', '/reset-password']);

interface Entry {
  personId: number;
  teamId: number | null;
  via: 'session' | 'link';
  verb: string;
  target: { type: 'session' | 'person'; id: number; name: string | null };
  /** What there is of it that was not there. */
  after?: Record<string, string>;
}

/** Notes sign-ins and what people change about how they sign in. */
export async function recordSignIn(
  tx: Transaction<Schema>,
  done: SignInDone,
  deps: { mailQueue: MailQueue; now: number },
): Promise<void> {
  const { mailQueue, now } = deps;
  const entry = await entryOf(tx, done, now);
  if (entry === null) return;
  const person = await findPersonById(tx, entry.personId);
  if (person === undefined) return;
  const { id, type, name } = entry.target;
  await insertAuditEntry(tx, {
    team_id: entry.teamId,
    person_id: person.id,
    actor: `${person.name} <${person.email}>`,
    via: entry.via,
    credential_name: null,
    ip_address: done.address,
    action: `${type}.${entry.verb}`,
    target_type: type,
    target_id: id,
    target_name: name ?? person.name,
    before: null,
    after: entry.after === undefined ? null : JSON.stringify(entry.after),
    created_at: now,
  });
  if (!SET_PASSWORD.has(done.path)) return;
  await deleteResetLinks(tx, person.id);
  if (!mailQueue.isConfigured) return;
  const mail = passwordChangedMail({ to: person.email, name: person.name, at: now });
  await mailQueue.enqueue(tx, mail, now);
}

async function entryOf(
  tx: Transaction<Schema>,
  done: SignInDone,
  now: number,
): Promise<Entry | null> {
  const { path, holder, newSession, newCredential, verified, isSignIn, byLinkOf } = done;
  if (newSession !== null && isSignIn) return beginVisit(tx, newSession, holder, now);
  if (byLinkOf !== null) {
    const teamId = await homeTeam(tx, byLinkOf.id);
    return personEntry(byLinkOf.id, { teamId, via: 'link', verb: 'password_changed' });
  }
  if (path.startsWith('/callback/') && newCredential !== null) {
    // Whoever asked for it: the browser may have been handed on since.
    const { personId, provider } = newCredential;
    const isHolder = holder?.person.id === personId;
    const teamId = isHolder ? (holder.team?.id ?? null) : await homeTeam(tx, personId);
    const entry = personEntry(personId, { teamId, via: 'session', verb: 'provider_linked' });
    return { ...entry, after: { provider } };
  }
  if (path === '/verify-email') return verificationEntry(tx, holder, verified);
  if (holder === null) return null;
  const personId = holder.person.id;
  const teamId = holder.team?.id ?? null;
  if (path === '/sign-out') {
    const target = { type: 'session', id: holder.session.id, name: holder.session.method } as const;
    return { personId, teamId, via: 'session', verb: 'deleted', target };
  }
  const isEnrolment = path === '/two-factor/verify-totp' && newSession !== null;
  const verb = isEnrolment ? 'mfa_enabled' : VERBS[path];
  return verb === undefined ? null : personEntry(personId, { teamId, via: 'session', verb });
}

/** A link of a mail gave somebody another address, or confirmed the one they have. */
async function verificationEntry(
  tx: Transaction<Schema>,
  holder: SessionHolder | null,
  verified: SignInDone['verified'],
): Promise<Entry | null> {
  if (holder !== null) {
    const { person, team } = holder;
    const now = await findPersonById(tx, person.id);
    if (now !== undefined && now.email !== person.email) {
      const teamId = team?.id ?? null;
      return personEntry(person.id, { teamId, via: 'session', verb: 'email_changed' });
    }
  }
  if (verified === null) return null;
  const teamId = await homeTeam(tx, verified.personId);
  return personEntry(verified.personId, { teamId, via: 'link', verb: 'address_verified' });
}

/** The browser's former session ends with it: a sign-in leaves one session, with a new token. */
async function beginVisit(
  tx: Transaction<Schema>,
  made: { id: number; personId: number },
  former: SessionHolder | null,
  now: number,
): Promise<Entry> {
  await noteSignIn(tx, made.personId, now);
  if (former !== null) await deleteSession(tx, former.person.id, former.session.id);
  const session = await findSession(tx, made.id);
  return {
    personId: made.personId,
    teamId: session?.team_id ?? null,
    via: 'session',
    verb: 'created',
    target: { type: 'session', id: made.id, name: session?.method ?? null },
  };
}

function personEntry(personId: number, entry: Pick<Entry, 'teamId' | 'via' | 'verb'>): Entry {
  return { personId, ...entry, target: { type: 'person', id: personId, name: null } };
}

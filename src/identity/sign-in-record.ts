import { auditTarget, personActor, type AuditTarget } from '../model/audit.ts';
import { auditLog } from '../store/resources/audit.ts';
import type { Tx } from '../store/database/contract.ts';
import { type SessionHolder, sessionStore } from '../store/people/sessions.ts';
import { verificationStore, signInStore } from '../store/people/sign-in-rows.ts';
import type { MailQueue } from '../store/alerting/mails.ts';
import { passwordChangedMail } from './mails.ts';
import type { SignInWork } from './sign-in-store.ts';

/** Successful request of sign-in, as the audit log needs it. */
interface CompletedSignIn extends Pick<
  SignInWork,
  'newSession' | 'newCredential' | 'verified' | 'address'
> {
  path: string;
  holder: SessionHolder | null;
  /** True when `newSession` is a sign-in, rather than a replacement of the current session. */
  isSignIn: boolean;
  byLinkOf: { id: number } | null;
}

const VERBS: Record<string, string> = {
  '/change-password': 'password_changed',
  '/two-factor/disable': 'mfa_disabled',
  '/two-factor/generate-backup-codes': 'recovery_codes_renewed',
  '/passkey/verify-registration': 'passkey_added',
  '/passkey/delete-passkey': 'passkey_removed',
  '/unlink-account': 'provider_unlinked',
  '/update-user': 'updated',
};

/** Paths that set a password: they send a mail and end all reset links. */
const PASSWORD_CHANGES = new Set(['/change-password', '/reset-password']);

interface Entry {
  personId: number;
  teamId: number | null;
  via: 'session' | 'link';
  verb: string;
  /** By default the person. */
  target?: AuditTarget;
  after?: Record<string, string>;
}

export async function recordSignIn(
  tx: Tx,
  done: CompletedSignIn,
  deps: { mailQueue: MailQueue; now: number },
): Promise<void> {
  const { mailQueue, now } = deps;
  const entry = await entryOf(tx, done, now);
  if (entry === null) return;
  const person = await signInStore(tx).findPerson(entry.personId);
  if (person === undefined) return;
  const actor = personActor(person, entry.via, done.address);
  await auditLog(tx).insert({ actor, target: auditTarget('person', person), ...entry }, now);
  if (!PASSWORD_CHANGES.has(done.path)) return;
  await verificationStore(tx).deleteResetLinks(person.id);
  if (!mailQueue.isConfigured) return;
  const mail = passwordChangedMail({ to: person.email, name: person.name, at: now });
  await mailQueue.enqueue(tx, mail, now);
}

async function entryOf(tx: Tx, done: CompletedSignIn, now: number): Promise<Entry | null> {
  const { path, holder, newSession, newCredential, verified, isSignIn, byLinkOf } = done;
  if (newSession !== null && isSignIn) return recordNewSession(tx, newSession, holder, now);
  if (byLinkOf !== null) {
    const teamId = await signInStore(tx).homeTeam(byLinkOf.id);
    return { personId: byLinkOf.id, teamId, via: 'link', verb: 'password_changed' };
  }
  if (path.startsWith('/callback/') && newCredential !== null) {
    // The session may belong to somebody else than the person who started linking.
    const { personId, provider } = newCredential;
    const isHolder = holder?.person.id === personId;
    const teamId = isHolder ? (holder.team?.id ?? null) : await signInStore(tx).homeTeam(personId);
    return { personId, teamId, via: 'session', verb: 'provider_linked', after: { provider } };
  }
  if (path === '/verify-email') return verificationEntry(tx, holder, verified);
  if (holder === null) return null;
  const personId = holder.person.id;
  const teamId = holder.team?.id ?? null;
  if (path === '/sign-out') {
    const target = auditTarget('session', { ...holder.session, name: holder.session.method });
    return { personId, teamId, via: 'session', verb: 'deleted', target };
  }
  const isEnrolment = path === '/two-factor/verify-totp' && newSession !== null;
  const verb = isEnrolment ? 'mfa_enabled' : VERBS[path];
  return verb === undefined ? null : { personId, teamId, via: 'session', verb };
}

/** Audit entry of a mailed link that changed or confirmed an address. */
async function verificationEntry(
  tx: Tx,
  holder: SessionHolder | null,
  verified: CompletedSignIn['verified'],
): Promise<Entry | null> {
  if (holder !== null) {
    const { person, team } = holder;
    const now = await signInStore(tx).findPerson(person.id);
    if (now !== undefined && now.email !== person.email) {
      const teamId = team?.id ?? null;
      return { personId: person.id, teamId, via: 'session', verb: 'email_changed' };
    }
  }
  if (verified === null) return null;
  const teamId = await signInStore(tx).homeTeam(verified.personId);
  return { ...verified, teamId, via: 'link', verb: 'address_verified' };
}

/** Records a sign-in and ends the browser's former session. */
async function recordNewSession(
  tx: Tx,
  made: { id: number; personId: number },
  former: SessionHolder | null,
  now: number,
): Promise<Entry> {
  await signInStore(tx).recordTime(made.personId, now);
  if (former !== null) await sessionStore(tx).delete(former.person.id, former.session.id);
  const session = await signInStore(tx).findSession(made.id);
  return {
    personId: made.personId,
    teamId: session?.team_id ?? null,
    via: 'session',
    verb: 'created',
    target: auditTarget('session', { id: made.id, name: session?.method ?? null }),
  };
}

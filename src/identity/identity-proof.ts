import { randomInt } from 'node:crypto';
import type { Clock } from '../lib/clock.ts';
import type { MailQueue } from '../store/alerting/mails.ts';
import type { Database, Db, Tx } from '../store/database/contract.ts';
import { BudgetExceeded } from '../store/people/budgets.ts';
import { passwordStore } from '../store/people/credentials.ts';
import { type SessionHolder, sessionStore } from '../store/people/sessions.ts';
import { verificationStore } from '../store/people/sign-in-rows.ts';
import { enrollmentCodeMail } from './mails.ts';
import type { PasswordQueue } from './password.ts';
import { budgetAnswer, refusal, type SignInAnswer } from './sign-in-request.ts';
import type { SignInRoute } from './sign-in-routes.ts';
import { hashToken } from './token.ts';

/** Time for which a sign-in, or a password that was entered again, proves who holds a session. */
const PROOF_MS = 10 * 60_000;
const CODE_MS = 15 * 60_000;
/** Time to set up a second factor after the code, or after a password that was set by a link. */
const ENROLLMENT_MS = 60 * 60_000;
/** Without letters and digits that look alike: 31^10 codes, so that none is guessed. */
const ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
const CODE_LENGTH = 10;

const DONE: SignInAnswer = { status: 200, headers: [], body: { status: true } };

interface ProofRequest {
  route: SignInRoute;
  path: string;
  body: Record<string, unknown>;
  address: string;
}

/**
 * What a session alone does not prove. Changes of how somebody signs in need their password or a factor within the last
 * minutes, so that a stolen session can't add a way in. The first factor in a team that requires one needs a code that was
 * mailed to the confirmed address of the account, or a password that was set by a link: a stolen password can't enroll
 * itself, nor move the address there.
 */
export function createIdentityProof(deps: {
  database: Database;
  clock: Pick<Clock, 'now'>;
  mailQueue: MailQueue;
  passwords: Pick<PasswordQueue, 'verify'>;
}) {
  const { database, clock, mailQueue, passwords } = deps;

  /** True when a code can be mailed. An address that was never confirmed may be somebody else's. */
  function canMailTo({ person }: SessionHolder): boolean {
    return mailQueue.isConfigured && person.email_verified === 1;
  }

  /** True when the session may not set up a factor before its holder has approved that elsewhere. */
  async function lacksApproval({ person, session }: SessionHolder): Promise<boolean> {
    if (person.mfa_enabled === 1 || session.method === 'passkey') return false;
    if (!(await sessionStore(database.read).isInTeamThatRequiresMfa(person.id))) return false;
    const approvals = [approvalOfPerson(person.id), approvalOfSession(session.id)];
    return !(await verificationStore(database.read).has(approvals, clock.now()));
  }

  async function isProven({ route, body }: ProofRequest, holder: SessionHolder): Promise<boolean> {
    const { person } = holder;
    // better-auth compares the password, and asks nothing of people who have none.
    const sendsPassword = route.testsOwnSecret && typeof body['password'] === 'string';
    if (sendsPassword && (await passwordStore(database.read).has(person.id))) return true;
    return hasRecentProof(database.read, holder, clock.now());
  }

  async function confirmPassword(request: ProofRequest, holder: SessionHolder) {
    const { password } = request.body;
    const hash = await passwordStore(database.read).find(holder.person.id);
    const isRight =
      typeof password === 'string' &&
      hash !== null &&
      (await passwords.verify({ hash, password }, request.address));
    if (!isRight) return WRONG_PASSWORD;
    await record(holder);
    return DONE;
  }

  async function record({ session, person }: SessionHolder): Promise<void> {
    const now = clock.now();
    const row = { identifier: proofOf(session.id), value: `proof ${person.id}` };
    await database.transaction((tx) =>
      verificationStore(tx).insert({ ...row, expiresAt: now + PROOF_MS }, now),
    );
  }

  async function sendCode(holder: SessionHolder): Promise<SignInAnswer> {
    if (!canMailTo(holder)) return refusal(403, ASK_FOR_LINK);
    const { person } = holder;
    const now = clock.now();
    const code = newCode();
    const expiresAt = now + CODE_MS;
    const row = { identifier: codeOf(person.id, code), value: valueOfCode(person.id), expiresAt };
    const mail = enrollmentCodeMail({ to: person.email, name: person.name, code, expiresAt });
    try {
      await database.transaction(async (tx) => {
        await verificationStore(tx).deleteOf(valueOfCode(person.id));
        await verificationStore(tx).insert(row, now);
        await mailQueue.enqueue(tx, mail, now);
      });
    } catch (error) {
      if (error instanceof BudgetExceeded) return budgetAnswer(error);
      throw error;
    }
    return DONE;
  }

  async function confirmCode({ body }: ProofRequest, { person, session }: SessionHolder) {
    const now = clock.now();
    const given = String(body['code'] ?? '').toUpperCase();
    const code = given.replaceAll(/[^A-Z0-9]/g, '');
    const isRight = await database.transaction(async (tx) => {
      const used = await verificationStore(tx).delete(codeOf(person.id, code), now);
      if (used === 0) return false;
      const identifier = approvalOfSession(session.id);
      const row = { identifier, value: `approval ${person.id}`, expiresAt: now + ENROLLMENT_MS };
      await verificationStore(tx).insert(row, now);
      return true;
    });
    return isRight ? DONE : WRONG_CODE;
  }

  return {
    /** Refusal of a request for which the session does not suffice; null for others. */
    async refuse(request: ProofRequest, holder: SessionHolder): Promise<SignInAnswer | null> {
      if (request.route.needsApproval && (await lacksApproval(holder)))
        return needed('ENROLLMENT_CODE_NEEDED', canMailTo(holder) ? ASK_FOR_CODE : ASK_FOR_LINK);
      if (!request.route.needsProof || (await isProven(request, holder))) return null;
      return UNPROVEN;
    },
    async answer(request: ProofRequest, holder: SessionHolder | null) {
      const handle = { [CONFIRM_PASSWORD]: confirmPassword, [CONFIRM_CODE]: confirmCode }[
        request.path
      ];
      if (handle === undefined && request.path !== SEND_CODE) return null;
      if (holder === null) return { ...refusal(401, 'Sign in first.') };
      return handle === undefined ? sendCode(holder) : handle(request, holder);
    },
    /** Records that the holder of a session has just shown a code of their authenticator. */
    record,
  };
}

const CONFIRM_PASSWORD = '/confirm-password';
const SEND_CODE = '/two-factor/send-enrollment-code';
const CONFIRM_CODE = '/two-factor/confirm-enrollment-code';

const CONFIRM =
  'Confirm that it is you: enter your password or a code of your authenticator again, or sign in again.';
const ASK_FOR_CODE =
  'Your team requires two-factor authentication. To set it up, or to change your e-mail address before it is set up, enter the code that Tocsin mails to the address of your account.';
const ASK_FOR_LINK =
  'Your team requires two-factor authentication. To set it up, ask an admin of your team or the operator for a link that sets a new password, use it, and sign in again: then you have an hour.';

const WRONG_PASSWORD: SignInAnswer = {
  status: 400,
  headers: [],
  body: { message: 'Invalid password.', code: 'INVALID_PASSWORD' },
};
const WRONG_CODE: SignInAnswer = {
  status: 400,
  headers: [],
  body: {
    message: 'This code is wrong, used or expired. Enter the newest one, or have another one sent.',
    code: 'INVALID_CODE',
  },
};

function needed(code: string, message: string): SignInAnswer {
  return { status: 403, headers: [], body: { message, error: message, code } };
}

export const UNPROVEN = needed('PROOF_NEEDED', CONFIRM);

/** True when somebody signed in, or showed their password or a factor, in this session within the last minutes. */
export async function hasRecentProof(db: Db, { session }: SessionHolder, now: number) {
  if (session.created_at > now - PROOF_MS) return true;
  return verificationStore(db).has([proofOf(session.id)], now);
}

/**
 * Lets all sessions of a person set up their first factor for an hour. Call it when their password was set by a link, which
 * ended the former sessions: somebody who knew the former password has none.
 */
export async function approveEnrollment(tx: Tx, personId: number, now: number) {
  const row = { identifier: approvalOfPerson(personId), value: `approval ${personId}` };
  await verificationStore(tx).insert({ ...row, expiresAt: now + ENROLLMENT_MS }, now);
}

const approvalOfPerson = (personId: number) => `enrollment of person ${personId}`;
const approvalOfSession = (sessionId: number) => `enrollment of session ${sessionId}`;
const proofOf = (sessionId: number) => `proof of session ${sessionId}`;
const codeOf = (personId: number, code: string) => hashToken(`enrollment ${personId} ${code}`);
const valueOfCode = (personId: number) => `enrollment code ${personId}`;

/** Such as `7KQ2M-XW9PD`. */
function newCode(): string {
  const characters = Array.from(
    { length: CODE_LENGTH },
    () => ALPHABET[randomInt(ALPHABET.length)],
  );
  return characters.join('');
}

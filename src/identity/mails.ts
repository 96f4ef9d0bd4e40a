import { layOutMail, PRODUCT, type MailPart } from '../lib/mail-layout.ts';
import { singleLine, plainName } from '../lib/text.ts';
import type { MailKind } from '../model/budgets.ts';
import type { Mail } from '../store/alerting/mails.ts';

interface LinkMail {
  to: string;
  /** The complete URL. It is a secret: whoever has it may use it. */
  link: string;
  /** Epoch ms until which the link works. */
  expiresAt: number;
}

export function invitationMail(
  invitation: LinkMail & {
    /** Names as people gave them. */
    team: string;
    inviter: string;
    /** The role, such as `admin`. */
    role: string;
  },
): Mail {
  const { to, link: url, expiresAt } = invitation;
  const team = plainName(invitation.team, LONGEST_NAME);
  const inviter = plainName(invitation.inviter, LONGEST_NAME);
  const article = /^[aeo]/.test(invitation.role) ? 'an' : 'a';
  return mail('invitation', to, expiresAt, {
    subject: `Invitation to the team "${team}" on Tocsin`,
    headline: `Join the team "${team}"`,
    parts: [
      {
        text: `"${inviter}" invites you to the team "${team}" on Tocsin, as ${article} ${invitation.role}.`,
      },
      { open: { label: 'Accept the invitation', url } },
      { text: `The link works once, until ${moment(expiresAt)}.` },
      {
        remark:
          "Tocsin has not checked these names. If you don't recognize them, ignore this mail: you join the team only if you accept.",
      },
    ],
  });
}

export function resetPasswordMail(reset: LinkMail & { name: string }): Mail {
  const { to, name, link: url, expiresAt } = reset;
  return mail('reset_password', to, expiresAt, {
    subject: 'Choose a new password for Tocsin',
    headline: 'Choose a new password',
    parts: [
      { text: greeting(name) },
      { text: 'A new password was requested for your account on Tocsin.' },
      { open: { label: 'Choose a new password', url } },
      {
        text: `The link works once, until ${moment(expiresAt)}. Anyone who has it can set your password: do not share it.`,
      },
      { remark: "If you didn't request this, ignore this mail: your password does not change." },
    ],
  });
}

/** Contains no name: anybody can register an address under any name. */
export function verificationMail({ to, link: url, expiresAt }: LinkMail): Mail {
  return mail('verification', to, expiresAt, {
    subject: 'Confirm your e-mail address for Tocsin',
    headline: 'Confirm your e-mail address',
    parts: [
      {
        text: `${to} was given as the e-mail address of an account on Tocsin. To confirm that you asked for it, open this page and press the button there.`,
      },
      { open: { label: 'Confirm the address', url } },
      { text: `The link works until ${moment(expiresAt)}.` },
      {
        remark:
          "If you didn't request this, don't press the button: someone else may have created the account. Ignore this mail, and the address stays unconfirmed.",
      },
    ],
  });
}

/** Sent to the old address; `link` confirms the change before the new address is asked. */
export function emailChangeMail(change: LinkMail & { name: string; newEmail: string }): Mail {
  const { to, name, newEmail, link: url, expiresAt } = change;
  return mail('email_change', to, expiresAt, {
    subject: 'Agree to a new e-mail address for Tocsin',
    headline: 'Agree to a new e-mail address',
    parts: [
      { text: greeting(name) },
      {
        text: `A change of the e-mail address of your account on Tocsin was requested, from ${to} to ${singleLine(newEmail)}. To agree, open this page in a browser where you are signed in, and press the button there.`,
      },
      { open: { label: 'See the change', url } },
      { text: `The link works until ${moment(expiresAt)}.` },
      {
        remark:
          "If you didn't request this, don't press the button, and your address does not change. Someone may be signed in as you: choose a new password and end all other sessions.",
      },
    ],
  });
}

/** Sent to people who set up two-factor authentication because their team requires it. */
export function enrollmentCodeMail(enrollment: {
  to: string;
  name: string;
  code: string;
  expiresAt: number;
}): Mail {
  const { to, name, code, expiresAt } = enrollment;
  return mail('enrollment_code', to, expiresAt, {
    subject: 'Code to set up two-factor authentication on Tocsin',
    headline: 'Set up two-factor authentication',
    parts: [
      { text: greeting(name) },
      {
        text: 'Your team on Tocsin requires two-factor authentication. To set it up for your account, enter this code on your account page:',
      },
      { code },
      { text: `The code works once, until ${moment(expiresAt)}. Do not share it.` },
      {
        remark:
          "If you didn't request this, someone knows your password: choose a new one now. Without the code they can't set anything up.",
      },
    ],
  });
}

const DAY_MS = 24 * 3_600_000;

/** `at`: epoch ms of the change. */
export function passwordChangedMail(change: { to: string; name: string; at: number }): Mail {
  const { to, name, at } = change;
  return mail('password_changed', to, at + 3 * DAY_MS, {
    subject: 'Your password for Tocsin was changed',
    headline: 'Your password was changed',
    parts: [
      { text: greeting(name) },
      { text: `The password of your account on Tocsin was changed at ${moment(at)}.` },
      { text: 'If it was you, no action is needed.' },
      { text: 'If it was not you, act now:' },
      {
        list: [
          'Choose "Forgot password" on the sign-in page, and set a new password.',
          'On your account page, end all other sessions, the API tokens and the connected applications: they do not end with the password.',
          'Inform the owner of your team.',
        ],
      },
    ],
  });
}

function mail(
  kind: MailKind,
  to: string,
  expiresAt: number,
  content: { subject: string; headline: string; parts: MailPart[] },
): Mail {
  const laidOut = layOutMail({
    ...content,
    language: 'en',
    brand: PRODUCT,
    tone: 'neutral',
    footer: { text: 'Tocsin watches whether sites and services are up.' },
  });
  return { kind, to, subject: content.subject, ...laidOut, expiresAt };
}

function greeting(name: string): string {
  const shown = plainName(name, LONGEST_NAME);
  return shown === '' ? 'Hello,' : `Hello ${shown},`;
}

/** Characters of a name: enough to know it, too few for a message. */
const LONGEST_NAME = 40;

const MOMENT = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'full',
  timeStyle: 'short',
  timeZone: 'UTC',
});

/** Formats `Tuesday, 1 January 2030 at 09:05 UTC`, since the reader's time zone is unknown. */
function moment(at: number): string {
  return `${MOMENT.format(at)} UTC`;
}

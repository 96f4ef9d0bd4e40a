import { plainName } from '../lib/plain-name.ts';
import { escapeHtml, singleLine } from '../lib/text.ts';
import type { MailKind } from '../model/budgets.ts';
import type { Mail } from '../store/alerting/mails.ts';

/** A recipient and a link that expires. */
interface LinkMail {
  /** E-mail address. */
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
  const { to, link, expiresAt } = invitation;
  const team = plainName(invitation.team, LONGEST_NAME);
  const inviter = plainName(invitation.inviter, LONGEST_NAME);
  return mail('invitation', to, expiresAt, `Invitation to the team "${team}" on Tocsin`, [
    'Hello,',
    `You are invited to join a team on Tocsin, where it watches whether its sites and services are up. You would have the role "${invitation.role}".`,
    `The team calls itself "${team}", and the person who invites you "${inviter}". Both chose these names themselves.`,
    'To accept, open this link:',
    { link },
    `It works once, until ${moment(expiresAt)}.`,
    `If you don't know them or don't want to join, ignore this mail: you are only added if you open the link.`,
  ]);
}

export function resetPasswordMail(reset: LinkMail & { name: string }): Mail {
  const { to, name, link, expiresAt } = reset;
  return mail('reset_password', to, expiresAt, 'Choose a new password for Tocsin', [
    greeting(name),
    'A new password was requested for your Tocsin account. To choose one, open this link:',
    { link },
    `It works once, until ${moment(expiresAt)}. Do not share it: anyone who has it can set your password.`,
    "If you didn't request this, ignore this mail: your password does not change.",
  ]);
}

/** Contains no name: anybody can register an address under any name. */
export function verificationMail(verification: LinkMail): Mail {
  const { to, link, expiresAt } = verification;
  return mail('verification', to, expiresAt, 'Confirm your e-mail address for Tocsin', [
    'Hello,',
    `${to} was given as the e-mail address of an account on Tocsin. To confirm that you asked for it, open this link and press the button there:`,
    { link },
    `It works until ${moment(expiresAt)}.`,
    "If you didn't request this, don't press the button: someone else may have created the account. Ignore this mail, and the address stays unconfirmed.",
  ]);
}

/** Sent to the old address; `link` confirms the change before the new address is asked. */
export function emailChangeMail(change: LinkMail & { name: string; newEmail: string }): Mail {
  const { to, name, newEmail, link, expiresAt } = change;
  return mail('email_change', to, expiresAt, 'Agree to a new e-mail address for Tocsin', [
    greeting(name),
    `A change of the e-mail address of your Tocsin account was requested, from ${to} to ${singleLine(newEmail)}. To agree, open this link in a browser where you are signed in, and press the button there:`,
    { link },
    `It works until ${moment(expiresAt)}.`,
    "If you didn't request this, don't press the button, and your address does not change. Someone may be signed in as you: choose a new password and end all other sessions.",
  ]);
}

/** Sent to people who set up two-factor authentication because their team requires it. */
export function enrollmentCodeMail(enrollment: {
  to: string;
  name: string;
  code: string;
  expiresAt: number;
}): Mail {
  const { to, name, code, expiresAt } = enrollment;
  return mail(
    'enrollment_code',
    to,
    expiresAt,
    'Code to set up two-factor authentication on Tocsin',
    [
      greeting(name),
      'Your team on Tocsin requires two-factor authentication. To set it up for your account, enter this code on your account page:',
      code,
      `It works once, until ${moment(expiresAt)}. Do not share it.`,
      "If you didn't request this, someone knows your password: choose a new one now. Without the code they can't set anything up.",
    ],
  );
}

const DAY_MS = 24 * 3_600_000;

/** `at`: epoch ms of the change. */
export function passwordChangedMail(change: { to: string; name: string; at: number }): Mail {
  const { to, name, at } = change;
  return mail('password_changed', to, at + 3 * DAY_MS, 'Your password for Tocsin was changed', [
    greeting(name),
    `The password of your account on Tocsin was changed at ${moment(at)}.`,
    'If it was you, no action is needed.',
    'If it was not you, act now: choose "Forgot password" on the sign-in page, set a new password, then end all other sessions, and the API tokens and connected applications on your account page: they do not end with the password. Also inform the owner of your team.',
  ]);
}

type Paragraph = string | { link: string };

function mail(
  kind: MailKind,
  to: string,
  expiresAt: number,
  subject: string,
  paragraphs: Paragraph[],
): Mail {
  return { kind, to, subject, text: textOf(paragraphs), html: htmlOf(paragraphs), expiresAt };
}

function textOf(paragraphs: Paragraph[]): string {
  return [...paragraphs.map((one) => (typeof one === 'string' ? one : one.link)), '-- \nTocsin']
    .join('\n\n')
    .concat('\n');
}

/** No images or external content; the link is written out, so that people see its target. */
function htmlOf(paragraphs: Paragraph[]): string {
  const body = paragraphs.map((one) => {
    if (typeof one === 'string') return `<p>${escapeHtml(one)}</p>`;
    const link = escapeHtml(one.link);
    return `<p><a href="${link}" style="color:#0b57d0;word-break:break-all">${link}</a></p>`;
  });
  return [
    '<!doctype html>',
    '<html lang="en"><body style="margin:0;padding:24px">',
    '<div style="max-width:36em;font:16px/1.5 sans-serif">',
    ...body,
    '<p style="color:#5f6368">Tocsin</p>',
    '</div></body></html>\n',
  ].join('\n');
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

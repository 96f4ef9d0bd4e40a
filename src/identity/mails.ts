import { escapeHtml, singleLine as inOneLine } from '../lib/text.ts';
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
  const [team, inviter] = [unlinked(invitation.team), unlinked(invitation.inviter)];
  return mail('invitation', to, expiresAt, `Join the team ${oneLine(invitation.team)} on Tocsin`, [
    'Hello,',
    `${inviter} invites you to join the team "${team}" on Tocsin, where it watches whether its sites and services are up. You would have the role "${oneLine(invitation.role)}".`,
    'To accept, open this link:',
    { link },
    `It works once, until ${moment(expiresAt)}.`,
    `If you don't know ${inviter} or don't want to join, ignore this mail: you are only added if you open the link.`,
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

export function verificationMail(verification: LinkMail & { name: string }): Mail {
  const { to, name, link, expiresAt } = verification;
  return mail('verification', to, expiresAt, 'Confirm your e-mail address for Tocsin', [
    greeting(name),
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
    `A change of the e-mail address of your Tocsin account was requested, from ${to} to ${oneLine(newEmail)}. To agree, open this link in a browser where you are signed in, and press the button there:`,
    { link },
    `It works until ${moment(expiresAt)}.`,
    "If you didn't request this, don't press the button, and your address does not change. Someone may be signed in as you: choose a new password and end all other sessions.",
  ]);
}

const DAY_MS = 24 * 3_600_000;

/** `at`: epoch ms of the change. */
export function passwordChangedMail(change: { to: string; name: string; at: number }): Mail {
  const { to, name, at } = change;
  return mail('password_changed', to, at + 3 * DAY_MS, 'Your password for Tocsin was changed', [
    greeting(name),
    `The password of your account on Tocsin was changed at ${moment(at)}.`,
    'If it was you, no action is needed.',
    'If it was not you, act now: choose "Forgot password" on the sign-in page, set a new password, then end all other sessions and review your API tokens. Also inform the owner of your team.',
  ]);
}

type Paragraph = string | { link: string };

function mail(
  kind: string,
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
  const shown = unlinked(name);
  return shown === '' ? 'Hello,' : `Hello ${shown},`;
}

const LONGEST_NAME = 100;

/** Cleans a name that people chose: no line breaks in a mail or its headers, no characters that reverse text. */
function oneLine(name: string): string {
  const line = inOneLine(name);
  const characters = [...line];
  return characters.length > LONGEST_NAME ? `${characters.slice(0, LONGEST_NAME).join('')}…` : line;
}

const WORD_JOINER = '\u2060';

/**
 * Keeps mail clients from linking an address in a name: an invitation from a stranger must not contain their own link.
 */
function unlinked(name: string): string {
  return oneLine(name).replace(/(?<=[.:@])(?=[^\s.])/gu, WORD_JOINER);
}

const MOMENT = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'full',
  timeStyle: 'short',
  timeZone: 'UTC',
});

/** Formats `Tuesday, 1 January 2030 at 09:05 UTC`, since the reader's time zone is unknown. */
function moment(at: number): string {
  return `${MOMENT.format(at)} UTC`;
}

import { isIP } from 'node:net';
import { createTransport } from 'nodemailer';
import type { Clock } from '../lib/clock.ts';
import { plainText } from '../lib/plain-text.ts';

export interface MailMessage {
  /** Letters, digits and dots: the same for the same mail however often it is sent; its Message-ID is made of it. */
  id: string;
  /** One e-mail address. */
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Letters, digits, hyphens and dots: mails with the same one are shown as one conversation. */
  thread?: string;
}

/** Reasons are for operators, and hold of addresses the domain only. */
export type Sent =
  | { outcome: 'sent' }
  /** It may go another time. */
  | { outcome: 'failed'; reason: string }
  /** It never will: the server does not take it, or not for this recipient. */
  | { outcome: 'refused'; reason: string };

export interface Mailer {
  /** Answers within SEND_WITHIN_MS, or soon after the signal, whose reason `'deadline'` is a time-out. Never rejects. */
  send(message: MailMessage, signal?: AbortSignal): Promise<Sent>;
}

export interface MailerDependencies {
  smtpUrl: string;
  /** As MAIL_FROM; null for an address at the host of `baseUrl`. */
  from: string | null;
  baseUrl: () => string;
  clock: Clock;
  timeouts?: MailTimeouts;
}

/** In milliseconds. */
interface MailTimeouts {
  /** To reach the server, until it can be spoken to. */
  connection: number;
  /** Of these, for its first line, and for the beginning of TLS. Servers keep strangers waiting a little on purpose. */
  greeting: number;
  /** Of silence in between. */
  silence: number;
  /** For all of it, since a server may also send a little again and again. */
  whole: number;
}

export const SEND_WITHIN_MS = 60_000;
const TIMEOUTS: MailTimeouts = {
  connection: 30_000,
  greeting: 30_000,
  silence: 30_000,
  whole: SEND_WITHIN_MS,
};

/** What is wrong with SMTP_URL, for people. Its message never holds the password. */
export class MailServerUrlError extends Error {
  override name = 'MailServerUrlError';
}

/**
 * Hands mails to a mail server (RFC 5321), each on a connection of its own. Throws MailServerUrlError. The address is
 * the operator's: no guard keeps it from private networks.
 */
export function createMailer(dependencies: MailerDependencies): Mailer {
  const { smtpUrl, from, baseUrl, clock, timeouts = TIMEOUTS } = dependencies;
  const transport = createTransport({
    ...mailServer(smtpUrl),
    connectionTimeout: timeouts.connection,
    dnsTimeout: timeouts.connection,
    greetingTimeout: timeouts.greeting,
    socketTimeout: timeouts.silence,
    // A text is a text, whatever path or address it holds.
    disableFileAccess: true,
    disableUrlAccess: true,
  });

  async function deliver(message: MailMessage, signal: AbortSignal): Promise<Sent> {
    const host = mailHost(baseUrl());
    try {
      await transport.sendMail({
        from: from ?? { name: 'Tocsin', address: `tocsin@${host}` },
        // Not a list, nor anything else that an address may be read as.
        to: { name: '', address: message.to },
        subject: plainText(message.subject),
        text: message.text,
        html: message.html,
        messageId: `<${message.id}@${host}>`,
        // Of a mail that never was (RFC 5322, section 3.6.4): whichever comes first, they belong together.
        ...(message.thread !== undefined && inThread(`<${message.thread}@${host}>`)),
        date: new Date(clock.now()),
        // No holiday note shall answer (RFC 3834, section 5; the other one is what Exchange reads).
        headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
        signal,
      });
      return { outcome: 'sent' };
    } catch (error) {
      return failureOf(error as MailError, message.to);
    }
  }

  return {
    async send(message, signal) {
      if (!isAddress(message.to))
        return { outcome: 'refused', reason: 'It has no e-mail address.' };
      const end = new AbortController();
      const timer = clock.after(timeouts.whole, () => end.abort());
      const signals = signal === undefined ? end.signal : AbortSignal.any([end.signal, signal]);
      try {
        const sent = await deliver(message, signals);
        if (sent.outcome === 'sent' || !signals.aborted) return sent;
        const isLate = end.signal.aborted || signal?.reason === 'deadline';
        const why = isLate ? 'The mail server took too long' : 'Tocsin is stopping';
        return { outcome: 'failed', reason: `${why}.` };
      } finally {
        clock.clear(timer);
      }
    },
  };
}

function inThread(first: string): { references: string; inReplyTo: string } {
  return { references: first, inReplyTo: first };
}

/** One mailbox and nothing that would end a line or a command. */
function isAddress(text: string): boolean {
  return text.length <= 254 && /^[^\s\p{Cc}@,;<>"]+@[^\s\p{Cc}@,;<>"]+$/u.test(text);
}

/** As nodemailer's errors are: the server's answer where there was one, and the command that it answered. */
interface MailError extends Error {
  responseCode?: number;
  command?: string;
  response?: string;
}

/** What the server says no to for good (RFC 5321, section 4.2.1), once it has heard of the mail itself. */
function failureOf(error: MailError, recipient: string): Sent {
  const { responseCode: code = 0, command } = error;
  const isOfMail = command === 'RCPT TO' || command === 'DATA';
  // 503 says that the conversation went wrong. Sign-in and sender are ours: the operator can mend them.
  const isFinal = isOfMail && code >= 500 && code < 600 && code !== 503;
  const isUnsendable =
    command === 'API' && code === 0 && error.message.startsWith('Invalid recipient');
  return {
    outcome: isFinal || isUnsendable ? 'refused' : 'failed',
    reason: withoutPersons(error.message, recipient),
  };
}

const LONGEST_REASON = 300;

/** Servers like to repeat whom a mail was for, and the links that they found in it. */
function withoutPersons(reason: string, recipient: string): string {
  const domain = recipient.slice(recipient.lastIndexOf('@'));
  return plainText(reason)
    .replaceAll(recipient, `…${domain}`)
    .replace(/\b[a-z][a-z0-9+.-]*:\/\/\S+/giu, '…')
    .replace(/[^\s<>"'(:]+@(?=[^\s@]+)/gu, '…@')
    .slice(0, LONGEST_REASON);
}

/** The host of a URL as it stands behind an `@` (RFC 5321, section 4.1.3). */
function mailHost(url: string): string {
  const { hostname } = new URL(url);
  if (hostname.startsWith('[')) return `[IPv6:${hostname.slice(1, -1)}]`;
  return isIP(hostname) === 0 ? hostname : `[${hostname}]`;
}

const SWITCHES = ['ignoreTLS', 'requireTLS', 'tls.rejectUnauthorized'];
const PARAMETERS = [...SWITCHES, 'name'];

/**
 * How to reach the server that SMTP_URL names: TLS from the start with smtps and on its port (RFC 8314), else STARTTLS
 * where it is offered, and always before a password leaves the machine.
 */
function mailServer(smtpUrl: string) {
  const url = new URL(smtpUrl);
  const given = Object.fromEntries(url.searchParams);
  const problem = problemOf(url, given);
  if (problem !== null) throw new MailServerUrlError(`SMTP_URL ${problem}`);

  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isSecure = url.protocol === 'smtps:' || url.port === '465';
  const isHere = host === 'localhost' || host === '::1' || host.startsWith('127.');
  const hasPassword = url.username !== '' || url.password !== '';
  const isOn = (name: string, otherwise: boolean) =>
    given[name] === undefined ? otherwise : given[name] === 'true';
  const ignoreTLS = isOn('ignoreTLS', false);
  return {
    host,
    port: url.port === '' ? (isSecure ? 465 : hasPassword ? 587 : 25) : Number(url.port),
    secure: isSecure,
    ignoreTLS,
    requireTLS: isOn('requireTLS', hasPassword && !isHere && !ignoreTLS),
    // What doesn't leave the machine needs no certificate; a relay there mostly has one that nobody issued.
    tls: { rejectUnauthorized: isOn('tls.rejectUnauthorized', !isHere) },
    ...(given['name'] !== undefined && { name: given['name'] }),
    ...(hasPassword && {
      auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    }),
  };
}

function problemOf(url: URL, given: Record<string, string>): string | null {
  const unknown = Object.keys(given).find((name) => !PARAMETERS.includes(name));
  if (unknown !== undefined)
    return `has the parameter ${JSON.stringify(unknown)}, but only ${PARAMETERS.join(', ')} are known.`;
  const unclear = SWITCHES.find((name) => !['true', 'false', undefined].includes(given[name]));
  if (unclear !== undefined) return `says neither true nor false for ${unclear}.`;
  if (given['ignoreTLS'] === 'true' && given['requireTLS'] === 'true')
    return 'has both ignoreTLS and requireTLS: keep one of them.';
  if (!isDecodable(url.username) || !isDecodable(url.password))
    return 'has a user or password with a % that begins no code: write %25 for it.';
  return null;
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

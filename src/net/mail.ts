import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isIP } from 'node:net';
import type * as Nodemailer from 'nodemailer';
import type { Clock } from '../lib/clock.ts';
import { MAIL_IMAGES } from '../lib/mail-layout.ts';
import { storableText } from '../lib/text.ts';

const require = createRequire(import.meta.url);

export interface MailMessage {
  /** Letters, digits and dots. Stable across retries of the same mail; the Message-ID is derived from it. */
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Name of the sender, whose address is always that of MAIL_FROM. */
  sender?: string;
  /** Image that the HTML shows as MAIL_IMAGES.logo. */
  logo?: MailImage;
  /** Letters, digits, hyphens and dots. Mails with the same thread are shown as one conversation. */
  thread?: string;
  /** Further headers, such as List-Unsubscribe. Their values are ASCII. */
  headers?: Readonly<Record<string, string>>;
}

interface MailImage {
  /** Media type. */
  type: string;
  bytes: Uint8Array;
}

/** Reasons are for operators and contain only the domain of addresses. */
export type Sent =
  | { outcome: 'sent' }
  /** Temporary failure: can be retried. */
  | { outcome: 'failed'; reason: string }
  /** Permanent failure: the server rejects the mail or the recipient. */
  | { outcome: 'refused'; reason: string };

export interface Mailer {
  /**
   * Completes within SEND_WITHIN_MS, or soon after the signal, whose reason `'deadline'` means a timeout. Never
   * rejects.
   */
  send(message: MailMessage, signal?: AbortSignal): Promise<Sent>;
}

export interface MailerDependencies {
  smtpUrl: string;
  /** MAIL_FROM; null for an address at the host of `baseUrl`. */
  from: string | null;
  baseUrl: () => string;
  clock: Clock;
  timeouts?: MailTimeouts;
}

/** In milliseconds. */
interface MailTimeouts {
  /** Until the connection is established. */
  connection: number;
  /** For the greeting and the TLS handshake. Some servers delay the greeting on purpose. */
  greeting: number;
  /** Maximum inactivity. */
  silence: number;
  /** Maximum time of the whole delivery, since a server may keep sending slowly. */
  whole: number;
}

export const SEND_WITHIN_MS = 60_000;
const TIMEOUTS: MailTimeouts = {
  connection: 30_000,
  greeting: 30_000,
  silence: 30_000,
  whole: SEND_WITHIN_MS,
};

/**
 * Creates a client that sends each mail on its own SMTP connection (RFC 5321). The server is the operator's choice, so
 * private networks are allowed.
 */
export function createMailer(dependencies: MailerDependencies): Mailer {
  const { smtpUrl, from, baseUrl, clock, timeouts = TIMEOUTS } = dependencies;
  // Loaded where mails are sent at all: it takes 2 MB.
  const { createTransport } = require('nodemailer') as typeof Nodemailer;
  const transport = createTransport({
    ...mailServer(smtpUrl),
    connectionTimeout: timeouts.connection,
    dnsTimeout: timeouts.connection,
    greetingTimeout: timeouts.greeting,
    socketTimeout: timeouts.silence,
    // Never read files or URLs named in a message.
    disableFileAccess: true,
    disableUrlAccess: true,
  });

  async function deliver(message: MailMessage, signal: AbortSignal): Promise<Sent> {
    const host = mailHost(baseUrl());
    const thread = message.thread === undefined ? null : `<${message.thread}@${host}>`;
    try {
      await transport.sendMail({
        from: senderOf(from ?? `Tocsin <tocsin@${host}>`, message.sender),
        // A single address, never parsed as a list.
        to: { name: '', address: message.to },
        subject: storableText(message.subject),
        text: message.text,
        html: message.html,
        attachments: imagesOf(message),
        messageId: `<${message.id}@${host}>`,
        // References a mail that was never sent (RFC 5322, section 3.6.4), so that mails of a thread belong together
        // whichever arrives first.
        ...(thread !== null && { references: thread, inReplyTo: thread }),
        date: new Date(clock.now()),
        // Prevents automatic replies (RFC 3834, section 5; Exchange reads the second header).
        headers: {
          'Auto-Submitted': 'auto-generated',
          'X-Auto-Response-Suppress': 'All',
          ...message.headers,
        },
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

/** @param mailbox an address, or `Name <address>`. @param name in place of the one that it has. */
function senderOf(mailbox: string, name?: string) {
  const [, ownName = '', address = mailbox] = /^(.*?)\s*<([^<>]*)>$/u.exec(mailbox) ?? [];
  return { name: storableText(name || ownName.replace(/^"(.*)"$/, '$1')), address };
}

const MARK = {
  type: 'image/png',
  bytes: readFileSync(new URL('../lib/mark.png', import.meta.url)),
};

/** The images that a mail shows: parts of it, so that nothing is loaded when somebody opens it (RFC 2387). */
function imagesOf({ html, logo }: MailMessage) {
  const images = { mark: MARK, logo };
  return Object.entries(MAIL_IMAGES).flatMap(([name, cid]) => {
    const image = images[name as keyof typeof images];
    if (image === undefined || !html.includes(`cid:${cid}`)) return [];
    const { type: contentType, bytes } = image;
    const content = Buffer.from(bytes);
    return [{ cid, content, contentType, filename: `${name}.${contentType.slice(6)}` }];
  });
}

/** A single mailbox without characters that could end a line or a command. */
function isAddress(text: string): boolean {
  return text.length <= 254 && /^[^\s\p{Cc}@,;<>"]+@[^\s\p{Cc}@,;<>"]+$/u.test(text);
}

/** Error of nodemailer, with the server's response and the command that it answered. */
interface MailError extends Error {
  responseCode?: number;
  command?: string;
  response?: string;
}

/** Classifies permanent rejections (RFC 5321, section 4.2.1) of the mail or the recipient. */
function failureOf(error: MailError, recipient: string): Sent {
  const { responseCode: code = 0, command } = error;
  const isOfMail = command === 'RCPT TO' || command === 'DATA';
  // 503 is a protocol error. Errors of sign-in and sender are configuration errors that the operator can fix.
  const isFinal = isOfMail && code >= 500 && code < 600 && code !== 503;
  const isUnsendable =
    command === 'API' && code === 0 && error.message.startsWith('Invalid recipient');
  return {
    outcome: isFinal || isUnsendable ? 'refused' : 'failed',
    reason: withoutPersons(error.message, recipient),
  };
}

const LONGEST_REASON = 300;

/** Removes recipients and links, which servers like to repeat. */
function withoutPersons(reason: string, recipient: string): string {
  const domain = recipient.slice(recipient.lastIndexOf('@'));
  return storableText(reason)
    .replaceAll(recipient, `…${domain}`)
    .replace(/\b[a-z][a-z0-9+.-]*:\/\/\S+/giu, '…')
    .replace(/[^\s<>"'(:]+@(?=[^\s@]+)/gu, '…@')
    .slice(0, LONGEST_REASON);
}

/** Formats the host of a URL as the domain of an address (RFC 5321, section 4.1.3). */
function mailHost(url: string): string {
  const { hostname } = new URL(url);
  if (hostname.startsWith('[')) return `[IPv6:${hostname.slice(1, -1)}]`;
  return isIP(hostname) === 0 ? hostname : `[${hostname}]`;
}

/**
 * Connection options for SMTP_URL: TLS from the start for smtps and its port (RFC 8314), else STARTTLS if offered, and
 * always before a password is sent to another machine.
 */
function mailServer(smtpUrl: string) {
  const url = new URL(smtpUrl);
  const given = Object.fromEntries(url.searchParams);
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
    // Local connections need no certificate; local relays mostly have self-signed ones.
    tls: { rejectUnauthorized: isOn('tls.rejectUnauthorized', !isHere) },
    ...(given['name'] !== undefined && { name: given['name'] }),
    ...(hasPassword && {
      auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    }),
  };
}

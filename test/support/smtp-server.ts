import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import { onTestFinished } from 'vitest';

export interface ReceivedMail {
  /** Envelope addresses. */
  from: string;
  to: string[];
  /** The raw message. */
  raw: string;
  /** Headers by lower-case name, unfolded and decoded. */
  headers: Record<string, string>;
  text: string;
  html: string;
  /** Attached images. */
  images: { id: string; disposition: string; bytes: Buffer }[];
  isEncrypted: boolean;
  /** The authenticated user. */
  user: string | null;
}

/** A server's reply to a command: success, an error such as `[450, 'Later.']`, or none. */
type Reply = 'yes' | 'silence' | [code: number, message: string];

export interface TestSmtpServer {
  port: number;
  /** Accepted mails, oldest first. */
  received: ReceivedMail[];
  /** RCPT and DATA commands of all connections, including rejected ones. */
  asked: string[];
  /** Sets the replies to recipients, and to messages after they were read. */
  toRecipient: (address: string) => Reply;
  toMail: (mail: ReceivedMail) => Reply;
  close(): Promise<void>;
}

interface SmtpServerOptions {
  port?: number;
  /** Credentials, which are then required. */
  account?: { user: string; password: string };
  /** Certificate; without one there is no encryption. */
  tls?: { pem: string; keyPem: string; fromTheStart: boolean };
}

/** A real mail server on loopback that keeps what it receives; closed after the test. */
export async function startSmtpServer(options: SmtpServerOptions = {}): Promise<TestSmtpServer> {
  const { account, tls } = options;
  const server = new SMTPServer({
    ...(tls && { key: tls.keyPem, cert: tls.pem, secure: tls.fromTheStart }),
    disabledCommands: [...(tls ? [] : ['STARTTLS']), ...(account ? [] : ['AUTH'])],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    closeTimeout: 1,
    onAuth({ username, password }, _session, callback) {
      const isRight = username === account?.user && password === account?.password;
      if (isRight) callback(null, { user: username });
      else callback(refusal([535, 'Wrong user or password.']));
    },
    onRcptTo({ address }, _session, callback) {
      smtp.asked.push(`to ${address}`);
      answer(smtp.toRecipient(address), callback);
    },
    onData(stream, session, callback) {
      take(stream, session).then((reply) => answer(reply, callback), callback);
    },
  });
  // Errors of connections that clients close, as tests do.
  server.on('error', () => {});
  const listening: Server = server.listen(options.port ?? 0, '127.0.0.1');
  await once(listening, 'listening');
  const smtp: TestSmtpServer = {
    port: (listening.address() as AddressInfo).port,
    received: [],
    asked: [],
    toRecipient: () => 'yes',
    toMail: () => 'yes',
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  };
  onTestFinished(() => smtp.close());
  return smtp;

  async function take(stream: Readable, session: SMTPServerSession): Promise<Reply> {
    const { envelope, secure, user } = session;
    const mail: ReceivedMail = {
      from: envelope.mailFrom ? envelope.mailFrom.address : '',
      to: envelope.rcptTo.map(({ address }) => address),
      ...readMail(await text(stream)),
      isEncrypted: secure,
      user: user ?? null,
    };
    smtp.asked.push(`mail ${mail.headers['subject']}`);
    const reply = smtp.toMail(mail);
    if (reply === 'yes') smtp.received.push(mail);
    return reply;
  }
}

function answer(reply: Reply, callback: (error?: Error | null) => void): void {
  if (reply === 'yes') callback();
  else if (reply !== 'silence') callback(refusal(reply));
}

function refusal([responseCode, message]: [number, string]): Error {
  return Object.assign(new Error(message), { responseCode });
}

/** The part of MIME (RFC 2045) that two alternatives with attached images need. */
export function readMail(
  raw: string,
): Pick<ReceivedMail, 'raw' | 'headers' | 'text' | 'html' | 'images'> {
  const { headers, body } = partOf(raw);
  const parts = partsOf({ headers, body });
  const ofType = (type: string) =>
    parts.filter((one) => one.headers['content-type']?.startsWith(type));
  const content = (type: string) => {
    const [part] = ofType(type);
    return part === undefined ? '' : decoded(part).toString('utf8').replaceAll('\r\n', '\n');
  };
  const images = ofType('image/').map((part) => ({
    id: part.headers['content-id'] ?? '',
    disposition: part.headers['content-disposition'] ?? '',
    bytes: decoded(part),
  }));
  return { raw, headers, text: content('text/plain'), html: content('text/html'), images };
}

/** The parts of a message, those of its parts among them. */
function partsOf(part: Part): Part[] {
  const boundary = /boundary="([^"]+)"/.exec(part.headers['content-type'] ?? '')?.[1];
  if (boundary === undefined) return [part];
  const parts = part.body.split(`--${boundary}`).slice(1, -1);
  return parts.flatMap((one) => partsOf(partOf(one.replace(/^\r\n/, ''))));
}

interface Part {
  headers: Record<string, string>;
  body: string;
}

function partOf(raw: string): Part {
  const end = raw.indexOf('\r\n\r\n');
  const lines = raw
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), unencoded(line.slice(colon + 1).trim())];
  });
  return { headers: Object.fromEntries(headers), body: raw.slice(end + 4) };
}

function decoded({ headers, body }: Part): Buffer {
  const encoding = headers['content-transfer-encoding'];
  const content = body.replace(/\r\n$/, '');
  return encoding === 'base64'
    ? Buffer.from(content, 'base64')
    : encoding === 'quoted-printable'
      ? fromQuoted(content.replace(/=\r\n/g, ''))
      : Buffer.from(content);
}

function fromQuoted(content: string): Buffer {
  const bytes = content.replace(/=([\dA-F]{2})/g, (_, hex) =>
    String.fromCharCode(parseInt(hex, 16)),
  );
  return Buffer.from(bytes, 'latin1');
}

/** Encoded words (RFC 2047). */
function unencoded(value: string): string {
  return value
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([QB])\?([^?]*)\?=/gi, (_, kind: string, content: string) =>
      (kind.toUpperCase() === 'B'
        ? Buffer.from(content, 'base64')
        : fromQuoted(content.replaceAll('_', ' '))
      ).toString('utf8'),
    );
}

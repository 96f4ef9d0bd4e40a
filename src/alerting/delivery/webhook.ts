import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { MASK, type SecretBox } from '../../lib/secret-box.ts';
import type { KeepAliveConnections } from '../../net/keep-alive.ts';
import type { HttpClient } from '../../net/http-client.ts';
import type { Row } from '../../store/database/contract.ts';
import { outcomeOf, TIMEOUT_MS } from '../channels/index.ts';
import { sendOutcomeOf, type SendOutcome } from './attempt.ts';

/** Where and how a webhook is sent. Secrets are sealed. */
export interface WebhookTarget {
  /** Kind and owner of the row that the secrets are bound to, and its column with the url. */
  row:
    | { kind: 'webhook_endpoint'; owner: number; urlColumn: 'url' }
    | { kind: 'subscriber'; owner: number; urlColumn: 'address' };
  url: string;
  authType: string;
  authHeaderName: string | null;
  authToken: string | null;
  signingSecret: string | null;
  previousSigningSecret: string | null;
  /** Epoch ms until which the previous one signs too. */
  previousSecretUntil: number | null;
}

export function webhookTargetOf(endpoint: Row<'webhook_endpoint'>): WebhookTarget {
  return {
    row: { kind: 'webhook_endpoint', owner: endpoint.team_id, urlColumn: 'url' },
    url: endpoint.url,
    authType: endpoint.auth_type,
    authHeaderName: endpoint.auth_header_name,
    authToken: endpoint.auth_token,
    signingSecret: endpoint.signing_secret,
    previousSigningSecret: endpoint.previous_signing_secret,
    previousSecretUntil: endpoint.previous_secret_until,
  };
}

/** A message that is sent byte for byte. */
type WebhookMessage = Pick<Signed, 'messageId' | 'body'>;

/** Bytes of an answer that are kept. */
export const KEPT_BYTES = 1_024;

/**
 * Makes one attempt: a POST without redirects, with a time-out of 10 s. The status decides; the beginning of the answer's
 * body is kept. Throws SecretUnreadable.
 */
export async function sendWebhook(
  target: WebhookTarget,
  message: WebhookMessage,
  tools: {
    http: HttpClient;
    secretBox: SecretBox;
    userAgent: string;
    /** Connections of this endpoint alone; without them each attempt has a connection of its own. */
    connections?: KeepAliveConnections;
    now(): number;
  },
  signal: AbortSignal,
): Promise<SendOutcome> {
  const { http, secretBox, userAgent, connections, now } = tools;
  const secrets = openSecrets(target, secretBox, now());
  const answer = await http.request({
    url: secrets.url,
    method: 'POST',
    headers: { 'User-Agent': userAgent, ...headersOf(target, message, secrets, now()) },
    body: message.body,
    timeoutMs: TIMEOUT_MS,
    maxBytes: KEPT_BYTES,
    allowTruncated: true,
    ...(connections !== undefined && { connections }),
    signal,
  });
  const outcome = outcomeOf('The endpoint', answer, now());
  const sent = sendOutcomeOf(outcome, answer.ok ? masked(answer.body, secrets) : null);
  return { ...sent, reason: sent.reason && reasonOf(sent.reason, sent.statusCode) };
}

interface OpenSecrets {
  url: string;
  authToken: string | null;
  secret: string | null;
  previousSecret: string | null;
}

/** Opening takes as long as sending: a target that many messages share is opened once. */
const opened = new WeakMap<WebhookTarget, OpenSecrets>();

function openSecrets(target: WebhookTarget, secretBox: SecretBox, now: number): OpenSecrets {
  const isReplacing = target.previousSecretUntil !== null && target.previousSecretUntil > now;
  const known = opened.get(target);
  if (known !== undefined) return isReplacing ? known : { ...known, previousSecret: null };
  const { kind, owner, urlColumn } = target.row;
  const row = secretBox.of(kind, owner);
  const open = (sealed: string | null, column: string) =>
    sealed === null ? null : row.open(sealed, column);
  const secrets = {
    url: row.open(target.url, urlColumn),
    authToken: open(target.authToken, 'auth_token'),
    secret: open(target.signingSecret, 'signing_secret'),
    previousSecret: isReplacing
      ? open(target.previousSigningSecret, 'previous_signing_secret')
      : null,
  };
  opened.set(target, secrets);
  return secrets;
}

function headersOf(
  target: WebhookTarget,
  { messageId, body }: WebhookMessage,
  { authToken, secret, previousSecret }: OpenSecrets,
  at: number,
): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    ...authHeaders(target, authToken),
    ...(secret === null
      ? identityHeaders(messageId, at)
      : signatureHeaders({ messageId, at, body, secret, previousSecret })),
  };
}

/** `basic` sends base64 of `user:password` (RFC 7617). */
function authHeaders(target: WebhookTarget, token: string | null): Record<string, string> {
  if (token === null) return {};
  if (target.authType === 'bearer') return { Authorization: `Bearer ${token}` };
  if (target.authType === 'basic')
    return { Authorization: `Basic ${Buffer.from(token).toString('base64')}` };
  if (target.authType === 'header' && target.authHeaderName !== null)
    return { [target.authHeaderName]: token };
  return {};
}

function reasonOf(reason: string, statusCode: number | null): string {
  const isRedirect = statusCode !== null && statusCode >= 300 && statusCode < 400;
  return isRedirect ? `${reason.replace(/\.$/, '')}: redirects are not followed.` : reason;
}

/** Shorter parts of an address, such as `hooks`, are no secret by themselves. */
const SECRET_PART = 8;

/**
 * Returns the body as text that any database takes, without secrets. Some servers repeat what they were sent: a page that
 * says "Cannot POST" names the path, and who knows that could post there.
 */
function masked(body: Buffer, { url, authToken, secret, previousSecret }: OpenSecrets): string {
  const text = body.toString('utf8').replaceAll('\0', '\u{fffd}');
  const tokens = authToken === null ? [] : [authToken, Buffer.from(authToken).toString('base64')];
  const secrets = [...tokens, secret, previousSecret, ...addressParts(url)].filter(
    (one): one is string => one !== null && one !== '',
  );
  const withoutSecrets = secrets.reduce((left, one) => left.replaceAll(one, MASK), text);
  return withoutCutSecret(withoutSecrets, secrets);
}

/** Number of characters of a secret that reveal nothing. */
const HARMLESS = 3;

/** Masks the end of a text that was cut within a secret. */
function withoutCutSecret(text: string, secrets: readonly string[]): string {
  const end = text.replace(/\u{fffd}+$/u, '');
  const length = Math.max(0, ...secrets.map((secret) => overlap(end, secret)));
  return length > HARMLESS ? `${end.slice(0, -length)}${MASK}` : text;
}

/** Length of the longest beginning of the secret, but not all of it, that the text ends with. */
function overlap(text: string, secret: string): number {
  for (let length = secret.length - 1; length > 0; length -= 1)
    if (text.endsWith(secret.slice(0, length))) return length;
  return 0;
}

/** Parts of an address except its host, the longest first: each as it is written, as it is sent, and decoded. */
function addressParts(url: string): string[] {
  const { href, pathname, search } = new URL(url);
  const wholes = [url, href, `${pathname}${search}`, pathname, search];
  const parts = wholes.slice(2).flatMap((whole) => whole.split(/[/?&=]/));
  return [...wholes, ...parts]
    .flatMap((part) => [part, decoded(part)])
    .filter((part) => part.length >= SECRET_PART)
    .toSorted((a, b) => b.length - a.length);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A message to sign, and the secrets. */
interface Signed {
  messageId: string;
  /** Epoch milliseconds of this attempt. */
  at: number;
  /** The raw body. */
  body: string;
  secret: string;
  /** Signs beside the new one while it is being replaced; null when it isn't. */
  previousSecret: string | null;
}

/**
 * The headers of a webhook that has a secret: `X-Webhook-Signature`, and those of Standard Webhooks
 * (https://github.com/standard-webhooks/standard-webhooks, "Webhook Headers"; contract 29.38). While a secret
 * is being replaced, `webhook-signature` holds both signatures, the new one first.
 */
export function signatureHeaders(signed: Signed): Record<string, string> {
  const { messageId, at, body, secret, previousSecret } = signed;
  const secrets = previousSecret === null ? [secret] : [secret, previousSecret];
  return {
    ...identityHeaders(messageId, at),
    'webhook-signature': secrets.map((one) => standardSignature(one, signed)).join(' '),
    'X-Webhook-Signature': plainSignature(secret, body),
    ...(previousSecret !== null && {
      'X-Webhook-Signature-Previous': plainSignature(previousSecret, body),
    }),
  };
}

/** Headers of every webhook: a receiver recognizes a repeated one by its id. The timestamp is in seconds. */
function identityHeaders(messageId: string, at: number): Record<string, string> {
  return { 'webhook-id': messageId, 'webhook-timestamp': String(Math.floor(at / 1_000)) };
}

/** The key is the whole secret as it was given, `whsec_` included. */
function plainSignature(secret: string, body: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

function standardSignature(secret: string, { messageId, at, body }: Signed): string {
  return new Webhook(standardKey(secret), { format: 'raw' }).sign(messageId, new Date(at), body);
}

const PREFIX = 'whsec_';
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The base64 after `whsec_`; else, also where no base64 follows, the secret's UTF-8 bytes. */
function standardKey(secret: string): Uint8Array {
  const encoded = secret.slice(PREFIX.length);
  const isEncoded = secret.startsWith(PREFIX) && encoded !== '' && BASE64.test(encoded);
  return isEncoded ? Buffer.from(encoded, 'base64') : Buffer.from(secret, 'utf8');
}

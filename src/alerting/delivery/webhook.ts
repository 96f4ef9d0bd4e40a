import type { SecretBox } from '../../lib/secret-box.ts';
import type { KeepAliveConnections } from '../../net/keep-alive.ts';
import type { HttpClient } from '../../net/http-client.ts';
import { outcomeOf, TIMEOUT_MS } from '../channels/index.ts';
import { identityHeaders, signatureHeaders } from './signature.ts';
import type { Attempted } from './retry.ts';

/** As a worker needs it; what is secret is sealed. */
export interface WebhookTarget {
  url: string;
  authType: string;
  authHeaderName: string | null;
  authToken: string | null;
  signingSecret: string | null;
  previousSigningSecret: string | null;
  /** Epoch ms until which the previous one signs too. */
  previousSecretUntil: number | null;
}

export interface WebhookMessage {
  messageId: string;
  /** Sent byte for byte. */
  body: string;
}

export interface WebhookTools {
  http: HttpClient;
  secretBox: SecretBox;
  userAgent: string;
  /** Of this endpoint alone; without them each attempt has a connection of its own. */
  connections?: KeepAliveConnections;
  now(): number;
}

export type SendOutcome = Omit<Attempted, 'at' | 'durationMs'>;

/** So much of an answer is kept, in bytes. */
export const KEPT_BYTES = 1_024;

/**
 * One attempt: a POST without redirects, over within 10 s. The status says all; of the answer's body the beginning is
 * kept. Throws SecretUnreadable.
 */
export async function sendWebhook(
  target: WebhookTarget,
  message: WebhookMessage,
  { http, secretBox, userAgent, connections, now }: WebhookTools,
  signal: AbortSignal,
): Promise<SendOutcome> {
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
  return {
    outcome: outcome.outcome,
    reason: outcome.outcome === 'delivered' ? null : told(outcome.reason, outcome.statusCode),
    statusCode: outcome.statusCode,
    retryAfterMs: outcome.outcome === 'failed' ? outcome.retryAfterMs : null,
    response: answer.ok ? shown(answer.body, secrets) : null,
  };
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
  const open = (sealed: string | null) => (sealed === null ? null : secretBox.open(sealed));
  const secrets = {
    url: secretBox.open(target.url),
    authToken: open(target.authToken),
    secret: open(target.signingSecret),
    previousSecret: isReplacing ? open(target.previousSigningSecret) : null,
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

function told(reason: string, statusCode: number | null): string {
  const isRedirect = statusCode !== null && statusCode >= 300 && statusCode < 400;
  return isRedirect ? `${reason.replace(/\.$/, '')}: redirects are not followed.` : reason;
}

/** Shorter parts of an address, such as `hooks`, are no secret by themselves. */
const SECRET_PART = 8;

/**
 * As text that any database takes. Some servers repeat what they were sent, secrets too: a page that says "Cannot POST"
 * names the path, by which whoever knows it could post there.
 */
function shown(body: Buffer, { url, authToken, secret, previousSecret }: OpenSecrets): string {
  const text = body.toString('utf8').replaceAll('\0', '\u{fffd}');
  const tokens = authToken === null ? [] : [authToken, Buffer.from(authToken).toString('base64')];
  const secrets = [...tokens, secret, previousSecret, ...addressParts(url)].filter(
    (one): one is string => one !== null && one !== '',
  );
  const masked = secrets.reduce((shownText, one) => shownText.replaceAll(one, MASK), text);
  return withoutCutSecret(masked, secrets);
}

const MASK = '••••••••';
/** As many characters of a secret tell nothing. */
const HARMLESS = 3;

/** Of what is kept, the end may be the first part of a secret. */
function withoutCutSecret(text: string, secrets: readonly string[]): string {
  const end = text.replace(/\u{fffd}+$/u, '');
  const length = Math.max(0, ...secrets.map((secret) => overlap(end, secret)));
  return length > HARMLESS ? `${end.slice(0, -length)}${MASK}` : text;
}

/** How much of the secret's beginning, but not all of it, the text ends with. */
function overlap(text: string, secret: string): number {
  for (let length = secret.length - 1; length > 0; length -= 1)
    if (text.endsWith(secret.slice(0, length))) return length;
  return 0;
}

/** All of an address that is not its host, the longest first: each as it is written, as it is sent, and decoded. */
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

import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

/** What is signed, and by which secrets. */
export interface Signed {
  /** Stable over retries. */
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

/** Of any webhook: by its id a receiver knows one that came twice. The timestamp is in seconds. */
export function identityHeaders(messageId: string, at: number): Record<string, string> {
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

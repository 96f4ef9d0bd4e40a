import { randomBytes } from 'node:crypto';

/** A new secret that signs webhooks, in the form of Standard Webhooks. */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

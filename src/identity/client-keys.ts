import { createHmac } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import { derivedKey } from '../lib/derived-key.ts';

/**
 * Keys under which clients are counted. They depend on a secret, so that nobody can find an address that is counted
 * together with a chosen client. All processes with the same SECRET_KEY have the same keys; another one starts new counts.
 */
export interface ClientKeys {
  /**
   * Key of a client address: one of 65,536, so that floods from any number of addresses are counted in 30 MB. By a small
   * chance two clients share a key, at the cost of an answer 429 instead of 401.
   */
  client(address: string): string;
  /** Key of a client address that signs in with an e-mail address: one of 2^72, so that no two share it. */
  signIn(address: string, email: string): string;
}

const BUCKET_BYTES = 2;
const SIGN_IN_BYTES = 9;

/** @param key the first of SECRET_KEY. */
export function createClientKeys(key: string): ClientKeys {
  const secret = derivedKey(key, 'tocsin rate limits v1');
  const digest = (text: string) => createHmac('sha256', secret).update(text).digest();
  return {
    client: (address) => digest(clientOf(address)).readUIntBE(0, BUCKET_BYTES).toString(),
    signIn: (address, email) =>
      digest(`${clientOf(address)}\n${email.toLowerCase()}`)
        .subarray(0, SIGN_IN_BYTES)
        .toString('base64url'),
  };
}

/**
 * Client of an address. An IPv6 network of 64 bits, the least a customer gets (RFC 6177), is one client, and so are all
 * texts that are not an address, as a forged header may contain.
 */
export function clientOf(address: string): string {
  if (!ipaddr.isValid(address)) return '';
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString();
}

import { keyedHash } from '../../lib/derived-key.ts';
import { mailboxOf } from '../../model/mail-address.ts';
import type { SubscriberKind } from '../../store/resources/subscribers.ts';

/** Hashes by which addresses of subscribers are found. */
export interface AddressHashes {
  /** The hash that is stored. All spellings of one mailbox have the same. */
  of(kind: SubscriberKind, address: string): string;
  /** The same, and those that former keys of SECRET_KEY made. */
  all(kind: SubscriberKind, address: string): string[];
}

/** @param keys the list of SECRET_KEY. */
export function createAddressHashes(keys: readonly string[]): AddressHashes {
  const hashes = keys.map((key) => keyedHash(key, 'tocsin subscribers v1'));
  return {
    of: (kind, address) => hashes[0]!(textOf(kind, address)),
    all: (kind, address) => hashes.map((hash) => hash(textOf(kind, address))),
  };
}

/** Address as editors see it, enough to recognize it: `s…@example.com`, `hooks.example.com/…`. */
export function maskedAddress(kind: SubscriberKind, address: string): string {
  if (kind !== 'email') return `${URL.parse(address)?.host ?? ''}/…`;
  const at = address.lastIndexOf('@');
  return `${Array.from(address.slice(0, at))[0] ?? ''}…${address.slice(at)}`;
}

/** Text of an address that is hashed. */
function textOf(kind: SubscriberKind, address: string): string {
  return kind === 'email' ? mailboxOf(address) : address;
}

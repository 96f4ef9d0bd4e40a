import { keyedHash } from '../../lib/derived-key.ts';
import { mailboxOf } from '../../model/mail-address.ts';
import type { SubscriberKind } from '../../store/resources/subscribers.ts';

export type AddressHashes = ReturnType<typeof createAddressHashes>;

export function createAddressHashes(keys: readonly string[]) {
  const hashes = keys.map((key) => keyedHash(key, 'tocsin subscribers v1'));
  return {
    /** The hash that is stored. All spellings of one mailbox have the same. */
    of: (kind: SubscriberKind, address: string) => hashes[0]!(textOf(kind, address)),
    /** The same, and those that former keys of SECRET_KEY made. */
    all: (kind: SubscriberKind, address: string) =>
      hashes.map((hash) => hash(textOf(kind, address))),
  };
}

/** Address as editors see it, enough to recognize it: `s…@example.com`, `hooks.example.com/…`. */
export function maskedAddress(kind: SubscriberKind, address: string): string {
  if (kind !== 'email') return `${URL.parse(address)?.host ?? ''}/…`;
  const at = address.lastIndexOf('@');
  return `${Array.from(address.slice(0, at))[0] ?? ''}…${address.slice(at)}`;
}

function textOf(kind: SubscriberKind, address: string): string {
  return kind === 'email' ? mailboxOf(address) : address;
}

import { keyedHash, createTokenSigner } from '../../lib/derived-key.ts';
import { mailboxOf } from '../../model/mail-address.ts';
import type { PageIdentity } from '../facts/model.ts';
import { addressOf, DOCUMENTS } from '../facts/urls.ts';
import type { SubscriberKind } from '../../model/outgoing.ts';

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

const CHAT_HOSTS = {
  slack: /^hooks\.slack(-gov)?\.com$/,
  microsoft_teams: /\.(logic\.azure\.(com|us|cn)|environment\.api\.powerplatform\.(com|us|cn))$/,
};

/** Whether an address is that of an incoming webhook of Slack, or of a workflow of Teams, where visitors may send messages. */
export function isChatAddress(kind: keyof typeof CHAT_HOSTS, address: string): boolean {
  const url = URL.parse(address);
  return (
    url !== null &&
    url.protocol === 'https:' &&
    `${url.username}${url.password}${url.port}` === '' &&
    CHAT_HOSTS[kind].test(url.hostname)
  );
}

/**
 * What messages to an address that a visitor names are counted by. Slack and Microsoft find a channel by the path: other
 * differences make no other recipient.
 */
export function recipientOf(kind: SubscriberKind, address: string): string {
  const url = kind === 'slack' || kind === 'microsoft_teams' ? URL.parse(address) : null;
  if (url === null) return address;
  return `${url.host}${url.pathname.replace(/\/+/g, '/').replace(/\/$/, '')}`.toLowerCase();
}

/** In the form of E.164. */
export const isPhoneNumber = (text: string) => /^\+[1-9]\d{6,14}$/.test(text);

/** Address as editors see it, enough to recognize it: `s…@example.com`, `hooks.example.com/…`, `+44…23`. */
export function maskedAddress(kind: SubscriberKind, address: string): string {
  if (kind === 'sms') return `${address.slice(0, 3)}…${address.slice(-2)}`;
  if (kind !== 'email') return `${URL.parse(address)?.host ?? ''}/…`;
  const at = address.lastIndexOf('@');
  return `${Array.from(address.slice(0, at))[0] ?? ''}…${address.slice(at)}`;
}

function textOf(kind: SubscriberKind, address: string): string {
  return kind === 'email' ? mailboxOf(address) : address;
}

/** The addresses that change and end a subscription. @param token of its subscriber */
export function subscriptionUrls(
  page: Pick<PageIdentity, 'slug' | 'customDomain'>,
  token: string,
  baseUrl: string,
) {
  const urlOf = (document: string) => `${addressOf(page, document, baseUrl)}?token=${token}`;
  return {
    manage: urlOf(DOCUMENTS.subscription(page.slug)),
    unsubscribe: urlOf(DOCUMENTS.unsubscribe(page.slug)),
  };
}

export type LinkPurpose = 'confirm' | 'manage';

/** Lifetime of the link that confirms an address. */
export const CONFIRM_MS = 48 * 3_600_000;

export type SubscriberLinks = ReturnType<typeof createSubscriberLinks>;

const [VERSION_BYTES, ID_BYTES, END_BYTES] = [1, 6, 5];
const CONTENT_BYTES = VERSION_BYTES + ID_BYTES + END_BYTES;
/** First byte of a token: its format and purpose. */
const MARKS: Record<LinkPurpose, number> = { confirm: 1, manage: 2 };

/**
 * Creates links that need no sign-in. Ids of subscribers are never used again.
 *
 * @param keys the list of SECRET_KEY: the first one signs, each of them is accepted.
 */
export function createSubscriberLinks(keys: readonly string[]) {
  const signer = createTokenSigner({
    keys,
    purpose: 'tocsin subscriber link v1',
    contentBytes: CONTENT_BYTES,
  });

  const tokenOf = (purpose: LinkPurpose, subscriberId: number, endsAt: number) => {
    const content = Buffer.alloc(CONTENT_BYTES);
    content[0] = MARKS[purpose];
    content.writeUIntBE(subscriberId, VERSION_BYTES, ID_BYTES);
    content.writeUIntBE(Math.floor(endsAt / 1_000), VERSION_BYTES + ID_BYTES, END_BYTES);
    return signer.sign(content);
  };

  return {
    /** @param until end of its validity, epoch ms. */
    confirmToken: (subscriberId: number, until: number) => tokenOf('confirm', subscriberId, until),
    /** Valid as long as the subscription exists. */
    manageToken: (subscriberId: number) => tokenOf('manage', subscriberId, 0),
    /** Id of the subscriber; null for a token that is invalid, has expired or is for another purpose. */
    read(token: string, purpose: LinkPurpose, now: number) {
      const content = signer.verify(token);
      if (content?.[0] !== MARKS[purpose]) return null;
      const endsAt = content.readUIntBE(VERSION_BYTES + ID_BYTES, END_BYTES) * 1_000;
      if (endsAt !== 0 && endsAt <= now) return null;
      return content.readUIntBE(VERSION_BYTES, ID_BYTES);
    },
  };
}

import { createTokenSigner } from '../../lib/derived-key.ts';

/** Uses of a link: to confirm an address, or to change and end a subscription. */
export type LinkPurpose = 'confirm' | 'manage';

/** Lifetime of the link that confirms an address. */
export const CONFIRM_MS = 48 * 3_600_000;

/** Tokens of links in mails to subscribers. */
export interface SubscriberLinks {
  /** @param until end of its validity, epoch ms. */
  confirmToken(subscriberId: number, until: number): string;
  /** Valid as long as the subscription exists. */
  manageToken(subscriberId: number): string;
  /** Id of the subscriber; null for a token that is invalid, has expired or is for another purpose. */
  read(token: string, purpose: LinkPurpose, now: number): number | null;
}

const [VERSION_BYTES, ID_BYTES, END_BYTES] = [1, 6, 5];
const CONTENT_BYTES = VERSION_BYTES + ID_BYTES + END_BYTES;
/** First byte of a token: its format and purpose. */
const MARKS: Record<LinkPurpose, number> = { confirm: 1, manage: 2 };

/**
 * Creates links that need no sign-in. Ids of subscribers are never used again.
 *
 * @param keys the list of SECRET_KEY: the first one signs, each of them is accepted.
 */
export function createSubscriberLinks(keys: readonly string[]): SubscriberLinks {
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
    confirmToken: (subscriberId, until) => tokenOf('confirm', subscriberId, until),
    manageToken: (subscriberId) => tokenOf('manage', subscriberId, 0),
    read(token, purpose, now) {
      const content = signer.verify(token);
      if (content?.[0] !== MARKS[purpose]) return null;
      const endsAt = content.readUIntBE(VERSION_BYTES + ID_BYTES, END_BYTES) * 1_000;
      if (endsAt !== 0 && endsAt <= now) return null;
      return content.readUIntBE(VERSION_BYTES, ID_BYTES);
    },
  };
}

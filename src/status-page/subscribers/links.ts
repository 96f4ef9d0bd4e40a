import { createTokenSigner } from '../../lib/derived-key.ts';

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

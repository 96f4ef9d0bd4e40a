import { createTokenSigner } from '../../lib/derived-key.ts';

/** Lifetime of a link, from when its message was written. */
export const ALERT_LINK_MS = 14 * 24 * 3_600_000;

/** An alert and the recipient of its message. */
export interface AlertLink {
  alertId: number;
  destinationId: number;
}

/** Version, two ids and the expiry in seconds. */
const [ID_BYTES, END_BYTES] = [6, 5];
const CONTENT_BYTES = 1 + 2 * ID_BYTES + END_BYTES;
const VERSION = 1;

/**
 * Creates links that need no sign-in: a link lets its holder see and acknowledge the alert.
 *
 * @param options.keys the list of SECRET_KEY: the first one signs, each of them is accepted.
 * @param options.baseUrl the public address of this installation, without a trailing slash.
 */
export function createAlertLinks(options: { keys: readonly string[]; baseUrl: () => string }) {
  const signer = createTokenSigner({
    keys: options.keys,
    purpose: 'tocsin alert link v1',
    contentBytes: CONTENT_BYTES,
  });
  const pageUrl = (alertId: number, destinationId: number, now: number) => {
    const content = contentOf({ alertId, destinationId }, now + ALERT_LINK_MS);
    return `${options.baseUrl()}/alert?token=${signer.sign(content)}`;
  };

  return {
    detailsUrl: pageUrl,
    acknowledgeUrl: (...of: Parameters<typeof pageUrl>) => `${pageUrl(...of)}&acknowledge=1`,
    /** The contents of a token; `expired` if it expired, null if it is invalid. */
    read(token: string, now: number): AlertLink | 'expired' | null {
      const content = signer.verify(token);
      if (content?.[0] !== VERSION) return null;
      const endsAt = content.readUIntBE(1 + 2 * ID_BYTES, END_BYTES) * 1_000;
      if (endsAt <= now) return 'expired';
      return {
        alertId: content.readUIntBE(1, ID_BYTES),
        destinationId: content.readUIntBE(1 + ID_BYTES, ID_BYTES),
      };
    },
  };
}

export type AlertLinks = ReturnType<typeof createAlertLinks>;

function contentOf({ alertId, destinationId }: AlertLink, endsAt: number): Buffer {
  const content = Buffer.alloc(CONTENT_BYTES);
  content[0] = VERSION;
  content.writeUIntBE(alertId, 1, ID_BYTES);
  content.writeUIntBE(destinationId, 1 + ID_BYTES, ID_BYTES);
  content.writeUIntBE(Math.floor(endsAt / 1_000), 1 + 2 * ID_BYTES, END_BYTES);
  return content;
}

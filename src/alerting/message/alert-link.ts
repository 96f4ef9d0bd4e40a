import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** Lifetime of a link, from when its message was written. */
export const ALERT_LINK_MS = 14 * 24 * 3_600_000;

/** Links of a message: to its alert, and to acknowledge it. */
export interface AlertLinks {
  detailsUrl(alertId: number, destinationId: number, now: number): string;
  acknowledgeUrl(alertId: number, destinationId: number, now: number): string;
  /** The contents of a token; `expired` if it expired, null if it is invalid. */
  read(token: string, now: number): AlertLink | 'expired' | null;
}

/** An alert and the recipient of its message. */
export interface AlertLink {
  alertId: number;
  destinationId: number;
}

/** Version, two ids and the expiry in seconds, followed by the signature. */
const [ID_BYTES, END_BYTES, SIGNATURE_BYTES] = [6, 5, 16];
const CONTENT_BYTES = 1 + 2 * ID_BYTES + END_BYTES;
const VERSION = 1;

/**
 * Creates links that need no sign-in: a link lets its holder see and acknowledge the alert. Nothing is stored; a token
 * is signed with HMAC-SHA-256, truncated to 128 bits (RFC 2104, section 5), by a key derived for this purpose only.
 *
 * @param options.keys the list of SECRET_KEY: the first one signs, each of them is accepted.
 * @param options.baseUrl the public address of this installation, without a trailing slash.
 */
export function createAlertLinks(options: {
  keys: readonly string[];
  baseUrl: () => string;
}): AlertLinks {
  const [first, ...older] = options.keys
    .map((key) => key.trim())
    .filter((key) => key !== '')
    .map(derive);
  if (first === undefined)
    throw new Error('SECRET_KEY holds no key: set it to a long random text.');
  const pageUrl = (alertId: number, destinationId: number, now: number) => {
    const content = contentOf({ alertId, destinationId }, now + ALERT_LINK_MS);
    const token = Buffer.concat([content, signatureOf(first, content)]).toString('base64url');
    return `${options.baseUrl()}/alert?token=${token}`;
  };

  return {
    detailsUrl: pageUrl,
    acknowledgeUrl: (...of) => `${pageUrl(...of)}&acknowledge=1`,
    read(token, now) {
      const bytes = Buffer.from(token, 'base64url');
      // Each token has exactly one spelling.
      if (bytes.length !== CONTENT_BYTES + SIGNATURE_BYTES || bytes.toString('base64url') !== token)
        return null;
      const content = bytes.subarray(0, CONTENT_BYTES);
      const signature = bytes.subarray(CONTENT_BYTES);
      const isOurs = [first, ...older].some((key) =>
        timingSafeEqual(signature, signatureOf(key, content)),
      );
      if (!isOurs || content[0] !== VERSION) return null;
      const endsAt = content.readUIntBE(1 + 2 * ID_BYTES, END_BYTES) * 1_000;
      if (endsAt <= now) return 'expired';
      return {
        alertId: content.readUIntBE(1, ID_BYTES),
        destinationId: content.readUIntBE(1 + ID_BYTES, ID_BYTES),
      };
    },
  };
}

function contentOf({ alertId, destinationId }: AlertLink, endsAt: number): Buffer {
  const content = Buffer.alloc(CONTENT_BYTES);
  content[0] = VERSION;
  content.writeUIntBE(alertId, 1, ID_BYTES);
  content.writeUIntBE(destinationId, 1 + ID_BYTES, ID_BYTES);
  content.writeUIntBE(Math.floor(endsAt / 1_000), 1 + 2 * ID_BYTES, END_BYTES);
  return content;
}

function signatureOf(key: Buffer, content: Buffer): Buffer {
  return createHmac('sha256', key).update(content).digest().subarray(0, SIGNATURE_BYTES);
}

/** HKDF (RFC 5869): a key of the right size that is only used for these links. */
function derive(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'tocsin alert link v1', 32));
}

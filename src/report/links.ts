import { hash } from 'node:crypto';
import { createTokenSigner } from '../lib/derived-key.ts';

/** Time for which a mailed link opens its file. */
export const FILE_LINK_MS = 30 * 24 * 3_600_000;

const REPORT_PATHS = { file: '/report', unsubscribe: '/report-unsubscribe' } as const;

const [ID_BYTES, END_BYTES, ADDRESS_BYTES] = [6, 5, 8];
const CONTENT_BYTES = 1 + ID_BYTES + END_BYTES + ADDRESS_BYTES;
/** First byte of a token: its format and purpose. */
const MARKS = { file: 1, unsubscribe: 2 } as const;

/**
 * Creates links in mails of reports, which need no sign-in. Ids of reports and runs are never used again.
 *
 * @param options.keys the list of SECRET_KEY: the first one signs, each of them is accepted.
 * @param options.baseUrl the public address of this installation, without a trailing slash.
 */
export function createReportLinks(options: { keys: readonly string[]; baseUrl: () => string }) {
  const signer = createTokenSigner({
    keys: options.keys,
    purpose: 'tocsin report link v1',
    contentBytes: CONTENT_BYTES,
  });

  function urlOf(purpose: keyof typeof MARKS, id: number, until: number, address: Buffer): string {
    const content = Buffer.alloc(CONTENT_BYTES);
    content[0] = MARKS[purpose];
    content.writeUIntBE(id, 1, ID_BYTES);
    content.writeUIntBE(Math.floor(until / 1_000), 1 + ID_BYTES, END_BYTES);
    address.copy(content, 1 + ID_BYTES + END_BYTES);
    return `${options.baseUrl()}${REPORT_PATHS[purpose]}?token=${signer.sign(content)}`;
  }

  /** Content of a valid token for this purpose; null for any other. */
  function contentOf(token: string, purpose: keyof typeof MARKS): Buffer | null {
    const content = signer.verify(token);
    return content?.[0] === MARKS[purpose] ? content : null;
  }

  return {
    /** Opens the file of a run. @param until end of its validity, epoch ms. */
    fileUrl: (runId: number, until: number) => urlOf('file', runId, until, Buffer.alloc(0)),
    /** Removes a recipient from a report. Valid as long as the report exists. */
    unsubscribeUrl: (reportId: number, address: string) =>
      urlOf('unsubscribe', reportId, 0, digestOf(address)),
    /** Id of the run; null for a token that is invalid or has expired. */
    readFile(token: string, now: number): number | null {
      const content = contentOf(token, 'file');
      if (content === null) return null;
      const until = content.readUIntBE(1 + ID_BYTES, END_BYTES) * 1_000;
      return until <= now ? null : content.readUIntBE(1, ID_BYTES);
    },
    /** Report of an unsubscription, and which of its recipients it is for; null for an invalid token. */
    readUnsubscribe(token: string) {
      const content = contentOf(token, 'unsubscribe');
      if (content === null) return null;
      const digest = content.subarray(1 + ID_BYTES + END_BYTES);
      return {
        reportId: content.readUIntBE(1, ID_BYTES),
        isFor: (address: string) => digest.equals(digestOf(address)),
      };
    },
  };
}

export type ReportLinks = ReturnType<typeof createReportLinks>;

function digestOf(address: string): Buffer {
  return hash('sha256', address.toLowerCase(), 'buffer').subarray(0, ADDRESS_BYTES);
}

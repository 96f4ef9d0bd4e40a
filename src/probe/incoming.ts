import type { OnReadOpts } from 'node:net';

/**
 * Reads of a plain connection, all into one buffer of this process: allocating 64 KiB for each read takes longer than
 * the read. A chunk is only valid until the receiver returns.
 */
export type Incoming = ReturnType<typeof createIncoming>;

const READ_BYTES = 64 * 1024;
/** On Windows the system fills a buffer in the background, so that connections can't share one. */
const isShareable = process.platform !== 'win32';
let shared: Buffer | null = null;

export function createIncoming() {
  const buffer = isShareable ? (shared ??= allocate()) : allocate();
  let receiver: ((chunk: Buffer) => void) | null = null;
  return {
    /** Option `onread` of the socket. */
    onread: {
      buffer,
      callback(bytes) {
        // Without a receiver the connection is of no use: its owner closes it unread.
        receiver?.(buffer.subarray(0, bytes));
        return true;
      },
    } satisfies OnReadOpts,
    /** Sets the receiver, before the event loop can deliver the first read. */
    receive(next: (chunk: Buffer) => void) {
      receiver = next;
    },
  };
}

function allocate(): Buffer {
  return Buffer.allocUnsafeSlow(READ_BYTES);
}

/** Discards what arrives. */
export const DISCARD: OnReadOpts = createIncoming().onread;

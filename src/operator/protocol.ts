/**
 * One connection, one command: a line of JSON goes to the server, lines of JSON come back, the last of which tells how
 * it ended. The words are those of the command line, so that one reader judges them, here and there.
 */
export interface OperatorRequest {
  /** The words behind `tocsin`, without those that concern the caller's own files. */
  args: string[];
  /** What `--password-stdin` read. */
  password: string | null;
}

export type OperatorAnswer = { out: string } | { note: string } | CommandEnd;

/** Refused: as it can't be done that way. Failed: by a fault of ours. */
export type CommandEnd =
  | { end: 'done' }
  | { end: 'refused'; message: string }
  | { end: 'failed'; message: string };

/** A request is a command line; longer ones are nobody's. */
export const REQUEST_BYTES = 64 * 1024;

/** So long a path of a socket may be, in bytes (`sun_path` of unix(7), less the zero at its end). */
export const SOCKET_PATH_BYTES = 107;

export const encodeLine = (message: object): string => `${JSON.stringify(message)}\n`;

/** Null for what is no request. */
export function readRequest(line: string): OperatorRequest | null {
  let parsed: unknown;
  try {
    parsed = JSON.parse(line);
  } catch {
    return null;
  }
  if (typeof parsed !== 'object' || parsed === null) return null;
  const { args, password = null } = parsed as { args?: unknown; password?: unknown };
  const isRequest =
    Array.isArray(args) &&
    args.every((word) => typeof word === 'string') &&
    (password === null || typeof password === 'string');
  return isRequest ? { args, password } : null;
}

/** The lines of a stream, each without its end. Only the line feed ends one: JSON holds other separators as they are. */
export async function* linesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let pieces: Buffer[] = [];
  for await (let chunk of stream) {
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10)) {
      yield Buffer.concat([...pieces, chunk.subarray(0, end)]).toString('utf8');
      pieces = [];
      chunk = chunk.subarray(end + 1);
    }
    if (chunk.length > 0) pieces.push(chunk);
  }
}

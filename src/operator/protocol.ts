import { MAX_DOCUMENT_BYTES } from '../configuration/document.ts';

/**
 * Request of the command line to a running server. Each connection carries one command: the client sends a line of JSON
 * and receives lines of JSON, the last of which is the outcome. Arguments are sent unparsed, so that both sides share one
 * parser.
 */
export interface OperatorRequest {
  /** Arguments after `tocsin`, without those that name the caller's own files. */
  args: string[];
  /** Password read by `--password-stdin`. */
  password: string | null;
  /** What the command works on, such as a configuration set. */
  input?: unknown;
}

export type OperatorAnswer = { out: string } | { note: string } | CommandEnd;

/** Outcome of a command: `refused` with a reason for the operator, `failed` by an internal error. */
export type CommandEnd =
  | { end: 'done' }
  | { end: 'refused'; message: string }
  | { end: 'failed'; message: string };

/** A configuration set, and the arguments. */
export const REQUEST_BYTES = MAX_DOCUMENT_BYTES + 64 * 1024;

/** Maximum length of a socket path in bytes (`sun_path` of unix(7), less its terminating zero). */
export const SOCKET_PATH_BYTES = 107;

export const encodeLine = (message: object): string => `${JSON.stringify(message)}\n`;

/** Parses a request; null when it is invalid. */
export function readRequest(line: string): OperatorRequest | null {
  let parsed: unknown;
  try {
    parsed = JSON.parse(line);
  } catch {
    return null;
  }
  if (typeof parsed !== 'object' || parsed === null) return null;
  const { args, password = null, input } = parsed as { [name in keyof OperatorRequest]?: unknown };
  const isRequest =
    Array.isArray(args) &&
    args.every((word) => typeof word === 'string') &&
    (password === null || typeof password === 'string');
  return isRequest ? { args, password, input } : null;
}

/** Yields the lines of a stream without their line feed. JSON may contain other line separators, which `readline` splits at. */
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

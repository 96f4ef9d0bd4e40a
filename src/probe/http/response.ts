import { STATUS_CODES } from 'node:http';
import { BodyBuffer } from './body-buffer.ts';

/** Head of a response: everything before its body. */
export interface ResponseHead {
  /** `HTTP/1.1 200 OK`, as received. */
  statusLine: string;
  status: number;
  /** Names in lower case, values as latin1 text, in order. */
  headers: [name: string, value: string][];
}

/** Limits for reading and keeping a body, decided by the head. Bytes as sent, without framing. */
export interface BodyLimits {
  /** Number of bytes after which the rest is not read. */
  readBytes: number;
  /** Number of these bytes to keep, from the first. */
  keepBytes: number;
  /** Whether a longer body is useless. */
  needsAll: boolean;
  /** Number of bytes to keep of a broken body; `keepBytes` by default. */
  keepBrokenBytes?: number;
}

/**
 * `head` and `body`: more is expected. `done`: the response is complete. `enough`: the body reached the limit, the rest
 * is not needed. `too-large`: it exceeds the limit, and all of it was needed. `invalid`: not an HTTP response,
 * `problem` says why.
 */
export type ResponseState = 'head' | 'body' | 'done' | 'enough' | 'too-large' | 'invalid';

/** curl allows 300 KiB, Node 16 KiB: a larger head is a fault, and endless ones must end. */
export const MAX_HEAD_BYTES = 64 * 1024;

const STATUS_LINE = /^HTTP\/1\.[01] ([1-9]\d\d)(?: .*)?$/;
const BLANK_LINE = /\r?\n\r?\n/;

const NO_BODY = Buffer.alloc(0);

/** Incremental parser of one HTTP/1.x response (RFC 9112). Pure. */
export class ResponseReader {
  state: ResponseState = 'head';
  problem: string | null = null;
  head: ResponseHead | null = null;
  /** Null before the head is complete. */
  limits: BodyLimits | null = null;
  bodyBytes = 0;
  /** Content-Length, if that ends the body. */
  expectedBytes: number | null = null;
  readonly #method: string;
  readonly #bodyLimits: (head: ResponseHead) => BodyLimits;
  readonly #isReused: boolean;
  /** The head so far, and its last three bytes. */
  #text = '';
  #tail = '';
  #headBytes = 0;
  hasBytes = false;
  #chunked: ChunkedReader | null = null;
  #body: BodyBuffer | null = null;

  constructor(options: {
    method: string;
    bodyLimits: (head: ResponseHead) => BodyLimits;
    /** Whether the memory of a chunk is overwritten once it is parsed. */
    isReused?: boolean;
  }) {
    this.#method = options.method;
    this.#bodyLimits = options.bodyLimits;
    this.#isReused = options.isReused ?? false;
  }

  push(chunk: Buffer): ResponseState {
    this.hasBytes = true;
    if (this.state === 'head') this.#readHead(chunk);
    else if (this.state === 'body') this.#readBody(chunk);
    return this.state;
  }

  /** Handles the end of the connection. Returns `done` if that completes the response, else the last state. */
  end(): ResponseState {
    const endsByClosing = this.expectedBytes === null && this.#chunked === null;
    if (this.state === 'body' && endsByClosing) this.state = 'done';
    return this.state;
  }

  /** Returns the kept part of the body, or its first `limit` bytes, still compressed, and releases it. */
  takeBody(limit?: number): Buffer {
    return this.#body?.take(limit) ?? NO_BODY;
  }

  #readHead(chunk: Buffer): void {
    const piece = chunk.toString('latin1');
    const before = this.#text.length;
    if (before < 5 && !looksLikeHttp(this.#text + piece))
      return this.#fail(describeOther(chunk, before));
    // A blank line may have begun in the last chunk. Search only the new bytes: a head that arrives byte by byte must
    // not be read from its start each time.
    const seen = this.#tail + piece;
    this.#text += piece;
    this.#tail = seen.slice(-3);
    const match = BLANK_LINE.exec(seen);
    if (match === null) {
      if (this.#headBytes + this.#text.length > MAX_HEAD_BYTES) this.#failTooLarge();
      return;
    }
    const headEnd = this.#text.length - seen.length + match.index;
    const bodyStart = headEnd + match[0].length;
    this.#headBytes += bodyStart;
    if (this.#headBytes > MAX_HEAD_BYTES) return this.#failTooLarge();
    const head = parseHead(this.#text.slice(0, headEnd));
    this.#text = '';
    this.#tail = '';
    if (typeof head === 'string') return this.#fail(head);
    const rest = chunk.subarray(bodyStart - before);
    // 1xx responses precede the real one; after 101 another protocol follows, which is never requested.
    if (head.status < 200 && head.status !== 101) {
      if (rest.length > 0) this.#readHead(rest);
      return;
    }
    this.head = head;
    this.#beginBody(head);
    if (this.state === 'body') this.#beginReading(this.#bodyLimits(head));
    if (this.state === 'body' && rest.length > 0) this.#readBody(rest);
  }

  #beginReading(limits: BodyLimits): void {
    this.limits = limits;
    this.#body = new BodyBuffer(limits.keepBytes, this.expectedBytes, this.#isReused);
    if (limits.needsAll && (this.expectedBytes ?? 0) > limits.readBytes) this.state = 'too-large';
    else if (!limits.needsAll && limits.readBytes === 0) this.state = 'enough';
  }

  /** Determines how the body ends (RFC 9112, section 6.3). */
  #beginBody({ status, headers }: ResponseHead): void {
    this.state = 'body';
    if (this.#method === 'HEAD' || status < 200 || status === 204 || status === 304) {
      this.state = 'done';
      return;
    }
    const encoding = joinedHeader(headers, 'transfer-encoding');
    if (encoding !== null) {
      if (/(^|,)\s*chunked\s*$/i.test(encoding)) this.#chunked = createChunkedReader();
      return;
    }
    const lengths = joinedHeader(headers, 'content-length');
    if (lengths === null) return;
    const length = parseContentLength(lengths);
    if (length === null) return this.#fail(`its Content-Length is "${excerpt(lengths)}"`);
    this.expectedBytes = length;
    if (length === 0) this.state = 'done';
  }

  #readBody(chunk: Buffer): void {
    if (this.#chunked !== null) {
      const result = this.#chunked.push(chunk, (data) => this.#take(data));
      if (this.state !== 'body') return;
      if (result === 'done') this.state = 'done';
      else if (result === 'invalid') this.#fail('a chunk of its body is malformed');
      return;
    }
    if (this.expectedBytes === null) return this.#take(chunk);
    this.#take(chunk.subarray(0, this.expectedBytes - this.bodyBytes));
    if (this.bodyBytes >= this.expectedBytes) this.state = 'done';
  }

  #take(data: Buffer): void {
    if (this.limits === null || this.state !== 'body') return;
    const { readBytes, needsAll } = this.limits;
    const wanted = data.subarray(0, readBytes - this.bodyBytes);
    this.#body?.add(wanted);
    this.bodyBytes += wanted.length;
    if (needsAll && wanted.length < data.length) this.state = 'too-large';
    else if (!needsAll && this.bodyBytes >= readBytes) this.state = 'enough';
  }

  #failTooLarge(): void {
    this.#fail(`its headers are larger than ${MAX_HEAD_BYTES / 1024} KiB`);
  }

  #fail(problem: string): void {
    this.state = 'invalid';
    this.problem = problem;
  }
}

/** Value of a header; duplicates are joined as one list (RFC 9110, section 5.3). Null if absent. */
export function joinedHeader(headers: readonly [string, string][], name: string): string | null {
  let value: string | null = null;
  for (const [each, text] of headers) {
    if (each === name) value = value === null ? text : `${value}, ${text}`;
  }
  return value;
}

function looksLikeHttp(text: string): boolean {
  return text.length >= 5 ? text.startsWith('HTTP/') : 'HTTP/'.startsWith(text);
}

function describeOther(chunk: Buffer, before: number): string {
  // A TLS record: an alert, or a handshake.
  if (before === 0 && (chunk[0] === 0x15 || chunk[0] === 0x16) && chunk[1] === 3) {
    return 'the server speaks TLS, not plain HTTP, on this port';
  }
  if (before === 0 && isHttp2(chunk)) return 'the server speaks HTTP/2 only, not HTTP/1.1';
  return 'it is not HTTP';
}

/** Whether bytes begin with a SETTINGS or GOAWAY frame of the whole connection (RFC 9113, section 4.1). */
function isHttp2(chunk: Buffer): boolean {
  const isFrame = chunk.length >= 9 && (chunk[3] === 4 || chunk[3] === 7);
  return isFrame && chunk.readUInt32BE(5) === 0;
}

/**
 * Parses the head without its blank line, or returns what is wrong with it. A bare LF ends a line too (RFC 9112,
 * section 2.2).
 */
function parseHead(text: string): ResponseHead | string {
  const lines = text.split('\n');
  const statusLine = withoutCr(lines[0] ?? '');
  const match = STATUS_LINE.exec(statusLine);
  if (match === null) return `its status line is "${excerpt(statusLine)}"`;
  const headers: [string, string][] = [];
  for (let index = 1; index < lines.length; index++) {
    const line = withoutCr(lines[index] ?? '');
    const last = headers.at(-1);
    if ((line.startsWith(' ') || line.startsWith('\t')) && last !== undefined) {
      last[1] = `${last[1]} ${line.trim()}`; // obsolete folding, RFC 9112, section 5.2
      continue;
    }
    const colon = line.indexOf(':');
    if (colon < 1 || line.includes('\0')) return `one of its headers is "${excerpt(line)}"`;
    headers.push([line.slice(0, colon).trimEnd().toLowerCase(), line.slice(colon + 1).trim()]);
  }
  return { statusLine, status: Number(match[1]), headers };
}

function withoutCr(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

/** Equal lengths count as one; different ones, or anything else, are an error (RFC 9112, section 6.3). */
function parseContentLength(text: string): number | null {
  const [length = '', ...others] = text.split(',').map((each) => each.trim());
  if (!/^\d{1,15}$/.test(length) || others.some((other) => other !== length)) return null;
  return Number(length);
}

/** Beginning of untrusted text, for use in a sentence. */
function excerpt(text: string): string {
  const printable = text.slice(0, 60).replace(/[^ -~]/g, '?');
  return text.length > 60 ? `${printable}…` : printable;
}

type ChunkedReader = ReturnType<typeof createChunkedReader>;

/** Limits for a size line with its extensions, and for all trailers together. */
const MAX_LINE_BYTES = 4_096;
const MAX_TRAILER_BYTES = 16_384;
/** Thirteen hexadecimal digits stay below 2^53. */
const SIZE_LINE = /^([0-9a-f]{1,13})[ \t]*(?:;.*)?$/i;
const LF = 0x0a;

type Step = 'size' | 'data' | 'data-end' | 'trailer' | 'done' | 'invalid';

function createChunkedReader() {
  let step: Step = 'size';
  let remaining = 0;
  let line = '';
  let trailerBytes = 0;

  const onLine = (text: string): void => {
    if (step === 'size') {
      const match = SIZE_LINE.exec(text);
      if (match === null) {
        step = 'invalid';
        return;
      }
      remaining = Number.parseInt(match[1] ?? '', 16);
      step = remaining === 0 ? 'trailer' : 'data';
    } else if (step === 'data-end') {
      step = text === '' ? 'size' : 'invalid';
    } else if (text === '') {
      step = 'done';
    } else {
      trailerBytes += text.length;
      if (trailerBytes > MAX_TRAILER_BYTES) step = 'invalid';
    }
  };

  const readLine = (chunk: Buffer, from: number): number => {
    const lf = chunk.indexOf(LF, from);
    const end = lf === -1 ? chunk.length : lf;
    line += chunk.toString('latin1', from, end);
    if (line.length > MAX_LINE_BYTES) step = 'invalid';
    else if (lf !== -1) {
      const whole = line.endsWith('\r') ? line.slice(0, -1) : line;
      line = '';
      onLine(whole);
    }
    return end + 1;
  };

  return {
    /** Passes on each piece of data, and returns whether more is expected. */
    push(chunk: Buffer, onData: (data: Buffer) => void) {
      let at = 0;
      while (at < chunk.length && step !== 'done' && step !== 'invalid') {
        if (step !== 'data') {
          at = readLine(chunk, at);
          continue;
        }
        const data = chunk.subarray(at, at + remaining);
        onData(data);
        at += data.length;
        remaining -= data.length;
        if (remaining === 0) step = 'data-end';
      }
      if (step === 'done' || step === 'invalid') return step;
      return 'more';
    },
  };
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Whether a status code is accepted: codes, classes such as `2xx` and ranges such as `200-299`; null means 2xx and 3xx (contract 16.3). */
export function isAcceptedStatus(status: number, accepted: readonly (string | number)[] | null) {
  if (accepted === null) return status >= 200 && status < 400;
  return accepted.some((each) => {
    const [first = '', last = first] = String(each).split('-');
    if (/^\dxx$/i.test(first)) return Number(first[0]) === Math.floor(status / 100);
    return status >= Number(first) && status <= Number(last);
  });
}

/** Whether the status, with a Location, is a redirect. 300 leaves the choice to people, 304 is about caches. */
export function isRedirectStatus(status: number): boolean {
  return REDIRECTS.has(status);
}

/**
 * A sentence such as `HTTP 503 Service Unavailable`, with the standard's reason phrase rather than the server's, so that
 * equal failures have equal texts.
 */
export function statusSentence(status: number): string {
  const words = STATUS_CODES[status];
  return words === undefined ? `HTTP ${status}` : `HTTP ${status} ${words}`;
}

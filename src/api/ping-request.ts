import type { PingKind } from '../model/heartbeat.ts';
import type { IncomingMessage } from 'node:http';
import type { AliasCall } from '../engine/heartbeat/aliases.ts';
import type { Clock, Timer } from '../lib/clock.ts';
import { charsetOfType, decodeBytes, mediaTypeOf } from '../lib/charset.ts';
import { freeBytes } from '../lib/free-bytes.ts';
import type { BodyMemory } from './body-memory.ts';

/** Parsed call of a ping URL (contract 12.5 to 12.9). */
interface PingRequest {
  token: string;
  kind: PingKind;
  /** Exit code of the path; null when the query contradicts it. */
  exitCode: number | null;
  /** `rid`. */
  runId: string | null;
  /** Whether the query has a status that means nothing. */
  isStatusUnknown: boolean;
  /** Text in place of a body, at an address of another service. */
  message?: string | null;
  /** Duration that the job measured itself, in milliseconds. */
  reportedMs?: number;
}

/** Values of `status` that people send for a success; any other is one, too, and the answer says so. */
const SUCCESSES = ['', 'success', 'ok', 'up'];

/** `/ping`, also percent-encoded, followed by the rest of the path and the query. */
const TARGET =
  /^(?:[hH][tT]{2}[pP][sS]?:\/\/[^/?#]*)?\/(?:p|%70)(?:i|%69)(?:n|%6[eE])(?:g|%67)(?![^/?#])(?:\/([^?#]*))?(?:\?([^#]*))?/;

const SUFFIXES: ReadonlyMap<string, PingKind> = new Map([
  ['fail', 'failure'],
  ['start', 'start'],
  ['log', 'log'],
]);

/** 0 to 999, without leading zeros or a sign. */
const NUMBER = /^(?:0|[1-9]\d{0,2})$/;
const MAX_EXIT_CODE = 255;
const MAX_RUN_ID_LENGTH = 128;

/** True for a raw request target of the ping route. */
export function isPingTarget(target: string): boolean {
  return TARGET.test(target);
}

/** Parses a raw request target; null for an unknown path. Invalid percent-encodings are taken literally. */
export function parsePingTarget(target: string): PingRequest | null {
  const [, path = '', query = ''] = TARGET.exec(target) ?? [];
  const [token = '', suffix, ...more] = path.replace(/\/$/, '').split('/').map(decoded);
  if (token === '' || more.length > 0) return null;
  const result =
    suffix === undefined ? { kind: 'success' as const, exitCode: null } : parseSuffix(suffix);
  if (result === null) return null;
  if (query === '') return { token, ...result, runId: null, isStatusUnknown: false };
  const fields = new URLSearchParams(query);
  const runId = truncated(fields.get('rid') ?? '', MAX_RUN_ID_LENGTH);
  // A reported failure takes precedence over everything else in the URL.
  const statuses = fields.getAll('status');
  if (!statuses.includes('fail')) {
    const isStatusUnknown = statuses.some((status) => !SUCCESSES.includes(status));
    return { token, ...result, runId, isStatusUnknown };
  }
  const exitCode = result.exitCode || null;
  return { token, kind: 'failure', exitCode, runId, isStatusUnknown: false };
}

/** A call of another service's ping address, as one of a ping URL whose token is the address. */
export function aliasRequest(call: AliasCall): PingRequest {
  const { alias: token, kind, exitCode, durationMs } = call;
  return {
    token,
    kind,
    exitCode,
    runId: truncated(call.runId ?? '', MAX_RUN_ID_LENGTH),
    isStatusUnknown: false,
    message: truncated(call.message ?? '', MAX_KEPT_BYTES),
    ...(durationMs !== null && { reportedMs: durationMs }),
  };
}

/** Truncates a text, and replaces characters that not every database can store; null for an empty one. */
export function truncated(text: string, most: number): string | null {
  const kept = text.slice(0, most).replace(/[\ud800-\udbff]$/, '');
  return kept === '' ? null : kept.replaceAll('\0', '\ufffd');
}

function parseSuffix(suffix: string): Pick<PingRequest, 'kind' | 'exitCode'> | null {
  const kind = SUFFIXES.get(suffix);
  if (kind !== undefined) return { kind, exitCode: null };
  const exitCode = NUMBER.test(suffix) ? Number(suffix) : Infinity;
  if (exitCode > MAX_EXIT_CODE) return null;
  return { kind: exitCode === 0 ? 'success' : 'failure', exitCode };
}

function decoded(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Kept part of a ping's body. */
interface PingBody {
  /** Null for an empty body. */
  text: string | null;
  /** True when there was more, or the body did not arrive completely. */
  isCut: boolean;
}

/** Body that is being received. */
export interface PingBodyReader {
  /** Resolves when no more will be kept: the body ended, exceeded the limit, or did not end in time. */
  kept: Promise<PingBody>;
  /** Resolves when the answer may be sent: the body ended, the client disconnected, or the wait is over. */
  finished: Promise<void>;
  /** Ends the wait. */
  finishNow(): void;
}

export const MAX_KEPT_BYTES = 10 * 1024;
const INTERVAL_MS = 5_000;
/** After this many intervals the received part is kept, and the rest is waited for only while more arrives. */
const INTERVALS_UNTIL_KEPT = 2;
/** After this many intervals the wait ends; the server itself disconnects after 60 s. */
const MAX_INTERVALS = 10;

/**
 * Reads a body of any type and size: keeps its beginning as text and drops the rest. The answer waits for the
 * whole body, since answering earlier may reset the connection; the ping itself is recorded without that wait. A call
 * that breaks off in its body counts too: the job did call, and the URL says what it meant. When there is no memory for
 * bodies, this one is cut. Null without a body.
 */
export function readPingBody(
  request: IncomingMessage,
  {
    clock,
    memory,
    address,
  }: {
    clock: Pick<Clock, 'after' | 'clear'>;
    memory: BodyMemory;
    address: string;
  },
) {
  if (!hasBody(request)) return null;
  const kept = Promise.withResolvers<PingBody>();
  const over = Promise.withResolvers<void>();
  // Copied into one buffer: a body that arrives byte by byte would otherwise cost hundreds of bytes for each.
  let bytes = Buffer.alloc(0);
  let size = 0;
  let isKept = false;
  let intervals = 0;
  let lastSize = 0;
  let timer: Timer = clock.after(INTERVAL_MS, onInterval);
  const charset = charsetOf(request);
  const share = memory.open(address, () => keep(true));

  function keep(isCut: boolean): void {
    if (isKept) return;
    isKept = true;
    share.release();
    kept.resolve({ text: textOf(bytes.subarray(0, size), charset, isCut), isCut });
    bytes = Buffer.alloc(0);
  }

  function end(isCut: boolean): void {
    clock.clear(timer);
    keep(isCut);
    over.resolve();
  }

  function onInterval(): void {
    intervals += 1;
    const hasStalled = size === lastSize;
    if (intervals >= INTERVALS_UNTIL_KEPT) {
      keep(true);
      if (hasStalled || intervals === MAX_INTERVALS) return over.resolve();
    }
    lastSize = size;
    timer = clock.after(INTERVAL_MS, onInterval);
  }

  request.on('data', (chunk: Buffer) => {
    if (bytes.length === 0 && !isKept) {
      const needed = bufferSize(request);
      if (!share.hold(needed)) keep(true);
      // Making room may have ended this very body.
      if (!isKept) bytes = Buffer.allocUnsafe(needed);
    }
    if (!isKept) chunk.copy(bytes, size);
    size += chunk.length;
    freeBytes(chunk);
    share.receive(size);
    if (size > MAX_KEPT_BYTES) keep(true);
  });
  request.on('end', () => end(false));
  // Has no effect after the end.
  request.on('close', () => end(true));
  // The client disconnected: `close` follows.
  request.on('error', () => {});
  return { kept: kept.promise, finished: over.promise, finishNow: () => end(true) };
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Size of the buffer for the kept part, in bytes. */
function bufferSize({ headers }: IncomingMessage): number {
  return Math.min(MAX_KEPT_BYTES, Number(headers['content-length'] ?? MAX_KEPT_BYTES));
}

/** Charset that the headers name, else UTF-8. */
function charsetOf({ headersDistinct }: IncomingMessage): string {
  const types = headersDistinct['content-type']?.join(',') ?? null;
  return charsetOfType(mediaTypeOf(types)) ?? 'utf-8';
}

/** Replaces NUL, which Postgres can't store. */
function textOf(bytes: Buffer, charset: string, isCut: boolean): string | null {
  const text = decodeBytes(bytes, charset, isCut);
  return text === '' ? null : text.replaceAll('\0', '\ufffd');
}

import type { PingKind } from '../../model/heartbeat.ts';

/** What a call of a ping URL means (contract 12.5 to 12.9). */
export interface PingRequest {
  token: string;
  kind: PingKind;
  /** Exit code of the path; null when the query contradicts it. */
  exitCode: number | null;
  /** `rid`. */
  runId: string | null;
}

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
  if (query === '') return { token, ...result, runId: null };
  const fields = new URLSearchParams(query);
  const runId = truncated(fields.get('rid') ?? '', MAX_RUN_ID_LENGTH);
  // A reported failure takes precedence over everything else in the URL.
  if (!fields.getAll('status').includes('fail')) return { token, ...result, runId };
  return { token, kind: 'failure', exitCode: result.exitCode || null, runId };
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

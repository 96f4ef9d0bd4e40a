import type { PingKind } from '../model/heartbeat.ts';

/** What a call of a ping URL means (contract 12.5 to 12.9). */
export interface PingRequest {
  token: string;
  kind: PingKind;
  /** As it stands in the path; null when another part of the address contradicts it. */
  exitCode: number | null;
  /** `rid`. */
  runId: string | null;
}

/** `/ping`, also with letters that are percent-encoded, and what follows: the rest of the path, and the query. */
const TARGET =
  /^(?:[hH][tT]{2}[pP][sS]?:\/\/[^/?#]*)?\/(?:p|%70)(?:i|%69)(?:n|%6[eE])(?:g|%67)(?![^/?#])(?:\/([^?#]*))?(?:\?([^#]*))?/;

const SUFFIXES: ReadonlyMap<string, PingKind> = new Map([
  ['fail', 'failure'],
  ['start', 'start'],
  ['log', 'log'],
]);

/** 0 to 999, without leading zeros or a sign. */
const NUMBER = /^(?:0|[1-9]\d{0,2})$/;
const HIGHEST_EXIT_CODE = 255;
const LONGEST_RUN_ID = 128;

/** Whether a request target, as it came over the network, is for the ping route. */
export function isPingTarget(target: string): boolean {
  return TARGET.test(target);
}

/** What a request target means; null when there is no such path. Encodings that are broken stand for themselves. */
export function readPingTarget(target: string): PingRequest | null {
  const [, path = '', query = ''] = TARGET.exec(target) ?? [];
  const [token = '', suffix, ...more] = path.replace(/\/$/, '').split('/').map(decoded);
  if (token === '' || more.length > 0) return null;
  const told = suffix === undefined ? { kind: 'success' as const, exitCode: null } : toldBy(suffix);
  if (told === null) return null;
  if (query === '') return { token, ...told, runId: null };
  const fields = new URLSearchParams(query);
  const runId = storable(fields.get('rid') ?? '', LONGEST_RUN_ID);
  // A run that says that it failed must never go unnoticed, whatever else its address says.
  if (!fields.getAll('status').includes('fail')) return { token, ...told, runId };
  return { token, kind: 'failure', exitCode: told.exitCode || null, runId };
}

/** The first characters of a text as every database can keep it; null when there are none. */
export function storable(text: string, most: number): string | null {
  const kept = text.slice(0, most).replace(/[\ud800-\udbff]$/, '');
  return kept === '' ? null : kept.replaceAll('\0', '\ufffd');
}

function toldBy(suffix: string): Pick<PingRequest, 'kind' | 'exitCode'> | null {
  const kind = SUFFIXES.get(suffix);
  if (kind !== undefined) return { kind, exitCode: null };
  const exitCode = NUMBER.test(suffix) ? Number(suffix) : Infinity;
  if (exitCode > HIGHEST_EXIT_CODE) return null;
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

import { ByteReader, ByteWriter } from '../../lib/varint.ts';
import type { RegionResult, Timings, Vote } from '../../model/check.ts';
import type { FailureCode } from '../../model/failure.ts';
import type { Region } from '../../model/monitor.ts';
import type { Round, RoundClass } from '../../model/round.ts';

/** `voted` counted, `stale` came from older settings, `manual` was requested by a person and has no vote. */
export type RoundKind = 'voted' | 'stale' | 'manual';

export interface RecordedRound {
  round: Round;
  kind: RoundKind;
  class: RoundClass;
}

/** One region's part of a stored round. Times to 0.1 ms; texts of failures are stored separately. */
export interface PackedResult {
  region: Region;
  vote: Vote;
  /** Null when up, and for an unknown code that a newer version stored. */
  failureCode: FailureCode | null;
  statusCode: number | null;
  responseTimeMs: number | null;
  timings: Timings;
  checkedAt: number;
}

export interface PackedRound {
  kind: RoundKind;
  class: RoundClass;
  /** In the order of the regions' numbers. */
  results: PackedResult[];
}

/** Numbers in place of region codes in stored rounds. */
export interface RegionNumbers {
  numberOf(region: Region): number | undefined;
  regionOf(number: number): Region | undefined;
}

/**
 * The layout, version 1; `x` is one byte, `v` a varint, `z` a zigzag varint, times are in 0.1 ms:
 *
 *     x version   x kind | class << 2   x regions: bit n is region n (0 to 6), bit 7 says that a list follows
 *     [v count, then for each: v 1 + number, or 0 and the code as text]
 *     for each region:
 *       x head: vote (2 bits), status code (2: none, 200, given, as before), times as before (1), offset given (1)
 *       [v status code]   [x which times there are]   [z checkedAt - startedAt, ms]   [v failure, unless up]
 *       v dns   v tcp   v tls   v ttfb   z response - their sum   v total
 *
 * Numbers are never given a new meaning: what changes gets a new version.
 */
const VERSION = 1;

const KINDS: readonly RoundKind[] = ['voted', 'stale', 'manual'];
const CLASSES: readonly RoundClass[] = ['up', 'regional', 'down', 'unknown'];
const VOTES: readonly Vote[] = ['up', 'down', 'unknown'];

/** Numbers of failure codes in stored rounds. They never change; a new code takes the next free number. */
export const FAILURE_NUMBERS: Record<FailureCode, number> = {
  dns_not_found: 1,
  dns_timeout: 2,
  dns_failed: 3,
  connection_refused: 4,
  connection_timeout: 5,
  connection_reset: 6,
  connection_failed: 7,
  host_unreachable: 8,
  tls_expired: 9,
  tls_not_yet_valid: 10,
  tls_wrong_host: 11,
  tls_untrusted: 12,
  tls_handshake: 13,
  no_response: 14,
  no_echo: 15,
  http_status: 16,
  redirect_loop: 17,
  redirect_invalid: 18,
  response_too_large: 19,
  response_cut_short: 20,
  response_invalid: 21,
  error_text: 22,
  target_not_allowed: 23,
  no_probe: 24,
  probe_lost: 25,
  probe_lagged: 26,
  probe_no_network: 27,
  probe_unable: 28,
  probe_error: 29,
  aborted: 30,
  keyword_missing: 31,
  keyword_found: 32,
  json_assertion: 33,
};

const FAILURE_CODES = new Map(
  Object.entries(FAILURE_NUMBERS).map(([code, number]) => [number, code as FailureCode]),
);

const STATUS = { none: 0, ok: 1, given: 2, asBefore: 3 } as const;
const SAME_TIMES = 1 << 4;
const HAS_OFFSET = 1 << 5;

const PHASES = ['dnsMs', 'tcpMs', 'tlsMs', 'ttfbMs'] as const;
const HAS_RESPONSE = 1 << 4;
const HAS_TOTAL = 1 << 5;
const TOTAL_IS_RESPONSE = 1 << 6;

/** Regions with numbers below this take one bit. */
const BITMAP_REGIONS = 7;
const LIST_FOLLOWS = 1 << BITMAP_REGIONS;

/** Position of the regions byte for SQL's `substr`, which counts from 1. */
export const REGIONS_BYTE = 3;

/** Encodes a round: about 30 to 45 bytes for four regions that are up. */
export function encodeRound(recorded: RecordedRound, regions: RegionNumbers): Buffer {
  const { round, kind } = recorded;
  const bytes = new ByteWriter(96);
  bytes.byte(VERSION);
  bytes.byte(KINDS.indexOf(kind) | (CLASSES.indexOf(recorded.class) << 2));
  const results = writeRegions(bytes, round.results, regions);
  let before: Before = { statusCode: null, times: 0 };
  for (const result of results) before = writeResult(bytes, result, round.startedAt, before);
  return bytes.finish();
}

/** Decodes a round. @returns null for bytes that are damaged or of a newer version. */
export function decodeRound(
  data: Uint8Array,
  startedAt: number,
  regions: RegionNumbers,
): PackedRound | null {
  const bytes = new ByteReader(data);
  try {
    if (bytes.byte() !== VERSION) return null;
    const kindAndClass = bytes.byte();
    const codes = readRegions(bytes, regions);
    let before: Before = { statusCode: null, times: 0 };
    const results = codes.map((region) => {
      const { result, after } = readResult(bytes, region, startedAt, before);
      before = after;
      return result;
    });
    return {
      kind: KINDS[kindAndClass & 3] ?? 'stale',
      class: CLASSES[kindAndClass >> 2] ?? 'unknown',
      results,
    };
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Reads the region numbers from a regions byte; null where a list follows it. */
export function regionsOfByte(byte: number): number[] | null {
  if (byte & LIST_FOLLOWS) return null;
  return [...Array(BITMAP_REGIONS).keys()].filter((number) => byte & (1 << number));
}

/** Values of the previous region, which the next one mostly shares. */
interface Before {
  statusCode: number | null;
  times: number;
}

/** Writes the region numbers. @returns the results in the order in which they are written. */
function writeRegions(bytes: ByteWriter, results: readonly RegionResult[], regions: RegionNumbers) {
  const inBitmap: (RegionResult | undefined)[] = [];
  const listed: RegionResult[] = [];
  let bitmap = 0;
  for (const result of results) {
    const number = regions.numberOf(result.region);
    if (number !== undefined && number < BITMAP_REGIONS && !inBitmap[number]) {
      inBitmap[number] = result;
      bitmap |= 1 << number;
    } else {
      listed.push(result);
    }
  }
  bytes.byte(listed.length > 0 ? bitmap | LIST_FOLLOWS : bitmap);
  if (listed.length > 0) bytes.varint(listed.length);
  for (const { region } of listed) {
    const number = regions.numberOf(region);
    bytes.varint(number === undefined ? 0 : number + 1);
    if (number === undefined) bytes.text(region);
  }
  return [...inBitmap.filter((result) => result !== undefined), ...listed];
}

function readRegions(bytes: ByteReader, regions: RegionNumbers): Region[] {
  const bitmap = bytes.byte();
  const nameOf = (number: number) => regions.regionOf(number) ?? `region-${number}`;
  const codes = regionsOfByte(bitmap & ~LIST_FOLLOWS)!.map(nameOf);
  const count = bitmap & LIST_FOLLOWS ? bytes.varint() : 0;
  for (let index = 0; index < count; index++) {
    const number = bytes.varint();
    codes.push(number === 0 ? bytes.text() : nameOf(number - 1));
  }
  return codes;
}

function writeResult(
  bytes: ByteWriter,
  result: RegionResult,
  startedAt: number,
  before: Before,
): Before {
  const statusCode = wholeOrNull(result.statusCode);
  const status = statusKind(statusCode, before.statusCode);
  const phases = PHASES.map((phase) => tenths(result.timings[phase]));
  const response = tenths(result.responseTimeMs);
  const total = tenths(result.timings.totalMs);
  const times = timesMask(phases, response, total);
  const offset = Math.trunc(result.checkedAt - startedAt) || 0;
  bytes.byte(
    VOTES.indexOf(result.vote) |
      (status << 2) |
      (times === before.times ? SAME_TIMES : 0) |
      (offset === 0 ? 0 : HAS_OFFSET),
  );
  if (status === STATUS.given) bytes.varint(statusCode!);
  if (times !== before.times) bytes.byte(times);
  if (offset !== 0) bytes.zigzag(offset);
  if (result.vote !== 'up') bytes.varint(result.failure ? FAILURE_NUMBERS[result.failure.code] : 0);
  let sum = 0;
  for (const phase of phases) {
    if (phase === null) continue;
    bytes.varint(phase);
    sum += phase;
  }
  if (response !== null) bytes.zigzag(response - sum);
  if (times & HAS_TOTAL) bytes.varint(total!);
  return { statusCode, times };
}

function readResult(bytes: ByteReader, region: Region, startedAt: number, before: Before) {
  const head = bytes.byte();
  const vote = VOTES[head & 3] ?? 'unknown';
  const status = (head >> 2) & 3;
  const given = status === STATUS.given ? bytes.varint() : null;
  const statusCode =
    status === STATUS.ok ? 200 : status === STATUS.asBefore ? before.statusCode : given;
  const times = head & SAME_TIMES ? before.times : bytes.byte();
  const offset = head & HAS_OFFSET ? bytes.zigzag() : 0;
  const failureCode = vote === 'up' ? null : (FAILURE_CODES.get(bytes.varint()) ?? null);
  let sum = 0;
  const [dnsMs, tcpMs, tlsMs, ttfbMs] = PHASES.map((_, bit) => {
    if (!(times & (1 << bit))) return null;
    const phase = bytes.varint();
    sum += phase;
    return phase / 10;
  }) as [number | null, number | null, number | null, number | null];
  const responseTimeMs = times & HAS_RESPONSE ? (sum + bytes.zigzag()) / 10 : null;
  const given10 = times & HAS_TOTAL ? bytes.varint() / 10 : null;
  const totalMs = times & TOTAL_IS_RESPONSE ? responseTimeMs : given10;
  return {
    result: {
      region,
      vote,
      failureCode,
      statusCode,
      responseTimeMs,
      timings: { dnsMs, tcpMs, tlsMs, ttfbMs, totalMs },
      checkedAt: startedAt + offset,
    },
    after: { statusCode, times },
  };
}

function statusKind(statusCode: number | null, before: number | null): number {
  if (statusCode === null) return STATUS.none;
  if (statusCode === 200) return STATUS.ok;
  return statusCode === before ? STATUS.asBefore : STATUS.given;
}

function timesMask(
  phases: readonly (number | null)[],
  response: number | null,
  total: number | null,
): number {
  let mask = 0;
  phases.forEach((phase, bit) => (mask |= phase === null ? 0 : 1 << bit));
  if (response !== null) mask |= HAS_RESPONSE;
  if (total !== null) mask |= total === response ? TOTAL_IS_RESPONSE : HAS_TOTAL;
  return mask;
}

/** Converts to tenths of a millisecond; null for an impossible time. */
function tenths(milliseconds: number | null): number | null {
  if (milliseconds === null || !Number.isFinite(milliseconds)) return null;
  return Math.min(Math.max(0, Math.round(milliseconds * 10)), MAX_TENTHS);
}

/** Limit above any deadline, and far below where sums of times would lose digits. */
const MAX_TENTHS = 10 ** 12;

function wholeOrNull(value: number | null): number | null {
  return value !== null && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

import { NO_TIMINGS, type CheckResult, type Timings } from '../../src/model/check.ts';
import type { FailureCode } from '../../src/model/failure.ts';
import type { Region } from '../../src/model/monitor.ts';
import type { Problem } from './northwind/problems.ts';

const DAY_MS = 86_400_000;

/** Round trip between each region and the servers of the team, which are in Nuremberg, in milliseconds. */
const ROUND_TRIP_MS: Record<Region, number> = { nbg: 4, ash: 45, pdx: 72, sin: 88 };
const UNKNOWN_ROUND_TRIP_MS = 60;

/** What decides how a monitor answers. */
export interface Target {
  name: string;
  type: string;
  /** Median response time from the nearest region, in milliseconds. */
  answersInMs: number;
}

/** A number in [0, 1) that depends on its arguments alone: integers are mixed as murmur3 finishes a hash. */
export function noise(...numbers: number[]): number {
  let hash = 0x9e37_79b9;
  for (const number of numbers) {
    hash ^= number | 0;
    hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
    hash ^= hash >>> 16;
  }
  return (hash >>> 0) / 2 ** 32;
}

/** The number of a name, for `noise`. */
export function numberOf(name: string): number {
  let hash = 7;
  for (const letter of name) hash = Math.imul(hash, 31) + letter.codePointAt(0)!;
  return hash;
}

/**
 * How a target that works answers a check from a region at a time: slower by day than by night and when it is slow, with
 * jitter, and an outlier once in two hundred checks.
 */
export function upResult(
  target: Target,
  region: Region,
  at: number,
  slowMs: number | null = null,
): CheckResult {
  const tick = Math.floor(at / 1_000);
  const seed = numberOf(target.name + region);
  const draw = (purpose: number) => noise(seed, tick, purpose);
  const daily = 1 + 0.22 * Math.sin(2 * Math.PI * ((at % DAY_MS) / DAY_MS - 0.3));
  const jitter = 0.86 + 0.2 * (draw(1) + draw(2)) + (draw(3) > 0.995 ? 1.5 + draw(4) : 0);
  const wander = wandering(seed, at);
  const server = (slowMs ?? target.answersInMs * daily) * (0.8 + 0.4 * wander);
  const roundTripMs = (ROUND_TRIP_MS[region] ?? UNKNOWN_ROUND_TRIP_MS) * (0.96 + 0.12 * wander);
  const timings = timingsOf(target, { roundTripMs, server: server * jitter, draw });
  const isHttp = target.type === 'http';
  return {
    vote: 'up',
    failure: null,
    responseTimeMs: timings.totalMs,
    statusCode: isHttp ? 200 : null,
    timings,
    remoteAddress: addressOf(target.name, draw(5)),
    evidence: null,
  };
}

const WANDER_MS = 25 * 60_000;

/** A number in [0, 1) that moves to another one in the course of 25 minutes. */
function wandering(seed: number, at: number): number {
  const step = Math.floor(at / WANDER_MS);
  const share = at / WANDER_MS - step;
  return noise(seed, step, 9) * (1 - share) + noise(seed, step + 1, 9) * share;
}

interface Draws {
  roundTripMs: number;
  /** Time in the server itself. */
  server: number;
  draw(purpose: number): number;
}

function timingsOf({ type, answersInMs }: Target, { roundTripMs, server, draw }: Draws): Timings {
  if (type === 'ping') return { ...NO_TIMINGS, totalMs: round(roundTripMs + server * 0.5) };
  const dnsMs = round(1.5 + 6 * draw(6) ** 3);
  const tcpMs = round(roundTripMs * (0.95 + 0.1 * draw(7)));
  if (type === 'port')
    return {
      ...NO_TIMINGS,
      dnsMs,
      tcpMs: round(tcpMs + server * 0.3),
      totalMs: round(dnsMs + tcpMs + server * 0.3),
    };
  // A content network answers from near by.
  const tripMs = answersInMs < 30 ? 8 : roundTripMs;
  const tlsMs = round(tripMs * (1.05 + 0.2 * draw(8)) + 2);
  const ttfbMs = round(Math.max(1, server * 0.8 + tripMs));
  return { dnsMs, tcpMs, tlsMs, ttfbMs, totalMs: round(dnsMs + tcpMs + tlsMs + ttfbMs) };
}

const round = (milliseconds: number) => Math.round(milliseconds * 10) / 10;

/** How a target answers a check from a region while it has a problem. */
export function problemResult(
  target: Target,
  region: Region,
  at: number,
  problem: Problem,
): CheckResult {
  const { regions, lostRegions, slowMs, answer = null } = problem;
  if (lostRegions?.includes(region)) return LOST;
  if (slowMs !== undefined) return upResult(target, region, at, slowMs);
  if (regions !== undefined && !regions.includes(region)) return upResult(target, region, at);
  const { cause, code, statusCode } = {
    ...problem,
    statusCode: problem.statusCode,
    ...problem.causes?.[region],
  };
  const works = upResult(target, region, at);
  const isAnswered = code === 'http_status' && problem.causes?.[region] === undefined;
  return {
    ...works,
    vote: 'down',
    failure: { code: code as FailureCode, text: cause },
    responseTimeMs: isAnswered ? works.responseTimeMs : null,
    statusCode: isAnswered ? (statusCode ?? null) : null,
    timings: isAnswered
      ? works.timings
      : { ...NO_TIMINGS, dnsMs: works.timings.dnsMs, totalMs: totalOf(works.timings, code) },
    remoteAddress: ADDRESS.exec(cause)?.[0] ?? works.remoteAddress,
    evidence: isAnswered ? answer : null,
  };
}

/** Address that a cause names. */
const ADDRESS = /\b(?:\d{1,3}\.){3}\d{1,3}\b/;

/** Duration of a check that fails, in milliseconds: until its time limit, or until the target refuses. */
function totalOf({ dnsMs, tcpMs }: Timings, code: string | null | undefined): number {
  return DEADLINE_MS[code ?? ''] ?? round((dnsMs ?? 0) + (tcpMs ?? 10));
}

/** Time limits by the code of the failure. */
const DEADLINE_MS: Partial<Record<string, number>> = {
  no_response: 10_000,
  connection_timeout: 10_000,
  host_unreachable: 3_050,
};

const LOST: CheckResult = {
  vote: 'unknown',
  failure: { code: 'probe_lost', text: 'The probe did not answer' },
  responseTimeMs: null,
  statusCode: null,
  timings: NO_TIMINGS,
  remoteAddress: null,
  evidence: null,
};

/** Addresses for documentation (RFC 5737). */
export function addressOf(name: string, draw = 0): string {
  const last = 10 + ((numberOf(name) >>> 3) % 200);
  return `203.0.113.${draw < 0.5 ? last : last + 1}`;
}

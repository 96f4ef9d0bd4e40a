import { toMicroseconds, type RegionResult } from '../src/model/check.ts';
import type { Failure } from '../src/model/failure.ts';
import type { Round, RoundSettings } from '../src/model/round.ts';
import { REGIONS } from './preload.ts';

export const INTERVAL_MS = 30_000;

const SETTINGS: RoundSettings = {
  intervalMs: INTERVAL_MS,
  failureThreshold: 2,
  recoveryThreshold: 1,
  slowResponseThresholdMs: null,
  content: null,
  inspections: [],
  checkBothFamilies: false,
};

const FAILURE: Failure = { code: 'http_status', text: 'HTTP status 503 is not accepted' };

/**
 * A round of HTTPS checks of a distant target: each monitor has its own distances, and each round differs by up to a
 * tenth. One monitor in 50 fails, and one of four of these recovers every ten rounds; one round in 200 fails in one region.
 */
export function roundOf(monitorId: number, number: number, startedAt: number): Round {
  const isFailing = monitorId % 50 === 0 && (monitorId % 200 !== 0 || number % 20 < 10);
  const failingAlone = (monitorId * 7 + number * 13) % 200 === 3 ? monitorId % REGIONS.length : -1;
  const results = REGIONS.map((region, index) =>
    resultOf(region, {
      distance: 4 + noise(monitorId, index) * 140,
      jitter: 0.9 + noise(monitorId * 31 + number, index) / 5,
      startedAt,
      isFailing: isFailing || index === failingAlone,
      address: `198.51.${monitorId & 127}.${(monitorId >> 7) & 127}`,
    }),
  );
  return {
    monitorId,
    teamId: 1,
    revision: 0,
    slot: startedAt,
    startedAt,
    finishedAt: startedAt + 800,
    steady: { process: 'bench', startedAt, finishedAt: startedAt + 800 },
    settings: SETTINGS,
    host: `target-${monitorId}.example`,
    knownRegions: REGIONS,
    results,
  };
}

interface Target {
  /** Milliseconds of one way there and back. */
  distance: number;
  jitter: number;
  startedAt: number;
  isFailing: boolean;
  address: string;
}

function resultOf(region: string, target: Target): RegionResult {
  const { distance, jitter, startedAt, isFailing, address } = target;
  const phase = (milliseconds: number) => toMicroseconds(milliseconds * jitter);
  const [dnsMs, tcpMs, tlsMs] = [phase(distance / 9), phase(distance), phase(distance * 1.13)];
  const ttfbMs = phase(distance * 1.4 + 20);
  const totalMs = toMicroseconds(dnsMs + tcpMs + tlsMs + ttfbMs + 1.2);
  return {
    region,
    vantage: 'bench',
    vote: isFailing ? 'down' : 'up',
    failure: isFailing ? FAILURE : null,
    responseTimeMs: totalMs,
    statusCode: isFailing ? 503 : 200,
    timings: { dnsMs, tcpMs, tlsMs, ttfbMs, totalMs },
    remoteAddress: address,
    evidence: null,
    checkedAt: startedAt + Math.floor(jitter * 3),
    sentAt: startedAt + Math.floor(jitter * 3),
  };
}

/** A number from 0 to 1 that looks random and is always the same. */
function noise(seed: number, index: number): number {
  const mixed = Math.imul(seed ^ (index * 0x9e3779b9), 0x85ebca6b);
  return ((Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35) >>> 8) & 0xffff) / 0xffff;
}

import { ByteReader, ByteWriter } from '../../lib/varint.ts';
import type { Timings, Vote } from '../../model/check.ts';
import type { Region } from '../../model/monitor.ts';
import {
  clear,
  emptyHistogram,
  mergeInto,
  readHistogram,
  record,
  writeHistogram,
  type Histogram,
} from './histogram.ts';

/** The phases of a check whose mean is kept. */
export const PHASE_NAMES = ['dns', 'tcp', 'tls', 'ttfb'] as const;
export type PhaseName = (typeof PHASE_NAMES)[number];

/** Number of times a phase happened, and its total duration in tenths of a millisecond. */
export interface PhaseSum {
  count: number;
  sumTenths: number;
}

export interface RegionSummary {
  up: number;
  down: number;
  unknown: number;
  /** Response times of the checks that were up. */
  responseTimes: Histogram;
  phases: Record<PhaseName, PhaseSum>;
}

/** Results of a monitor's checks during an hour, a day or any other period. */
export type Summary = Map<Region, RegionSummary>;

/** The part of a result that is summed up. */
export interface SummarisedResult {
  region: Region;
  vote: Vote;
  responseTimeMs: number | null;
  timings: Timings;
}

/** Counts one result. Times of failed checks are left out: they tell of deadlines, not of the target. */
export function addResult(summary: Summary, result: SummarisedResult): void {
  const region = regionOf(summary, result.region);
  region[result.vote] += 1;
  if (result.vote !== 'up') return;
  addResponseTime(region.responseTimes, result);
  for (const name of PHASE_NAMES) {
    const milliseconds = result.timings[`${name}Ms`];
    if (milliseconds === null) continue;
    region.phases[name].count += 1;
    region.phases[name].sumTenths += Math.round(milliseconds * 10);
  }
}

/** Counts the response time of a result that is up. */
export function addResponseTime(
  into: Histogram,
  { vote, responseTimeMs }: Pick<SummarisedResult, 'vote' | 'responseTimeMs'>,
): void {
  if (vote === 'up' && responseTimeMs !== null) record(into, responseTimeMs);
}

/** Adds all of `from` to `into`: associative and commutative. */
export function mergeSummary(into: Summary, from: Summary): void {
  for (const [code, region] of from) {
    const target = regionOf(into, code);
    target.up += region.up;
    target.down += region.down;
    target.unknown += region.unknown;
    mergeInto(target.responseTimes, region.responseTimes);
    for (const name of PHASE_NAMES) {
      target.phases[name].count += region.phases[name].count;
      target.phases[name].sumTenths += region.phases[name].sumTenths;
    }
  }
}

/** The response times of all regions together. */
export function allResponseTimes(summary: Summary): Histogram {
  const all = emptyHistogram();
  for (const region of summary.values()) mergeInto(all, region.responseTimes);
  return all;
}

const VERSION = 1;

/** Packs a summary: about 40 to 60 bytes a region for an hour at 30 s. The same summary gives the same bytes. */
export function encodeSummary(summary: Summary): Buffer {
  const bytes = new ByteWriter(256);
  bytes.byte(VERSION);
  bytes.varint(summary.size);
  const regions = [...summary].toSorted(([a], [b]) => (a < b ? -1 : 1));
  for (const [code, region] of regions) {
    bytes.text(code);
    for (const count of [region.up, region.down, region.unknown]) bytes.varint(count);
    for (const name of PHASE_NAMES) {
      bytes.varint(region.phases[name].count);
      if (region.phases[name].count > 0) bytes.varint(region.phases[name].sumTenths);
    }
    writeHistogram(bytes, region.responseTimes);
  }
  return bytes.finish();
}

/** Adds a packed summary to `into`; without a change and false where the bytes are damaged or of a newer version. */
export function decodeSummaryInto(into: Summary, data: Uint8Array): boolean {
  try {
    mergeSummary(into, read(new ByteReader(data)));
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Response times of one summary, until it is read to its end: a damaged one adds nothing. */
const unpacked = emptyHistogram();

/** Adds the response times of all regions of a packed summary to `into`; false as above. Much faster than unpacking it. */
export function decodeResponseTimesInto(into: Histogram, data: Uint8Array): boolean {
  try {
    readResponseTimes(new ByteReader(data), unpacked);
    mergeInto(into, unpacked);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  } finally {
    clear(unpacked);
  }
}

function readResponseTimes(bytes: ByteReader, into: Histogram): void {
  if (bytes.byte() !== VERSION) throw new RangeError('The summary is of a newer version.');
  const regions = bytes.varint();
  for (let index = 0; index < regions; index++) {
    bytes.skipBlock();
    for (let vote = 0; vote < 3; vote++) bytes.varint();
    for (const _ of PHASE_NAMES) if (bytes.varint() > 0) bytes.varint();
    readHistogram(bytes, into);
  }
}

function read(bytes: ByteReader): Summary {
  const summary: Summary = new Map();
  if (bytes.byte() !== VERSION) throw new RangeError('The summary is of a newer version.');
  const regions = bytes.varint();
  for (let index = 0; index < regions; index++) {
    const region = regionOf(summary, bytes.text());
    region.up += bytes.varint();
    region.down += bytes.varint();
    region.unknown += bytes.varint();
    for (const name of PHASE_NAMES) {
      const count = bytes.varint();
      region.phases[name].count += count;
      if (count > 0) region.phases[name].sumTenths += bytes.varint();
    }
    readHistogram(bytes, region.responseTimes);
  }
  return summary;
}

function regionOf(summary: Summary, code: Region): RegionSummary {
  let region = summary.get(code);
  if (!region) {
    const phases = { dns: noTime(), tcp: noTime(), tls: noTime(), ttfb: noTime() };
    region = { up: 0, down: 0, unknown: 0, responseTimes: emptyHistogram(), phases };
    summary.set(code, region);
  }
  return region;
}

const noTime = (): PhaseSum => ({ count: 0, sumTenths: 0 });

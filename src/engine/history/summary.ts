import { ByteReader, ByteWriter } from '../../lib/varint.ts';
import type { Timings, Vote } from '../../model/check.ts';
import type { Region } from '../../model/monitor.ts';

export const PHASE_NAMES = ['dns', 'tcp', 'tls', 'ttfb'] as const;
export type PhaseName = (typeof PHASE_NAMES)[number];

/** Number of times a phase happened, and its total duration in tenths of a millisecond. */
interface PhaseSum {
  count: number;
  sumTenths: number;
}

interface RegionSummary {
  up: number;
  down: number;
  unknown: number;
  responseTimes: Histogram;
  phases: Record<PhaseName, PhaseSum>;
}

/** Results of a monitor's checks during an hour, a day or any other period. */
export type Summary = Map<Region, RegionSummary>;

export interface SummarisedResult {
  region: Region;
  vote: Vote;
  responseTimeMs: number | null;
  timings: Timings;
}

/** Counts one result. Times of failed checks are left out: they show deadlines, not the target. */
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

/**
 * Response times counted in buckets whose bounds grow by 5 %: any percentile is answered within 2.5 % of a time that
 * was measured, and histograms of hours, days or regions are merged without a loss.
 */
export interface Histogram {
  readonly buckets: Uint32Array;
  count: number;
  /** Tenths of a millisecond: whole, so that the order of merging makes no difference. */
  sumTenths: number;
}

/** Times outside of these are counted as the nearest of them. */
export const SHORTEST_MS = 0.1;
export const LONGEST_MS = 120_000;

const GROWTH = 1.05;
const LOG_GROWTH = Math.log(GROWTH);
const BUCKETS = Math.ceil(Math.log(LONGEST_MS / SHORTEST_MS) / LOG_GROWTH) + 1;

export function emptyHistogram(): Histogram {
  return { buckets: new Uint32Array(BUCKETS), count: 0, sumTenths: 0 };
}

function clear(histogram: Histogram): void {
  histogram.buckets.fill(0);
  histogram.count = 0;
  histogram.sumTenths = 0;
}

export function record(histogram: Histogram, milliseconds: number): void {
  const bounded = Math.min(LONGEST_MS, Math.max(SHORTEST_MS, milliseconds));
  const bucket = Math.ceil(Math.log(bounded / SHORTEST_MS) / LOG_GROWTH);
  histogram.buckets[bucket]! += 1;
  histogram.count += 1;
  histogram.sumTenths += Math.round(bounded * 10);
}

export function mergeInto(into: Histogram, from: Histogram): void {
  for (let bucket = 0; bucket < BUCKETS; bucket++) into.buckets[bucket]! += from.buckets[bucket]!;
  into.count += from.count;
  into.sumTenths += from.sumTenths;
}

export function merge(a: Histogram, b: Histogram): Histogram {
  const merged = emptyHistogram();
  mergeInto(merged, a);
  mergeInto(merged, b);
  return merged;
}

/** Mean in milliseconds to 0.1 ms a time, null when nothing was counted. */
export function mean(histogram: Histogram): number | null {
  return histogram.count === 0 ? null : histogram.sumTenths / histogram.count / 10;
}

/**
 * The time in milliseconds, within 2.5 %, that `percent` of the times don't exceed (the nearest-rank method).
 * `percent` is 0 to 100; null when nothing was counted.
 */
export function percentile(histogram: Histogram, percent: number): number | null {
  if (histogram.count === 0) return null;
  const rank = Math.max(1, Math.ceil((percent / 100) * histogram.count));
  let seen = 0;
  let bucket = 0;
  for (; bucket < BUCKETS - 1; bucket += 1) {
    seen += histogram.buckets[bucket]!;
    if (seen >= rank) break;
  }
  return middleOf(bucket);
}

/** The value whose relative distance to both bounds of the bucket is the same. */
function middleOf(bucket: number): number {
  const upper = SHORTEST_MS * GROWTH ** bucket;
  return bucket === 0 ? upper : (2 * upper) / (1 + GROWTH);
}

/** A bucket that is near the last one, with a small count, takes one byte. */
const NEAR = 8;

/**
 * Packs the buckets that aren't empty, each as a varint of `(count - 1) * 8 + gap`, where the gap to the one before
 * is 1 to 7; 0 says that it follows by itself. The sum stands before them.
 */
export function writeHistogram(bytes: ByteWriter, histogram: Histogram): void {
  const packed = new ByteWriter();
  let before = -1;
  for (let bucket = 0; bucket < BUCKETS; bucket++) {
    const count = histogram.buckets[bucket]!;
    if (count === 0) continue;
    const gap = bucket - before;
    packed.varint((count - 1) * NEAR + (gap < NEAR ? gap : 0));
    if (gap >= NEAR) packed.varint(gap);
    before = bucket;
  }
  bytes.varint(histogram.sumTenths);
  bytes.block(packed.finish());
}

/** Adds a packed histogram to `into`. Throws RangeError when the bytes are damaged, `into` then holds a part. */
export function readHistogram(bytes: ByteReader, into: Histogram): void {
  into.sumTenths += bytes.varint();
  const end = bytes.blockEnd();
  let bucket = -1;
  while (bytes.position < end) {
    const value = bytes.varint();
    const gap = value % NEAR || bytes.varint();
    const count = Math.floor(value / NEAR) + 1;
    bucket += gap;
    if (bucket < 0 || bucket >= BUCKETS) throw new RangeError('A histogram has a bucket too many.');
    into.buckets[bucket]! += count;
    into.count += count;
  }
  if (bytes.position > end) throw new RangeError('A histogram ends within a number.');
}

/** Response times of one summary, until it is read to its end: a damaged one adds nothing. */
const unpacked = emptyHistogram();

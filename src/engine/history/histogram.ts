import { ByteWriter, type ByteReader } from '../../lib/varint.ts';

/**
 * Response times counted in buckets whose bounds grow by 5 %: any percentile is answered within 2.5 % of a time that
 * was measured, and histograms of hours, days or regions are merged without a loss.
 */
export interface Histogram {
  /** The number of times in each bucket; most are 0. */
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

/** Removes all times. */
export function clear(histogram: Histogram): void {
  histogram.buckets.fill(0);
  histogram.count = 0;
  histogram.sumTenths = 0;
}

/** Counts one time, in milliseconds. */
export function record(histogram: Histogram, milliseconds: number): void {
  const bounded = Math.min(LONGEST_MS, Math.max(SHORTEST_MS, milliseconds));
  const bucket = Math.ceil(Math.log(bounded / SHORTEST_MS) / LOG_GROWTH);
  histogram.buckets[bucket]! += 1;
  histogram.count += 1;
  histogram.sumTenths += Math.round(bounded * 10);
}

/** Adds all of `from` to `into`. */
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

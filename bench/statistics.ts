/** The value below which that share of the values lies; NaN without values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** The value in the middle, or the mean of the two in the middle; NaN without values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  if (sorted.length % 2 === 1) return sorted[Math.floor(half)]!;
  return (sorted[half - 1]! + sorted[half]!) / 2 || Number.NaN;
}

/** Distance between the least and the greatest value, relative to the median. */
export function spread(values: readonly number[]): number {
  const width = Math.max(...values) - Math.min(...values);
  return width === 0 ? 0 : width / Math.abs(median(values));
}

/** Upper bounds of a histogram's buckets with their cumulative counts. */
export type Buckets = ReadonlyMap<number, number>;

/** Upper bound of the bucket that contains that share of the values that came after `before`, in the buckets' unit. */
export function histogramPercentile(before: Buckets, after: Buckets, share: number): number {
  const counted = [...after].map(
    ([bound, count]) => [bound, count - (before.get(bound) ?? 0)] as const,
  );
  const total = counted.at(-1)?.[1] ?? 0;
  return counted.find(([, count]) => count >= total * share)?.[0] ?? Number.NaN;
}

import type { Result } from '../../client/types.gen.ts';

/** Newest result of each region, in the order of the regions; null where none is known. */
export function newestByRegion<Row extends Pick<Result, 'region' | 'checked_at'>>(
  regions: readonly string[],
  results: readonly Row[],
): { region: string; result: Row | null }[] {
  const newest = new Map<string, Row>();
  for (const result of results) {
    const known = newest.get(result.region);
    if (known === undefined || result.checked_at > known.checked_at)
      newest.set(result.region, result);
  }
  return regions.map((region) => ({ region, result: newest.get(region) ?? null }));
}

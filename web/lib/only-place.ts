import type { Region } from '../client/types.gen.ts';

/**
 * The place that all of these regions are checked from, where it is a single one: what they see is then one view, and is shown
 * as one. Null for a single region, and for several places.
 */
export function onlyPlace(
  codes: readonly string[],
  regions: readonly Region[] | undefined,
): string | null {
  if (codes.length < 2 || regions === undefined) return null;
  const places = new Set(
    codes.map((code) => regions.find((region) => region.code === code)?.vantage ?? null),
  );
  const [place] = places;
  return places.size === 1 && place !== undefined ? place : null;
}

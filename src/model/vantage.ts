/** What was seen from one machine. */
export interface Sight {
  /** Name of the machine; absent where none looked, and in records older than the name. */
  vantage?: string | null;
}

/**
 * Name of the one machine that all of these were seen from; null when there were several, or none is known
 * (contract 14.17).
 */
export function sharedVantage(sights: readonly Sight[]): string | null {
  const names = new Set(sights.flatMap(({ vantage }) => vantage ?? []));
  return names.size === 1 ? [...names][0]! : null;
}

/** The one machine that probes for all regions of an installation, which are one place then. */
export interface OnlyVantage {
  name: string;
  regions: readonly string[];
}

/** Null when several machines probe for these regions, or the machine of one of them is not known. */
export function onlyVantage(
  regions: readonly string[],
  vantageOf: (region: string) => string | null,
): OnlyVantage | null {
  const vantages = regions.map(vantageOf);
  if (vantages.includes(null)) return null;
  const name = sharedVantage(vantages.map((vantage) => ({ vantage })));
  return name === null ? null : { name, regions };
}

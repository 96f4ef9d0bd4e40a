/** Something observed from one machine. */
export interface Observation {
  /** Name of the machine; absent if no machine was involved, and in older records. */
  vantage?: string | null;
}

/**
 * Name of the one machine that made all observations; null if there were several, or none is known (contract 14.17).
 */
export function sharedVantage(observations: readonly Observation[]): string | null {
  const names = new Set(observations.flatMap(({ vantage }) => vantage ?? []));
  return names.size === 1 ? [...names][0]! : null;
}

/** The only machine that probes for all regions of an installation, which makes them one vantage point. */
export interface SoleVantage {
  name: string;
  regions: readonly string[];
}

/** Finds the only machine that probes for these regions; null if there are several, or one is unknown. */
export function soleVantage(
  regions: readonly string[],
  vantageOf: (region: string) => string | null,
): SoleVantage | null {
  const vantages = regions.map(vantageOf);
  if (vantages.includes(null)) return null;
  const name = sharedVantage(vantages.map((vantage) => ({ vantage })));
  return name === null ? null : { name, regions };
}

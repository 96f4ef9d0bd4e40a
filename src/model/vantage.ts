/** What was seen from one machine. */
export interface Sight {
  /** Name of the machine; absent where none looked, and in records older than the name. */
  vantage?: string | null;
}

/**
 * Name of the one machine that all of these were seen from; null when there were several, or none is known
 * (completions, section 6, "Vantage").
 */
export function sharedVantage(sights: readonly Sight[]): string | null {
  const names = new Set(sights.flatMap(({ vantage }) => vantage ?? []));
  return names.size === 1 ? [...names][0]! : null;
}

import type { RegionResult } from '../model/check.ts';
import type { Round, RoundClass, Verdict } from '../model/round.ts';

/**
 * What the votes of a round say (completions, section 6): with R regions that have a live probe, V voting and D of
 * them down, it is down when D > V/2 and V > R/2, regional when D > 0 otherwise, and up when D = 0.
 */
export function verdictOf(round: Round): Verdict {
  const voting = round.results.filter((result) => result.vote !== 'unknown');
  const failing = voting.filter((result) => result.vote === 'down').map((result) => result.region);
  const known = Math.max(round.knownRegions.length, voting.length);
  const roundClass = classOf(known, voting.length, failing.length);
  const medianMs = median(responseTimes(voting));
  return { class: roundClass, failing, medianMs, slow: slowness(round, roundClass, medianMs) };
}

/** The class for R known regions, V voting ones and D of these down. */
export function classOf(known: number, voting: number, down: number): RoundClass {
  if (voting === 0) return 'unknown';
  if (down === 0) return 'up';
  return down > voting / 2 && voting > known / 2 ? 'down' : 'regional';
}

function slowness(round: Round, roundClass: RoundClass, medianMs: number | null): Verdict['slow'] {
  const threshold = round.settings.slowResponseThresholdMs;
  // A round that saw nothing ends nothing, not even what was switched off: that waits for one that did.
  if (roundClass === 'unknown') return 'unknown';
  if (threshold === null) return 'off';
  if (medianMs === null || roundClass === 'down') return 'unknown';
  return medianMs > threshold ? 'bad' : 'good';
}

function responseTimes(results: RegionResult[]): number[] {
  return results
    .filter((result) => result.vote === 'up' && result.responseTimeMs !== null)
    .map((result) => result.responseTimeMs!);
}

/** Of an even number the mean of the middle two; null of none. */
function median(values: number[]): number | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

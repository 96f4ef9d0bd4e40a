import type { RegionResult } from '../../model/check.ts';
import { isContentCode } from '../../model/failure.ts';
import type { Round, RoundClass, TrackVerdict, Verdict } from '../../model/round.ts';

/**
 * What the votes of a round say (contract 18.3, 18.5): with R regions that have a live probe, V voting and D of
 * them down, it is down when D > V/2 and V > R/2, regional when D > 0 otherwise, and up when D = 0.
 */
export function verdictOf(round: Round): Verdict {
  const voting = round.results.filter((result) => result.vote !== 'unknown');
  const down = voting.filter((result) => result.vote === 'down');
  const unreachable = down.filter((result) => !failsByContent(result));
  const known = Math.max(round.knownRegions.length, voting.length);
  const roundClass = classOf(known, voting.length, down.length);
  const reachability = reachabilityOf(roundClass, unreachable.length, down.length);
  const named = roundClass === 'down' ? unreachable : down;
  const medianMs = median(responseTimes(voting));
  return {
    class: roundClass,
    reachability,
    failing: (reachability === 'regional' ? named : down).map((result) => result.region),
    content: contentOf(round, roundClass, reachability, voting.filter(passed).length),
    dualStack: dualStackOf(round, roundClass, known),
    medianMs,
    slow: slowness(round, roundClass, medianMs),
  };
}

/** Whether the request succeeded and what came failed. */
export function failsByContent({ failure }: RegionResult): boolean {
  return failure !== null && isContentCode(failure.code);
}

/** A majority that fails is blamed on what most of it saw; a tie on reachability, since nothing else could be seen. */
function reachabilityOf(roundClass: RoundClass, unreachable: number, down: number): RoundClass {
  if (roundClass !== 'down' || unreachable >= down - unreachable) return roundClass;
  return unreachable > 0 ? 'regional' : 'up';
}

/** Where the certificate is bad, and something was withheld for that, the answer was not searched. */
function passed({ vote, certificateFault, content }: RegionResult): boolean {
  return vote === 'up' && (certificateFault === undefined || content !== undefined);
}

/** `good` regions got an answer whose content was as it should be. */
function contentOf(
  round: Round,
  roundClass: RoundClass,
  reachability: RoundClass,
  good: number,
): TrackVerdict {
  if (roundClass === 'unknown') return 'unknown';
  if (round.settings.content === null) return 'off';
  if (roundClass === 'down') return reachability === 'down' ? 'unknown' : 'bad';
  return good > 0 ? 'good' : 'unknown';
}

function dualStackOf(round: Round, roundClass: RoundClass, known: number): TrackVerdict {
  if (roundClass === 'unknown') return 'unknown';
  if (!round.settings.checkBothFamilies) return 'off';
  const tried = round.results.flatMap(({ families }) => (families ? [families] : []));
  const broken = tried.filter(({ ipv4, ipv6 }) => ipv4 !== null || ipv6 !== null).length;
  // A name that has lost its addresses of one family has nothing broken left.
  const single = round.results.filter(({ hasOneFamily }) => hasOneFamily).length;
  const verdict = classOf(known, tried.length + single, broken);
  return verdict === 'up' ? 'good' : verdict === 'down' ? 'bad' : 'unknown';
}

/** The class for R known regions, V voting ones and D of these down. */
export function classOf(known: number, voting: number, down: number): RoundClass {
  if (voting === 0) return 'unknown';
  if (down === 0) return 'up';
  return down > voting / 2 && voting > known / 2 ? 'down' : 'regional';
}

function slowness(round: Round, roundClass: RoundClass, medianMs: number | null): TrackVerdict {
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

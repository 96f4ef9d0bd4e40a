import { sharedProbeHost, type RegionResult } from '../../model/check.ts';
import { isContentCode, type ProblemCode } from '../../model/failure.ts';
import type { Round, RoundClass, ConfirmationVerdict, Verdict } from '../../model/round.ts';
import type { Condition } from '../../model/condition.ts';
import type { RegionEvidence } from '../../model/incident.ts';

/**
 * The verdict of a round's votes (contract 18.3, 18.5): with R regions that have a live probe, V voting and D of
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

/**
 * Classifies reachability when most regions fail. Failures of content count as reachable: the class is down only if at
 * least half of the failing regions did not reach the target.
 */
function reachabilityOf(roundClass: RoundClass, unreachable: number, down: number): RoundClass {
  if (roundClass !== 'down' || unreachable >= down - unreachable) return roundClass;
  return unreachable > 0 ? 'regional' : 'up';
}

/** True for an up vote whose content was checked. Behind a bad certificate it may not have been: no answer was read. */
function passed({ vote, certificateFault, content }: RegionResult): boolean {
  return vote === 'up' && (certificateFault === undefined || content !== undefined);
}

/** `good` regions got an answer whose content was as it should be. */
function contentOf(
  round: Round,
  roundClass: RoundClass,
  reachability: RoundClass,
  good: number,
): ConfirmationVerdict {
  if (roundClass === 'unknown') return 'unknown';
  if (round.settings.content === null) return 'off';
  if (roundClass === 'down') return reachability === 'down' ? 'unknown' : 'bad';
  return good > 0 ? 'good' : 'unknown';
}

function dualStackOf(round: Round, roundClass: RoundClass, known: number): ConfirmationVerdict {
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

function slowness(
  round: Round,
  roundClass: RoundClass,
  medianMs: number | null,
): ConfirmationVerdict {
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

/** The median, which for an even number of values is the mean of the middle two; null without values. */
function median(values: number[]): number | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The conditions that a verdict speaks of, each of which a monitor has once enough rounds in a row say so. */
export function conditionsOf({ settings }: Round, verdict: Verdict): Condition[] {
  const { reachability, content, dualStack, slow } = verdict;
  return [
    ...(reachability === 'down' ? (['uptime'] as const) : []),
    ...(reachability === 'regional' ? (['regional'] as const) : []),
    ...(content === 'bad' ? [contentCondition(settings)] : []),
    ...(dualStack === 'bad' ? (['dual_stack'] as const) : []),
    ...(slow === 'bad' ? (['slow_response'] as const) : []),
  ];
}

export function contentCondition({ content }: Round['settings']): 'keyword' | 'json_assertion' {
  return content === 'json' ? 'json_assertion' : 'keyword';
}

/** The sentence for people: what most of the failing regions saw; ties go to the region that comes first. */
export function causeOf(condition: Condition, round: Round, verdict: Verdict) {
  if (condition === 'slow_response') {
    return { rootCause: slowCause(round, verdict), failureCode: null };
  }
  const failure = commonFailure(failuresFor(condition, round));
  if (!failure) return { rootCause: 'The check failed', failureCode: null };
  const from = condition === 'regional' ? ` (${whereOf(round, verdict)})` : '';
  return { rootCause: failure.text + from, failureCode: failure.code };
}

/** The regions that fail; where one machine checks for all of them, the number of its checks that failed. */
function whereOf({ results }: Round, { failing }: Verdict): string {
  const voting = results.filter(({ vote }) => vote !== 'unknown');
  const probeHost = sharedProbeHost(voting);
  return probeHost === null
    ? `from ${failing.join(', ')} only`
    : `in ${failing.length} of ${voting.length} checks from ${probeHost}`;
}

function failuresFor(condition: Condition, round: Round): Problem[] {
  if (condition === 'dual_stack') return round.results.flatMap(familyProblem);
  const failing = failingResults(round);
  if (condition === 'regional') return failing.map(({ failure }) => failure!);
  const isContent = condition !== 'uptime';
  return failing
    .filter((result) => failsByContent(result) === isContent)
    .map(({ failure }) => failure!);
}

interface Problem {
  code: ProblemCode;
  text: string;
}

function familyProblem({ families }: RegionResult): Problem[] {
  if (!families) return [];
  const { ipv4, ipv6 } = families;
  if (ipv6) return [{ code: 'ipv6_broken', text: `IPv6 is broken while IPv4 works: ${ipv6.text}` }];
  if (ipv4) return [{ code: 'ipv4_broken', text: `IPv4 is broken while IPv6 works: ${ipv4.text}` }];
  return [];
}

/** Results of all regions for the incident's record. @param attempts times of the run that confirmed it. */
export function evidenceOf(
  condition: Condition,
  round: Round,
  attempts: number[],
): RegionEvidence[] {
  if (condition === 'slow_response') return [];
  return round.results.map((result) => ({
    region: result.region,
    ...(result.vantage !== undefined && result.vote !== 'unknown' && { vantage: result.vantage }),
    failure: (condition === 'dual_stack' ? familyProblem(result)[0] : null) ?? result.failure,
    checkedAt: result.checkedAt,
    attempts,
    timings: result.timings,
    statusCode: result.statusCode,
    remoteAddress: result.remoteAddress,
    answer: result.evidence,
  }));
}

function failingResults(round: Round): RegionResult[] {
  return round.results.filter((result) => result.vote === 'down' && result.failure !== null);
}

function commonFailure(failures: Problem[]): Problem | null {
  const votes = new Map<ProblemCode, number>();
  for (const { code } of failures) votes.set(code, (votes.get(code) ?? 0) + 1);
  const most = Math.max(0, ...votes.values());
  return failures.find(({ code }) => votes.get(code) === most) ?? null;
}

function slowCause(round: Round, verdict: Verdict): string {
  const time = Math.round(verdict.medianMs ?? 0).toLocaleString('en');
  const threshold = (round.settings.slowResponseThresholdMs ?? 0).toLocaleString('en');
  return `Response time of ${time} ms is over the threshold of ${threshold} ms`;
}

import type { Condition } from '../../model/condition.ts';
import type { RegionResult } from '../../model/check.ts';
import type { ProblemCode } from '../../model/failure.ts';
import type { RegionEvidence } from '../../model/incident.ts';
import type { Round, Verdict } from '../../model/round.ts';
import { sharedVantage } from '../../model/vantage.ts';
import { failsByContent } from './round.ts';

export interface Cause {
  rootCause: string;
  failureCode: ProblemCode | null;
}

/** The sentence for people: what most of the failing regions saw; ties go to the region that comes first. */
export function causeOf(condition: Condition, round: Round, verdict: Verdict): Cause {
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
  const vantage = sharedVantage(voting);
  return vantage === null
    ? `from ${failing.join(', ')} only`
    : `in ${failing.length} of ${voting.length} checks from ${vantage}`;
}

/** What of a round speaks for a condition. */
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

/**
 * What each region saw, those that were well too, for the incident's record. `attempts` are the times of the run that
 * confirmed it (epoch ms).
 */
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
  const median = Math.round(verdict.medianMs ?? 0).toLocaleString('en');
  const threshold = (round.settings.slowResponseThresholdMs ?? 0).toLocaleString('en');
  return `Response time of ${median} ms is over the threshold of ${threshold} ms`;
}

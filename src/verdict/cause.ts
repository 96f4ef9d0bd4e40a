import type { IncidentType } from '../model/condition.ts';
import type { RegionResult } from '../model/check.ts';
import type { FailureCode } from '../model/failure.ts';
import type { RegionEvidence } from '../model/incident.ts';
import type { Round, Verdict } from '../model/round.ts';

export interface Cause {
  rootCause: string;
  failureCode: FailureCode | null;
}

/** The sentence for people: what most of the failing regions saw; ties go to the region that comes first. */
export function causeOf(type: IncidentType, round: Round, verdict: Verdict): Cause {
  if (type === 'slow_response') return { rootCause: slowCause(round, verdict), failureCode: null };
  const failure = commonFailure(failingResults(round));
  if (!failure) return { rootCause: 'The check failed', failureCode: null };
  const from = type === 'regional' ? ` (from ${verdict.failing.join(', ')} only)` : '';
  return { rootCause: failure.text + from, failureCode: failure.code };
}

/** What each failing region saw, for the incident's record. */
export function evidenceOf(round: Round): RegionEvidence[] {
  return failingResults(round).map((result) => ({
    region: result.region,
    failure: result.failure!,
    checkedAt: result.checkedAt,
    timings: result.timings,
    statusCode: result.statusCode,
    remoteAddress: result.remoteAddress,
    answer: result.evidence,
  }));
}

function failingResults(round: Round): RegionResult[] {
  return round.results.filter((result) => result.vote === 'down' && result.failure !== null);
}

function commonFailure(results: RegionResult[]): RegionResult['failure'] {
  const votes = new Map<FailureCode, number>();
  for (const { failure } of results) votes.set(failure!.code, (votes.get(failure!.code) ?? 0) + 1);
  const most = Math.max(0, ...votes.values());
  return results.find((result) => votes.get(result.failure!.code) === most)?.failure ?? null;
}

function slowCause(round: Round, verdict: Verdict): string {
  const median = Math.round(verdict.medianMs ?? 0).toLocaleString('en');
  const threshold = (round.settings.slowResponseThresholdMs ?? 0).toLocaleString('en');
  return `Response time of ${median} ms is over the threshold of ${threshold} ms`;
}

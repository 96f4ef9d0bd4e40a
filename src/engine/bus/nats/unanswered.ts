import { unknownResult, type CheckResult } from '../../../model/check.ts';
import type { InspectionResult } from '../../../model/inspection.ts';
import type { Region } from '../../../model/monitor.ts';
import { MAX_SLOT_WAIT_MS } from '../../../model/probe-load.ts';
import type { ProbeAnswer, ProbeRequest } from '../../../probe/agent/child.ts';
import { BUS_MARGIN_MS, type ProbedResult } from '../contract.ts';
import type { Unanswered } from './requests.ts';

/** Adds the place to the result of a check. */
export function placed(answer: ProbeAnswer, vantage: string): ProbeAnswer {
  if (!('vote' in answer)) return answer;
  const result: ProbedResult = { ...answer, vantage };
  return result;
}

/** Time after which a request is settled whatever happens. */
export function patienceMs(request: ProbeRequest): number {
  const mayWait = 'teamId' in request && request.teamId !== undefined;
  return request.timeoutMs + BUS_MARGIN_MS + (mayWait ? MAX_SLOT_WAIT_MS : 0);
}

/** Result of a check that no probe answered. */
export function uncheckedBecause(why: Unanswered, region: Region): CheckResult {
  switch (why) {
    case 'no_probe':
      return unknownResult('no_probe', `No probe is running in region ${region}`);
    case 'no_bus':
      return unknownResult('no_probe', 'The connection to NATS is lost');
    case 'lost':
      return unknownResult('probe_lost', 'The probe did not answer');
    case 'unreadable':
      return unknownResult('probe_error', "The probe's answer could not be read");
    case 'outdated':
      return unknownResult(
        'probe_unable',
        `The probe of region ${region} is of another release and can't run this check: upgrade it`,
      );
    case 'aborted':
      return unknownResult('aborted', 'The service stopped before the check ended');
  }
}

/** Outcome of an inspection that no probe answered. */
export function uninspectedBecause(
  why: Unanswered,
  region: Region | null = null,
): InspectionResult {
  if (why === 'no_probe' || region === null)
    return { state: 'unknown', reason: 'No probe is running' };
  const { failure } = uncheckedBecause(why, region);
  return { state: 'unknown', reason: failure!.text };
}

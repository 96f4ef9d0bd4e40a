import { BUS_MARGIN_MS } from '../../../src/engine/bus/contract.ts';
import type { InspectionRequest, InspectionResult } from '../../../src/model/inspection.ts';
import { dnsFacts, domainFacts, sslFacts } from '../../support/target-facts.ts';
import type { Scenario } from '../scenario.ts';
import { valueAt } from '../segments.ts';
import type { InspectionView } from './scenario.ts';

/**
 * The result of an inspection of a target at that instant, and its delay. `origin` is the wall time at which the world
 * began.
 */
export function inspectionAnswer(
  scenario: Scenario,
  request: InspectionRequest,
  at: number,
  wall: { origin: number; now: number },
  chance: number,
): { result: InspectionResult; afterMs: number } {
  const view = viewOf(scenario, request, at);
  if (view.kind === 'silent') {
    const afterMs = request.timeoutMs + BUS_MARGIN_MS;
    return { result: { state: 'unknown', reason: 'The probe was lost' }, afterMs };
  }
  return { result: resultOf(view, wall), afterMs: 5 + chance ** 3 * LONGEST_ANSWER_MS };
}

export const LONGEST_ANSWER_MS = 5_000;

function viewOf(
  scenario: Scenario,
  request: InspectionRequest,
  at: number,
): InspectionView[keyof InspectionView] {
  if (request.kind === 'domain') return valueAt(scenario.registration, at);
  const { inspected } = scenario.targets.find(({ host }) => host === request.host)!;
  return valueAt<InspectionView['ssl' | 'dns']>(inspected[request.kind], at);
}

export function resultOf(
  view: Exclude<InspectionView[keyof InspectionView], { kind: 'silent' }>,
  wall: { origin: number; now: number },
): InspectionResult {
  switch (view.kind) {
    case 'unclear': {
      const { retryAfterMs } = view;
      const reason = 'The server gave no usable answer';
      return { state: 'unknown', reason, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
    }
    case 'certificate': {
      const facts = sslFacts(wall.origin + view.endsAt, view.mark.padStart(2, '0'));
      const fault = certificateFault(view, wall);
      return { state: 'known', facts: { ...facts, fault } };
    }
    case 'records':
      return { state: 'known', facts: dnsFacts(view.address) };
    case 'failed':
      return { state: 'failed', failure: { code: 'dns_failed', text: 'No name server answers' } };
    case 'registration': {
      const expiresAt = view.expiresAt === null ? null : wall.origin + view.expiresAt;
      const facts = domainFacts(expiresAt);
      return {
        state: 'known',
        facts: view.isLost ? { ...facts, statuses: ['redemption period'] } : facts,
      };
    }
  }
}

/** Why a client rejects the certificate; null if it accepts it. */
export function certificateFault(
  view: Extract<InspectionView['ssl'], { kind: 'certificate' }>,
  { origin, now }: { origin: number; now: number },
) {
  const endsAt = origin + view.endsAt;
  if (now >= endsAt) {
    const day = new Date(endsAt).toISOString().slice(0, 10);
    return { code: 'tls_expired', text: `TLS certificate expired on ${day}` } as const;
  }
  if (view.isTrusted) return null;
  return { code: 'tls_untrusted', text: 'TLS certificate is not trusted' } as const;
}

import { BUS_MARGIN_MS } from '../../../src/engine/bus/contract.ts';
import type { InspectionRequest, InspectionResult } from '../../../src/model/inspection.ts';
import { dnsFacts, domainFacts, sslFacts } from '../../support/target-facts.ts';
import type { Plan } from '../plan.ts';
import { valueAt } from '../segments.ts';
import type { SightOf } from './plan.ts';

/** What a probe finds of a target at that instant, and after how long. `origin` is the wall time of the world's beginning. */
export function findingOf(
  plan: Plan,
  request: InspectionRequest,
  at: number,
  wall: { origin: number; now: number },
  chance: number,
): { result: InspectionResult; afterMs: number } {
  const sight = sightOf(plan, request, at);
  if (sight.kind === 'silent') {
    const afterMs = request.timeoutMs + BUS_MARGIN_MS;
    return { result: { state: 'unknown', reason: 'The probe was lost' }, afterMs };
  }
  return { result: resultOf(sight, wall), afterMs: 5 + chance ** 3 * LONGEST_ANSWER_MS };
}

export const LONGEST_ANSWER_MS = 5_000;

function sightOf(plan: Plan, request: InspectionRequest, at: number): SightOf[keyof SightOf] {
  if (request.kind === 'domain') return valueAt(plan.registration, at);
  const { inspected } = plan.targets.find(({ host }) => host === request.host)!;
  return valueAt<SightOf['ssl' | 'dns']>(inspected[request.kind], at);
}

export function resultOf(
  sight: Exclude<SightOf[keyof SightOf], { kind: 'silent' }>,
  wall: { origin: number; now: number },
): InspectionResult {
  switch (sight.kind) {
    case 'unclear': {
      const { retryAfterMs } = sight;
      const reason = 'The server said nothing of use';
      return { state: 'unknown', reason, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
    }
    case 'certificate': {
      const facts = sslFacts(wall.origin + sight.endsAt, sight.mark.padStart(2, '0'));
      const fault = certificateFault(sight, wall);
      return { state: 'known', facts: { ...facts, fault } };
    }
    case 'records':
      return { state: 'known', facts: dnsFacts(sight.address) };
    case 'failed':
      return { state: 'failed', failure: { code: 'dns_failed', text: 'No name server answers' } };
    case 'registration': {
      const expiresAt = sight.expiresAt === null ? null : wall.origin + sight.expiresAt;
      const facts = domainFacts(expiresAt);
      return {
        state: 'known',
        facts: sight.isLost ? { ...facts, statuses: ['redemption period'] } : facts,
      };
    }
  }
}

/** What a client has against the certificate. */
export function certificateFault(
  sight: Extract<SightOf['ssl'], { kind: 'certificate' }>,
  { origin, now }: { origin: number; now: number },
) {
  const endsAt = origin + sight.endsAt;
  if (now >= endsAt) {
    const day = new Date(endsAt).toISOString().slice(0, 10);
    return { code: 'tls_expired', text: `TLS certificate expired on ${day}` } as const;
  }
  if (sight.isTrusted) return null;
  return { code: 'tls_untrusted', text: 'TLS certificate is not trusted' } as const;
}

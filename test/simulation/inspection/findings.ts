import type { Condition } from '../../../src/model/condition.ts';
import type {
  DomainFacts,
  InspectionKind,
  InspectionResult,
  SslFacts,
} from '../../../src/model/inspection.ts';

/** What an inspection means for one monitor: an independent implementation of the contract, sections 22 and 23. */
export type Finding = Condition | 'good' | 'unknown';

/** Days. */
export interface Allowances {
  sslExpiryThreshold: number;
  domainExpiryThreshold: number;
}

const DAY_MS = 24 * 60 * 60 * 1_000;

/** @param now when it is evaluated (epoch ms), since findings depend on dates. */
export function findingOf(
  kind: InspectionKind,
  result: InspectionResult,
  allowances: Allowances,
  now: number,
): Finding {
  if (result.state === 'failed') return 'dns';
  if (result.state === 'unknown') return 'unknown';
  if (kind === 'dns') return 'good';
  return kind === 'ssl'
    ? ofCertificate(result.facts as SslFacts, allowances.sslExpiryThreshold, now)
    : ofRegistration(result.facts as DomainFacts, allowances.domainExpiryThreshold, now);
}

function ofCertificate({ certificate, fault }: SslFacts, days: number, now: number): Finding {
  const leftMs = certificate.validTo - now;
  // The clock was set back between the inspection and its evaluation: only the next inspection can tell what else is
  // wrong.
  const isSuperseded = fault?.code === 'tls_expired' && leftMs > 0;
  if (leftMs <= 0 || (fault !== null && !isSuperseded)) return 'ssl_invalid';
  if (leftMs < days * DAY_MS) return 'ssl_expiring';
  return isSuperseded ? 'unknown' : 'good';
}

function ofRegistration({ expiresAt, statuses }: DomainFacts, days: number, now: number): Finding {
  if (statuses.includes('redemption period')) return 'domain_expired';
  if (expiresAt === null) return 'good';
  if (expiresAt <= now) return 'domain_expired';
  return expiresAt - now <= days * DAY_MS ? 'domain_expiring' : 'good';
}

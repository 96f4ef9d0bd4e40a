import type { Failure, FailureCode, InspectionCode } from '../../model/failure.ts';
import type {
  CertificateFacts,
  Finding,
  InspectionSettings,
  SslFacts,
} from '../../model/inspection.ts';

const DAY_MS = 86_400_000;
const OWN_NAME = 'TLS certificate';

/** One certificate that clients verify, as a sentence names it. */
interface Dated {
  name: string;
  validTo: number;
}

/**
 * Derives the finding of a certificate for one monitor at `now`, the worst first: invalid dates, a revocation that the
 * server itself staples, another fault, an expiry that is near. With `verifySsl` off, only its own dates and its
 * revocation count; with it on, so do the certificates of authorities that clients need. Pure.
 */
export function sslFinding(facts: SslFacts, settings: InspectionSettings, now: number): Finding {
  const { certificate, ocsp } = facts;
  const earliest = earliestOf(facts, settings);
  const fault = settings.verifySsl ? facts.fault : null;
  const isSuperseded = fault !== null && isAboutOwnDates(fault, certificate);

  if (now >= certificate.validTo) return invalid('tls_expired', hasExpired(ownOf(certificate)));
  if (now < certificate.validFrom) return invalid('tls_not_yet_valid', isEarly(certificate));
  if (ocsp?.status === 'revoked') return invalid('tls_revoked', `${OWN_NAME} is revoked`);
  if (now >= earliest.validTo) return invalid('tls_expired', hasExpired(earliest));
  if (fault !== null && !isSuperseded) return invalid(fault.code, fault.text);
  if (daysLeft(earliest.validTo, now) < settings.sslExpiryThreshold) return expiring(earliest, now);
  // What was wrong with its dates no longer is, and hid what else may be wrong: the next inspection shows it.
  return isSuperseded ? { says: 'unknown' } : { says: 'good' };
}

/** Whole days, rounded down: 13 of 13 days and 23 hours, and below zero once it is over. Times are epoch milliseconds. */
export function daysLeft(validTo: number, now: number): number {
  return Math.floor((validTo - now) / DAY_MS);
}

/** A sentence for the monitor's activity; null when it is the same certificate. */
export function describeCertificateChange(before: SslFacts, after: SslFacts): string | null {
  if (before.certificate.fingerprint === after.certificate.fingerprint) return null;
  return `The TLS certificate was replaced: ${origin(after)} (before: ${origin(before, '')}).`;
}

function origin({ certificate: { issuer, validTo } }: SslFacts, valid = 'valid '): string {
  return `issued by ${issuer ?? 'an authority without a name'}, ${valid}until ${day(validTo)}`;
}

function ownOf({ validTo }: CertificateFacts): Dated {
  return { name: OWN_NAME, validTo };
}

/** The certificate of those that count that ends first. */
function earliestOf({ certificate, chain }: SslFacts, { verifySsl }: InspectionSettings): Dated {
  const own = ownOf(certificate);
  if (!verifySsl) return own;
  return chain
    .filter(({ isSpare }) => isSpare !== true)
    .map(({ subject, validTo }) => ({ name: authorityName(subject), validTo }))
    .reduce((first, each) => (each.validTo < first.validTo ? each : first), own);
}

function authorityName(subject: string | null): string {
  return `The authority's TLS certificate ${subject ?? ''}`.trimEnd();
}

/** A fault of its own dates is evaluated as of `now`, not of the inspection; one of an authority's dates stands. */
function isAboutOwnDates({ text }: Failure, certificate: CertificateFacts): boolean {
  return text === hasExpired(ownOf(certificate)) || text === isEarly(certificate);
}

function hasExpired({ name, validTo }: Dated): string {
  return `${name} expired on ${day(validTo)}`;
}

function isEarly({ validFrom }: CertificateFacts): string {
  return `${OWN_NAME} is not valid before ${day(validFrom)}`;
}

function invalid(code: FailureCode | InspectionCode, text: string): Finding {
  return { says: 'bad', condition: 'ssl_invalid', code, text };
}

function expiring({ name, validTo }: Dated, now: number): Finding {
  const text = `${name} expires in ${inDays(daysLeft(validTo, now))}, on ${day(validTo)}`;
  return { says: 'bad', condition: 'ssl_expiring', code: 'tls_expiring', text };
}

function inDays(days: number): string {
  if (days === 0) return 'less than a day';
  return days === 1 ? '1 day' : `${days} days`;
}

/** In UTC. */
function day(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

import type { InspectionSettings } from '../../monitor-types/fields.ts';
import { enumerated, storableText } from '../../lib/text.ts';
import {
  DNS_RECORD_TYPES,
  type DnsFacts,
  type DomainFacts,
  type FactsOf,
  type Finding,
  type InspectionKind,
  type InspectionResult,
  type SslFacts,
  type DnsRecords,
  type DnsRecordType,
  type CertificateFacts,
} from '../../model/inspection.ts';
import type { Failure, FailureCode, InspectionCode } from '../../model/failure.ts';

/** Derives the finding of a result for a monitor with these settings. Its texts may hold text of the target. Pure. */
export function findingFor(
  target: { kind: InspectionKind; target: string },
  result: InspectionResult,
  settings: InspectionSettings,
  now: number,
): Finding {
  const finding = rawFindingFor(target, result, settings, now);
  return finding.says === 'bad' ? { ...finding, text: storableText(finding.text) } : finding;
}

function rawFindingFor(
  { kind, target }: { kind: InspectionKind; target: string },
  result: InspectionResult,
  settings: InspectionSettings,
  now: number,
): Finding {
  if (kind === 'dns') return dnsFinding(result as InspectionResult<'dns'>);
  if (result.state !== 'known') return { says: 'unknown' };
  return kind === 'ssl'
    ? sslFinding(result.facts as SslFacts, settings, now)
    : domainFinding(target, result.facts as DomainFacts, settings, now);
}

/** A change since the previous inspection, as a sentence without a full stop; null when there is none. */
export function describeChange(
  kind: InspectionKind,
  before: FactsOf[InspectionKind] | null,
  result: InspectionResult,
): string | null {
  if (before === null || result.state !== 'known') return null;
  const change = changeOf(kind, before, result.facts);
  return change === null ? null : storableText(change).replace(/\.$/, '');
}

function changeOf(
  kind: InspectionKind,
  before: FactsOf[InspectionKind],
  after: FactsOf[InspectionKind],
): string | null {
  if (kind === 'domain') return null;
  if (kind === 'ssl') return describeCertificateChange(before as SslFacts, after as SslFacts);
  return describeDnsChange((before as DnsFacts).records, (after as DnsFacts).records);
}

/** The finding of a look-up of a host's records: a failed look-up is a problem, no set of records is. */
export function dnsFinding(result: InspectionResult<'dns'>): Finding {
  switch (result.state) {
    case 'known':
      return { says: 'good' };
    case 'failed':
      return { says: 'bad', condition: 'dns', ...result.failure };
    case 'unknown':
      return { says: 'unknown' };
  }
}

const MAX_CHARACTERS = 500;
/** Values shown of one list, and characters shown of one value; the records themselves are kept whole. */
const SHOWN_VALUES = 3;
const SHOWN_CHARACTERS = 80;

/**
 * One sentence on how two sets of records differ, such as `DNS records changed: A added 192.0.2.7, removed 192.0.2.1.`;
 * null when they are the same. At most 500 characters: what finds no room is counted or named by its type.
 */
export function describeDnsChange(before: DnsRecords, after: DnsRecords): string | null {
  const changed = DNS_RECORD_TYPES.flatMap((type) => {
    const text = typeChange(type, before[type], after[type]);
    return text === null ? [] : [{ type, text }];
  });
  if (changed.length === 0) return null;
  for (let shown = changed.length; shown > 0; shown--) {
    const rest = changed.slice(shown).map(({ type }) => type);
    const parts = changed.slice(0, shown).map(({ text }) => text);
    const sentence = `DNS records changed: ${[...parts, ...changesIn(rest)].join('; ')}.`;
    if (sentence.length <= MAX_CHARACTERS) return sentence;
  }
  return `DNS records changed: ${changesIn(changed.map(({ type }) => type)).join()}.`;
}

function changesIn(types: DnsRecordType[]): string[] {
  return types.length === 0 ? [] : [`further changes in ${types.join(', ')}`];
}

function typeChange(type: DnsRecordType, before: string[], after: string[]): string | null {
  const added = listed(type, without(after, before));
  const removed = listed(type, without(before, after));
  const changes = [
    ...(added === null ? [] : [`added ${added}`]),
    ...(removed === null ? [] : [`removed ${removed}`]),
  ];
  return changes.length === 0 ? null : `${type} ${changes.join(', ')}`;
}

function without(values: string[], others: string[]): string[] {
  const known = new Set(others);
  return [...new Set(values)].filter((value) => !known.has(value));
}

function listed(type: DnsRecordType, values: string[]): string | null {
  if (values.length === 0) return null;
  const shown = values.slice(0, SHOWN_VALUES).map((value) => shownValue(type, value));
  const more = values.length - shown.length;
  return enumerated(more === 0 ? shown : [...shown, `${more} more`]);
}

function shownValue(type: DnsRecordType, value: string): string {
  const short = shortened(value);
  return type === 'TXT' ? `"${short.replaceAll('"', '\\"')}"` : short;
}

function shortened(value: string): string {
  if (value.length <= SHOWN_CHARACTERS) return value;
  return `${value
    .slice(0, SHOWN_CHARACTERS - 1)
    .toWellFormed()
    .replace(/\uFFFD$/, '')}…`;
}

const DAY_MS = 86_400_000;

/** A domain that its owner has lost, or is about to lose (RFC 3915): the date says nothing any more. */
const LOST: Record<string, string> = {
  'redemption period': 'is in its redemption period',
  'pending delete': 'is about to be deleted',
};

/**
 * Derives the finding of a domain's registration: expired or lost, or expiring within the threshold. A registry that
 * gives no date still confirms that the domain is registered, which ends a problem of its status. Pure.
 */
export function domainFinding(
  domain: string,
  facts: DomainFacts,
  settings: Pick<InspectionSettings, 'domain_expiry_threshold'>,
  now: number,
): Finding {
  const { expiresAt, statuses } = facts;
  const lost = Object.keys(LOST).find((status) => statuses.includes(status));
  if (lost !== undefined) return expired(`Domain ${domain} ${LOST[lost]}`);
  if (expiresAt === null) return { says: 'good' };
  const leftMs = expiresAt - now;
  if (leftMs <= 0) return expired(`Domain ${domain} expired on ${day(expiresAt)}`);
  if (leftMs >= settings.domain_expiry_threshold * DAY_MS) return { says: 'good' };
  return {
    says: 'bad',
    condition: 'domain_expiring',
    code: 'domain_expiring',
    text: `Domain ${domain} expires in ${inDays(daysLeft(expiresAt, now))}, on ${day(expiresAt)}`,
  };
}

function expired(text: string): Finding {
  return { says: 'bad', condition: 'domain_expired', code: 'domain_expired', text };
}

const OWN_NAME = 'TLS certificate';

/** One certificate that clients verify, as a sentence names it. */
interface Dated {
  name: string;
  validTo: number;
}

/**
 * Derives the finding of a certificate for one monitor at `now`, the worst first: invalid dates, a revocation that the
 * server itself staples, another fault, an expiry that is near. With `verify_ssl` off, only its own dates and its
 * revocation count; with it on, so do the certificates of authorities that clients need. Pure.
 */
export function sslFinding(facts: SslFacts, settings: InspectionSettings, now: number): Finding {
  const { certificate, ocsp } = facts;
  const earliest = earliestOf(facts, settings);
  const fault = settings.verify_ssl ? facts.fault : null;
  const isSuperseded = fault !== null && isAboutOwnDates(fault, certificate);

  if (now >= certificate.validTo) return invalid('tls_expired', hasExpired(ownOf(certificate)));
  if (now < certificate.validFrom) return invalid('tls_not_yet_valid', isEarly(certificate));
  if (ocsp?.status === 'revoked') return invalid('tls_revoked', `${OWN_NAME} is revoked`);
  if (now >= earliest.validTo) return invalid('tls_expired', hasExpired(earliest));
  if (fault !== null && !isSuperseded) return invalid(fault.code, fault.text);
  if (daysLeft(earliest.validTo, now) < settings.ssl_expiry_threshold)
    return expiring(earliest, now);
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
function earliestOf(
  { certificate, chain }: SslFacts,
  { verify_ssl: isVerified }: InspectionSettings,
): Dated {
  const own = ownOf(certificate);
  if (!isVerified) return own;
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

function day(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

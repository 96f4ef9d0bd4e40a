import { z } from 'zod';
import { domainFinding, daysLeft, sslFinding } from '../../engine/inspect/finding.ts';
import type { FamilyOutcomes, RegionResult } from '../../model/check.ts';
import type { ContentOutcome } from '../../model/content.ts';
import { isContentCode, type Failure } from '../../model/failure.ts';
import type { Finding } from '../../model/inspection.ts';
import type { InspectionSettings, MonitorSettings } from '../../monitor-types/fields.ts';
import type { CheckType } from '../../model/monitor.ts';
import type { Inspected, Inspections } from './inspect-now.ts';
import { viewTimings } from '../incidents/detail.ts';
import { responseTimeMs, textOrNull, time, timings } from '../common/reference-schemas.ts';
import { isoOrNull, isoTime, tenths } from '../common/time.ts';

/** Outcome of an active check type, or the reason in a sentence why it has none. */
type Seen<View extends object> = { view: View } | { notRun: string };

const contentOutcome = z
  .object({
    passed: z.boolean(),
    failures: z.array(z.string()).meta({ description: 'Texts of the outcomes that did not pass.' }),
    outcomes: z
      .array(z.object({ passed: z.boolean(), text: z.string() }))
      .meta({ description: 'Outcome of each keyword or assertion, in their order.' }),
  })
  .meta({ id: 'ContentOutcome', description: 'Outcome of the keywords or the assertions.' });

const days = z.int().nullable().meta({
  description: 'Whole days until expiry; negative afterwards.',
});

export const sslOutcome = z
  .object({
    valid: z.boolean().meta({
      description:
        'True when the certificate is trusted; with `verify_ssl` false, when its dates are valid and it is not revoked.',
    }),
    expires_at: time.nullable(),
    days_until_expiry: days,
    issuer: textOrNull,
    subject: textOrNull,
    protocol: textOrNull.meta({ description: 'Such as TLSv1.3.' }),
    error: textOrNull.meta({
      description:
        'Why it is invalid, or when it expires if that is within `ssl_expiry_threshold`.',
    }),
  })
  .meta({ id: 'SslOutcome', description: 'Current certificate of the target.' });

export const dnsOutcome = z
  .object({
    ok: z.boolean(),
    error: textOrNull.meta({ description: 'Why the lookup failed.' }),
    records: z
      .record(z.string(), z.array(z.string()))
      .nullable()
      .meta({ description: 'Records by type, such as A or MX; null when the lookup failed.' }),
    source: z.enum(['authoritative', 'resolver']).nullable().meta({
      description:
        'Source of the records: a name server of the zone, or the resolver of the machine.',
    }),
  })
  .meta({ id: 'DnsOutcome', description: 'Current DNS records of the name.' });

export const domainOutcome = z
  .object({
    ok: z
      .boolean()
      .meta({ description: 'False when the registration has expired or expires soon.' }),
    error: textOrNull.meta({
      description:
        'When it expired, or when it expires if that is within `domain_expiry_threshold`.',
    }),
    expires_at: time
      .nullable()
      .meta({ description: 'Null when the registry does not publish it.' }),
    days_until_expiry: days,
    registrar: textOrNull,
    checked_at: time.meta({
      description: 'Time of the registry request, which is repeated at most once a day.',
    }),
  })
  .meta({ id: 'DomainOutcome', description: 'Registration of the domain.' });

const familyOutcome = z
  .object({ ok: z.boolean(), error: textOrNull })
  .meta({ id: 'FamilyOutcome', description: 'Result for one family of addresses.' });

const families = z.object({ ipv4: familyOutcome, ipv6: familyOutcome }).optional().meta({
  description: 'Only for a name with addresses of both families, if the probe supports both.',
});

export const ifInspected = {
  description: 'Null when the check type is off, or when `not_run` has the reason.',
};
export const notRun = z
  .record(z.string(), z.string())
  .meta({ description: 'Reasons why active check types have no outcome, by name.' });

const ACTIVE = 'Present when the check type is on; null when `not_run` has the reason.';

/** Result of a manual check. */
export const checkResult = z
  .object({
    uptime: z.object({
      is_up: z.boolean().meta({
        description: 'True when the target responds as expected, apart from its content.',
      }),
      status: z.enum(['online', 'offline']),
      response_time: responseTimeMs,
      status_code: z.int().nullable().meta({ description: 'HTTP status code; null without one.' }),
      checked_from_region: z.string(),
      error: textOrNull.meta({ description: 'Why it is down; null when it is up.' }),
      timings,
      families,
    }),
    ssl: sslOutcome.nullable().meta(ifInspected),
    dns: dnsOutcome.nullable().optional().meta({ description: ACTIVE }),
    domain: domainOutcome.nullable().optional().meta({ description: ACTIVE }),
    keyword: contentOutcome.nullable().optional().meta({ description: ACTIVE }),
    json: contentOutcome.nullable().optional().meta({ description: ACTIVE }),
    not_run: notRun,
  })
  .meta({ id: 'CheckResult', description: 'Result of a manual check in one region.' });

/** Result of one region of a test. */
export const regionTest = z
  .object({
    region: z.string().meta({ description: 'Code of the region.' }),
    vantage: textOrNull.meta({ description: 'Name of the machine that ran the check.' }),
    vote: z.enum(['up', 'down', 'unknown']).meta({
      description: 'unknown: Tocsin itself could not check, as without a probe in the region.',
    }),
    status: z.enum(['online', 'offline', 'unknown']).meta({
      description: 'Whether the target responds as expected, apart from its content.',
    }),
    response_time: responseTimeMs,
    status_code: z.int().nullable().meta({ description: 'HTTP status code; null without one.' }),
    failure_code: textOrNull,
    error: textOrNull.meta({ description: 'Why the vote is down or unknown.' }),
    remote_address: textOrNull.meta({ description: 'Address of the connection.' }),
    timings,
    families,
    content: contentOutcome.nullable().meta({
      description: 'Outcome of the keyword or JSON check; null without one.',
    }),
  })
  .meta({ id: 'RegionTest', description: 'Result of a test in one region.' });

/**
 * Result of a manual check, with the outcome of each active check type under its name (contract 9.6, 9.8).
 *
 * @param now epoch milliseconds from which the days until expiry are counted.
 */
export function viewCheck(
  result: RegionResult,
  inspections: Inspections,
  settings: MonitorSettings,
  now: number,
) {
  const context = { settings, now };
  const outcomes: Record<CheckType, () => Seen<object>> = {
    ssl: () => sslSeen(inspections.ssl, context),
    dns: () => dnsSeen(inspections.dns),
    domain: () => domainSeen(inspections.domain, context),
    keyword: () => contentSeen(result),
    json: () => contentSeen(result),
  };
  const active = settings.check_types.map((type) => [type, outcomes[type]()] as const);
  return {
    uptime: viewUptime(result),
    ssl: null,
    ...viewOutcomes(active),
  };
}

/** Result of one region of a test, with the outcome of its content check (null when none was made). */
export function viewRegionTest(result: RegionResult): z.output<typeof regionTest> {
  const { status, error, ...uptime } = viewUptime(result);
  const content = contentSeen(result);
  const isUnknown = result.vote === 'unknown';
  return {
    region: result.region,
    vantage: result.vantage ?? null,
    vote: result.vote,
    status: isUnknown ? ('unknown' as const) : status,
    response_time: uptime.response_time,
    status_code: uptime.status_code,
    failure_code: result.failure?.code ?? null,
    error: result.failure?.text ?? error,
    remote_address: result.remoteAddress,
    timings: uptime.timings,
    ...(uptime.families && { families: uptime.families }),
    content: 'view' in content ? content.view : null,
  };
}

/** Outcomes of the active inspections, null where `not_run` has the reason. */
export function viewInspections(inspections: Inspections, settings: MonitorSettings, now: number) {
  const context = { settings, now };
  const isActive = (type: CheckType) => settings.check_types.includes(type);
  const outcomes = [
    ['ssl', sslSeen(inspections.ssl, context)],
    ['dns', dnsSeen(inspections.dns)],
    ['domain', domainSeen(inspections.domain, context)],
  ] as const;
  const active = outcomes.filter(([type]) => isActive(type));
  return {
    ssl: null,
    dns: null,
    domain: null,
    ...viewOutcomes(active),
  };
}

function viewOutcomes(active: readonly (readonly [CheckType, Seen<object>])[]) {
  const views = active.map(([type, one]) => [type, 'view' in one ? one.view : null] as const);
  const reasons = active.flatMap(([type, one]) => ('notRun' in one ? [[type, one.notRun]] : []));
  return { ...Object.fromEntries(views), not_run: Object.fromEntries(reasons) };
}

/** A target with wrong content counts as up here; the outcome of the check type shows the content error. */
function viewUptime(result: RegionResult): z.output<typeof checkResult>['uptime'] {
  const error = isReachable(result) ? null : (result.failure?.text ?? null);
  return {
    is_up: isReachable(result),
    status: isReachable(result) ? 'online' : 'offline',
    response_time: tenths(result.responseTimeMs),
    status_code: result.statusCode,
    checked_from_region: result.region,
    error,
    timings: viewTimings(result.timings),
    ...(result.families && { families: viewFamilies(result.families) }),
  };
}

function isReachable({ vote, failure }: RegionResult): boolean {
  return vote === 'up' || (failure !== null && isContentCode(failure.code));
}

function viewFamilies({ ipv4, ipv6 }: FamilyOutcomes) {
  return { ipv4: viewFamily(ipv4), ipv6: viewFamily(ipv6) };
}

function viewFamily(failure: Failure | null) {
  return { ok: failure === null, error: failure?.text ?? null };
}

function contentSeen(result: RegionResult): Seen<z.output<typeof contentOutcome>> {
  if (result.content !== undefined) return { view: viewContent(result.content) };
  // A page that is too large fails without being searched.
  if (result.failure !== null && isContentCode(result.failure.code)) {
    return { view: { passed: false, failures: [result.failure.text], outcomes: [] } };
  }
  return {
    notRun: isReachable(result)
      ? 'The page was not searched.'
      : 'The request failed, so there was no page to search.',
  };
}

function viewContent({ passed, outcomes }: ContentOutcome) {
  return {
    passed,
    failures: outcomes.filter((one) => !one.passed).map(({ text }) => text),
    outcomes: outcomes.map((one) => ({ passed: one.passed, text: one.text })),
  };
}

interface Context {
  settings: InspectionSettings;
  now: number;
}

function sslSeen(seen: Inspected<'ssl'> | undefined, { settings, now }: Context) {
  if (seen?.state !== 'known') return notKnown(seen);
  const { certificate, protocol } = seen.facts;
  const finding = sslFinding(seen.facts, settings, now);
  return {
    view: {
      valid: !(finding.says === 'bad' && finding.condition === 'ssl_invalid'),
      expires_at: isoTime(certificate.validTo),
      days_until_expiry: daysLeft(certificate.validTo, now),
      issuer: certificate.issuer,
      subject: certificate.subject,
      protocol,
      error: faultOf(finding),
    },
  };
}

function dnsSeen(seen: Inspected<'dns'> | undefined): Seen<z.output<typeof dnsOutcome>> {
  if (seen?.state === 'failed') {
    return { view: { ok: false, error: seen.failure.text, records: null, source: null } };
  }
  if (seen?.state !== 'known') return notKnown(seen);
  const { records, source } = seen.facts;
  return { view: { ok: true, error: null, records, source } };
}

function domainSeen(seen: Inspected<'domain'> | undefined, { settings, now }: Context) {
  if (seen?.state !== 'known') return notKnown(seen);
  const { expiresAt, registrar } = seen.facts;
  const finding = domainFinding(seen.target, seen.facts, settings, now);
  return {
    view: {
      ok: finding.says !== 'bad',
      error: faultOf(finding),
      expires_at: isoOrNull(expiresAt),
      days_until_expiry: expiresAt === null ? null : daysLeft(expiresAt, now),
      registrar,
      checked_at: isoTime(seen.at),
    },
  };
}

function faultOf(finding: Finding): string | null {
  return finding.says === 'bad' ? finding.text : null;
}

function notKnown(
  seen: { state: 'failed'; failure: Failure } | { state: 'not_run'; reason: string } | undefined,
): { notRun: string } {
  if (seen?.state === 'not_run') return { notRun: seen.reason };
  return { notRun: seen === undefined ? 'It was not asked for.' : `${seen.failure.text}.` };
}

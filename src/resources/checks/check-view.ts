import { domainFinding, daysLeft, sslFinding } from '../../engine/inspect/finding.ts';
import type { FamilyOutcomes, RegionResult } from '../../model/check.ts';
import type { ContentOutcome } from '../../model/content.ts';
import { isContentCode, type Failure } from '../../model/failure.ts';
import type { Finding } from '../../model/inspection.ts';
import type { InspectionSettings } from '../../monitor-types/fields.ts';
import type { CheckType } from '../../model/monitor.ts';
import type { Inspected, Inspections } from './inspect-now.ts';
import { viewTimings } from '../incidents/detail.ts';
import type { MonitorSettings } from '../../monitor-types/fields.ts';
import { isoOrNull, isoTime, tenths } from '../common/time.ts';

/** Outcome of an active check type, or the reason in a sentence why it has none. */
type Outcome = { view: object } | { notRun: string };

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
  const outcomes: Record<CheckType, () => Outcome> = {
    ssl: () => sslOutcome(inspections.ssl, context),
    dns: () => dnsOutcome(inspections.dns),
    domain: () => domainOutcome(inspections.domain, context),
    keyword: () => contentOutcome(result),
    json: () => contentOutcome(result),
  };
  const active = settings.check_types.map((type) => [type, outcomes[type]()] as const);
  return {
    uptime: viewUptime(result),
    ssl: null,
    ...Object.fromEntries(
      active.map(([type, outcome]) => [type, 'view' in outcome ? outcome.view : null]),
    ),
    not_run: Object.fromEntries(
      active.flatMap(([type, outcome]) => ('notRun' in outcome ? [[type, outcome.notRun]] : [])),
    ),
  };
}

/** Result of one region of a test, with the outcome of its content check (null when none was made). */
export function viewRegionResult(result: RegionResult) {
  const { status, error, ...uptime } = viewUptime(result);
  const content = contentOutcome(result);
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
    ['ssl', sslOutcome(inspections.ssl, context)],
    ['dns', dnsOutcome(inspections.dns)],
    ['domain', domainOutcome(inspections.domain, context)],
  ] as const;
  const active = outcomes.filter(([type]) => isActive(type));
  return {
    ssl: null,
    dns: null,
    domain: null,
    ...Object.fromEntries(
      active.map(([type, outcome]) => [type, 'view' in outcome ? outcome.view : null]),
    ),
    not_run: Object.fromEntries(
      active.flatMap(([type, outcome]) => ('notRun' in outcome ? [[type, outcome.notRun]] : [])),
    ),
  };
}

/** A target with wrong content counts as up here; the outcome of the check type shows the content error. */
function viewUptime(result: RegionResult) {
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

function contentOutcome(result: RegionResult): Outcome {
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

function sslOutcome(seen: Inspected<'ssl'> | undefined, { settings, now }: Context): Outcome {
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

function dnsOutcome(seen: Inspected<'dns'> | undefined): Outcome {
  if (seen?.state === 'failed') {
    return { view: { ok: false, error: seen.failure.text, records: null, source: null } };
  }
  if (seen?.state !== 'known') return notKnown(seen);
  const { records, source } = seen.facts;
  return { view: { ok: true, error: null, records, source } };
}

function domainOutcome(seen: Inspected<'domain'> | undefined, { settings, now }: Context): Outcome {
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
): Outcome {
  if (seen?.state === 'not_run') return { notRun: seen.reason };
  return { notRun: seen === undefined ? 'It was not asked for.' : `${seen.failure.text}.` };
}

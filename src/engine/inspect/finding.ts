import { storableText } from '../../lib/text.ts';
import type {
  DnsFacts,
  DomainFacts,
  FactsOf,
  Finding,
  InspectionKind,
  InspectionResult,
  InspectionSettings,
  SslFacts,
} from '../../model/inspection.ts';
import { describeDnsChange, dnsFinding } from './dns.ts';
import { domainFinding } from './domain.ts';
import { describeCertificateChange, sslFinding } from './ssl.ts';

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

/**
 * Describes a change since the previous inspection, as a sentence without a full stop; null when nothing changed or
 * nothing was known.
 */
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

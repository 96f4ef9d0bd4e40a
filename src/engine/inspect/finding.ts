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
import { describeDnsChange, judgeDns } from './dns.ts';
import { judgeDomain } from './domain.ts';
import { describeCertificateChange, judgeSsl } from './ssl.ts';

/** What a result means for a monitor with these settings: its texts may hold what the target chose. Pure. */
export function judgeInspection(
  target: { kind: InspectionKind; target: string },
  result: InspectionResult,
  settings: InspectionSettings,
  now: number,
): Finding {
  const finding = judge(target, result, settings, now);
  return finding.says === 'bad' ? { ...finding, text: storableText(finding.text) } : finding;
}

function judge(
  { kind, target }: { kind: InspectionKind; target: string },
  result: InspectionResult,
  settings: InspectionSettings,
  now: number,
): Finding {
  if (kind === 'dns') return judgeDns(result as InspectionResult<'dns'>);
  if (result.state !== 'known') return { says: 'unknown' };
  return kind === 'ssl'
    ? judgeSsl(result.facts as SslFacts, settings, now)
    : judgeDomain(target, result.facts as DomainFacts, settings, now);
}

/** What is another one now, as a sentence without a full stop; null when nothing is, or nothing was known before. */
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

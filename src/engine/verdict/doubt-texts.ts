import type { RegionResult } from '../../model/check.ts';
import type { Region } from '../../model/monitor.ts';
import type { MachineFinding } from './machine-verdict.ts';
import type { NetworkFault } from './network-fault.ts';
import type { Scope } from './recent-results.ts';
import type { Moment } from './region-health.ts';

const FAULT_TEXT: Record<NetworkFault, string> = {
  uplink: 'our own network is suspected',
  internal: 'our own way to private networks is suspected',
  names: 'our own name servers are suspected',
  ipv6: 'our own IPv6 network is suspected',
};

/**
 * Why a network is in doubt: a sentence for people, without its full stop.
 *
 * @param vantage of the machine that probes for all regions, which then names no region; null when there are several.
 */
export function reasonOf(
  scope: Scope,
  fault: NetworkFault,
  { failing, answering }: Moment,
  finding: MachineFinding,
  vantage: string | null,
): string {
  const targets = `${failing} of ${failing + answering} unrelated targets that were up`;
  const known = finding.verdict === 'cut' ? ` (${finding.reason})` : '';
  return `${targets} can't be reached ${whereOf(scope, vantage)}, so ${FAULT_TEXT[fault]}${known}`;
}

function whereOf(scope: Scope, vantage: string | null): string {
  if (scope === null) return `from ${vantage ?? 'anywhere'} since the same moment`;
  return vantage === null
    ? `from ${scope} alone, while other regions reach them`
    : `by some of the checks from ${vantage}, while its other checks reach them`;
}

/** The same of the operator's own targets. */
export function silenceReason(region: Region, vantage: string | null): string {
  return `None of the targets in SELF_CHECK_TARGETS answers from ${vantage ?? region}`;
}

/** A result whose failure does not count. */
export function withoutVote(result: RegionResult): RegionResult {
  const { content: _content, certificateFault: _fault, families: _families, ...rest } = result;
  return {
    ...rest,
    vote: 'unknown',
    failure: {
      code: 'probe_no_network',
      text: `Not counted, as the probe's own network is in doubt; it saw: ${result.failure!.text}`,
    },
    responseTimeMs: null,
    evidence: null,
  };
}

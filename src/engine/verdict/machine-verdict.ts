import type { MachineReport } from '../../model/machine.ts';
import type { NetworkFault } from './network-fault.ts';
import type { NetworkVerdict } from './region-health.ts';

/**
 * A machine's finding about a suspected fault; `reason` is a sentence without a full stop, null unless the network is
 * cut.
 */
export interface MachineFinding {
  verdict: NetworkVerdict;
  reason: string | null;
}

const UNKNOWN: MachineFinding = { verdict: 'unknown', reason: null };
const WORKS: MachineFinding = { verdict: 'works', reason: null };

/**
 * Combines the reports of all suspected regions: a fault is theirs only when every one of them reports it.
 * Pure. The table is in docs/probe-health.md.
 */
export function findingOf(
  fault: NetworkFault,
  reports: readonly (MachineReport | null)[],
): MachineFinding {
  const findings = reports.map((report) =>
    report === null ? UNKNOWN : findingOfOne(fault, report),
  );
  if (findings.some(({ verdict }) => verdict === 'works')) return WORKS;
  const first = findings[0];
  return first !== undefined && findings.every(({ verdict }) => verdict === 'cut')
    ? first
    : UNKNOWN;
}

function findingOfOne(fault: NetworkFault, report: MachineReport): MachineFinding {
  switch (fault) {
    case 'names':
      return report.resolver === 'broken' ? cut(resolverReason(report)) : known(report.resolver);
    case 'ipv6':
      return report.ipv6 === 'broken' ? cut('the machine has no route for IPv6') : UNKNOWN;
    case 'internal':
      return routeFinding(report);
    case 'uplink':
      return uplinkFinding(report);
  }
}

function uplinkFinding(report: MachineReport): MachineFinding {
  const route = routeFinding(report);
  if (route.verdict === 'cut') return route;
  return report.resolver === 'broken' ? cut(resolverReason(report)) : known(report.resolver);
}

function routeFinding(report: MachineReport): MachineFinding {
  if (report.ipv4 === 'broken' && report.ipv6 === 'broken')
    return cut('the machine has no default route over an interface that is up');
  if (report.gateway === 'broken')
    return cut(`the gateway ${report.gatewayAddress} does not answer`);
  return known(report.gateway);
}

function resolverReason({ resolverAddress }: MachineReport): string {
  return `the name server ${resolverAddress} does not answer`;
}

function cut(reason: string): MachineFinding {
  return { verdict: 'cut', reason };
}

function known(state: 'works' | 'broken' | 'unknown'): MachineFinding {
  return state === 'works' ? WORKS : UNKNOWN;
}

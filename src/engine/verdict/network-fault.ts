import { isIPv4, isIPv6 } from 'node:net';
import type { RegionResult } from '../../model/check.ts';
import { CONNECTION_CODES, NAME_CODES, type FailureCode } from '../../model/failure.ts';
import type { MachineReport } from '../../model/machine.ts';

/**
 * Faults of a probe's own network that look like outages of targets:
 *
 * - `uplink`: nothing outside can be reached, whether by name or by address.
 * - `internal`: nothing in private networks beyond the probe's own one can be reached.
 * - `names`: the machine's name servers fail, while addresses can be reached.
 * - `ipv6`: IPv6 is lost, while IPv4 works.
 *
 * Pure. The names are also bits, in this order.
 */
export const NETWORK_FAULTS = ['uplink', 'internal', 'names', 'ipv6'] as const;
export type NetworkFault = (typeof NETWORK_FAULTS)[number];

/** Knowledge from other sources than targets: the probe's machine, or the operator's own targets. */
export type NetworkVerdict = 'cut' | 'works' | 'unknown';

const BITS = Object.fromEntries(
  NETWORK_FAULTS.map((fault, index) => [fault, 1 << index]),
) as Record<NetworkFault, number>;

/** Failures that a broken network between us and the target causes. An answer, whatever it says, is none of them. */
const NETWORK_FAILURES: ReadonlySet<FailureCode> = new Set<FailureCode>([
  ...NAME_CODES,
  ...CONNECTION_CODES,
  'no_response',
  'no_echo',
]);
const NAME_FAILURES: ReadonlySet<FailureCode> = new Set<FailureCode>(NAME_CODES);

export function isNetworkFailure({ vote, failure }: Pick<RegionResult, 'vote' | 'failure'>) {
  if (vote !== 'down' || failure === null) return false;
  if (failure.code === 'tls_handshake') return failure.text.includes('not finished within');
  return NETWORK_FAILURES.has(failure.code);
}

export function isNameFailure({ failure }: Pick<RegionResult, 'failure'>): boolean {
  return failure !== null && NAME_FAILURES.has(failure.code);
}

type Seen = Pick<RegionResult, 'vote' | 'failure' | 'remoteAddress' | 'isOnLink'>;

/** Whether that fault of our own would cause the same failure. No fault of ours explains a failure of a target on link. */
export function isExplainedBy(fault: NetworkFault, result: Seen): boolean {
  if (!isNetworkFailure(result) || result.isOnLink) return false;
  if (isNameFailure(result)) return fault === 'uplink' || fault === 'names';
  const address = result.remoteAddress ?? '';
  if (isPrivateAddress(address)) return fault === 'internal';
  return fault === 'uplink' || (fault === 'ipv6' && isIPv6(address));
}

/** Faults that the result disproves, as bits: something came back by the way that they would close. */
export function disprovedFaults(result: Seen, isHostName: boolean): number {
  const { vote, failure, remoteAddress, isOnLink } = result;
  if (vote === 'unknown' || isOnLink || failure?.code === 'target_not_allowed') return 0;
  const names = isHostName && !isNameFailure(result) ? BITS.names : 0;
  if (isNetworkFailure(result)) return names;
  const address = remoteAddress ?? '';
  if (isPrivateAddress(address)) return names | BITS.internal;
  return names | BITS.uplink | (isIPv6(address) ? BITS.ipv6 : 0);
}

/** Faults as bits of a number. */
export function faultBits(holds: (fault: NetworkFault) => boolean): number {
  return NETWORK_FAULTS.reduce(
    (bits, fault, index) => (holds(fault) ? bits | (1 << index) : bits),
    0,
  );
}

export function hasFault(bits: number, fault: NetworkFault): boolean {
  return ((bits >>> NETWORK_FAULTS.indexOf(fault)) & 1) === 1;
}

export function isName(host: string): boolean {
  const address = host.startsWith('[') ? host.replace(/^\[|\]$/g, '') : host;
  return address.includes(':') ? !isIPv6(address) : !isIPv4(address);
}

const PRIVATE_IPV4 =
  /^(10|127|169\.254|192\.168|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./;
const PRIVATE_IPV6 = /^(::1$|f[cd]|fe[89ab])/i;

/** Private, shared, link-local and loopback addresses: RFC 1918, 6598, 3927, 1122; RFC 4193, 4291. */
export function isPrivateAddress(address: string): boolean {
  return address.includes(':') ? PRIVATE_IPV6.test(address) : PRIVATE_IPV4.test(address);
}

/** `reason` is a sentence without a full stop, null unless the network is cut. */
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
export function findingOf(fault: NetworkFault, reports: readonly (MachineReport | null)[]) {
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

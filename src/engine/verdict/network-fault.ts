import { isIPv4, isIPv6 } from 'node:net';
import type { RegionResult } from '../../model/check.ts';
import { CONNECTION_CODES, NAME_CODES } from '../../model/failure.ts';
import type { FailureCode } from '../../model/failure.ts';

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

/**
 * The faults that the result disproves, as bits: something came back by the way that they would close.
 *
 * @param isHostName whether the host of the target is a name, not an address.
 */
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

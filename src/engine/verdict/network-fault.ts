import { isIP } from 'node:net';
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
  return fault === 'uplink' || (fault === 'ipv6' && isIP(address) === 6);
}

/**
 * Whether the result proves that there is no such fault: something came back by the way that the fault would close.
 *
 * @param host of the target: a name or an address.
 */
export function isDisprovedBy(fault: NetworkFault, result: Seen, host: string): boolean {
  const { vote, failure, remoteAddress, isOnLink } = result;
  if (vote === 'unknown' || isOnLink || failure?.code === 'target_not_allowed') return false;
  if (fault === 'names') return isName(host) && !isNameFailure(result);
  if (isNetworkFailure(result)) return false;
  const address = remoteAddress ?? '';
  if (isPrivateAddress(address)) return fault === 'internal';
  return fault === 'uplink' || (fault === 'ipv6' && isIP(address) === 6);
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
  return isIP(host.replace(/^\[|\]$/g, '')) === 0;
}

const PRIVATE_IPV4 =
  /^(10|127|169\.254|192\.168|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./;
const PRIVATE_IPV6 = /^(::1$|f[cd]|fe[89ab])/i;

/** Private, shared, link-local and loopback addresses: RFC 1918, 6598, 3927, 1122; RFC 4193, 4291. */
export function isPrivateAddress(address: string): boolean {
  return address.includes(':') ? PRIVATE_IPV6.test(address) : PRIVATE_IPV4.test(address);
}

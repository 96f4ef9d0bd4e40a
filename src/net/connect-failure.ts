import type { Failure, FailureCode } from '../model/failure.ts';
import { hostInUrl, type Family, type ResolvedAddress } from './host.ts';

/** Node error with its code and, for TLS, the OpenSSL reason. */
export interface SystemError extends Error {
  code?: string;
  reason?: string;
}

/** Local limits and faults, independent of the target. */
const OWN_FAULTS: Record<string, string> = {
  EMFILE: 'The probe has run out of open files',
  ENFILE: "The probe's machine has run out of open files",
  ENOBUFS: "The probe's machine has run out of network buffers",
  ENOMEM: "The probe's machine has run out of memory",
  EAGAIN: "The probe's machine has run out of network resources",
  EADDRNOTAVAIL: 'The probe has no local address or port left to connect from',
  EADDRINUSE: 'The probe has no local port left to connect from',
  EPERM: "The probe's own firewall forbids the connection",
  EACCES: "The probe's machine does not permit the connection",
  EAFNOSUPPORT: "The probe's machine does not support this address family",
  ENETDOWN: "The network of the probe's machine is down",
};

const UNREACHABLE = new Set(['EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENONET']);

/** Failure for the code of a system error that is a limit or a fault of this machine; null for any other. */
export function ownFault(code: string | undefined): Failure | null {
  const text = OWN_FAULTS[code ?? ''];
  return text === undefined ? null : failure('probe_unable', `${text} (${code})`);
}

/** `10.0.0.1 port 80`. */
export function endpoint(address: string, port: number): string {
  return `${hostInUrl(address)} port ${port}`;
}

/** `30 s`, `0.3 s`. */
export function seconds(milliseconds: number): string {
  return `${Math.round(milliseconds / 100) / 10} s`;
}

/** Failure of a connection attempt. `hasNetwork` tells whether this machine can reach the address family at all. */
export function connectFailure(
  error: SystemError,
  { address, family }: ResolvedAddress,
  port: number,
  hasNetwork: (family: Family, address: string) => boolean,
): Failure {
  const where = endpoint(address, port);
  const code = error.code ?? 'unknown error';
  const own = ownFault(error.code);
  // Nothing can listen on port 0: any error is the target's.
  if (own !== null && port !== 0) return own;
  if (UNREACHABLE.has(code)) {
    if (code !== 'EHOSTUNREACH' && !hasNetwork(family, address)) {
      return failure('probe_no_network', `The probe has no IPv${family} network`);
    }
    return failure('host_unreachable', `Host ${address} is unreachable`);
  }
  if (code === 'ECONNREFUSED')
    return failure('connection_refused', `Connection refused by ${where}`);
  if (code === 'ECONNRESET') return failure('connection_reset', `Connection reset by ${where}`);
  if (code === 'ETIMEDOUT')
    return failure('connection_timeout', `Connection to ${where} timed out`);
  return failure('connection_failed', `Connection to ${where} failed (${code})`);
}

export function failure(code: FailureCode, text: string): Failure {
  return { code, text };
}

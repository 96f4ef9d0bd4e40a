import { isIP } from 'node:net';
import type { Failure, FailureCode } from '../model/failure.ts';
import { connectFailure, endpoint, failure, seconds } from './connect-failure.ts';
import type { SystemError } from './connect-failure.ts';
import type { Resolver } from './resolver.ts';

/** Progress of a request. */
export type Phase = 'connecting' | 'handshake' | 'waiting' | 'reading';

interface Peer {
  host: string;
  port: number;
}

/** Codes of invalid certificates in Node and OpenSSL; any other code means an untrusted one. */
const CERTIFICATE_FAULTS: Record<string, [code: FailureCode, text: string]> = {
  CERT_HAS_EXPIRED: ['tls_expired', 'TLS certificate has expired'],
  CERT_NOT_YET_VALID: ['tls_not_yet_valid', 'TLS certificate is not valid yet'],
  ERR_TLS_CERT_ALTNAME_INVALID: ['tls_wrong_host', 'TLS certificate is for another name'],
};

/** Failure for an error of a request in progress. */
export function requestFailure(
  error: Error,
  phase: Phase,
  { host, port, hasNetwork }: Peer & Pick<Resolver, 'hasNetwork'>,
): Failure {
  // With several addresses, each has its own error: report the first.
  const first: SystemError & { address?: string } =
    error instanceof AggregateError && error.errors.length > 0 ? error.errors[0] : error;
  const code = first.code ?? '';
  if (phase === 'connecting') {
    const address = first.address ?? host;
    return connectFailure(
      first,
      { address, family: isIP(address) === 6 ? 6 : 4 },
      port,
      hasNetwork,
    );
  }
  const fault = CERTIFICATE_FAULTS[code];
  if (fault !== undefined) return failure(...fault);
  if (phase === 'handshake') return handshakeFailure(first);
  if (code.startsWith('HPE_')) {
    return failure('response_invalid', `The answer is not valid HTTP (${code})`);
  }
  if (code.startsWith('ERR_SSL')) {
    return failure('tls_handshake', `TLS failed: ${first.reason?.toLowerCase() ?? code}`);
  }
  return closedEarlyFailure(phase);
}

function handshakeFailure({ code = '', reason }: SystemError): Failure {
  if (code === 'ECONNRESET') {
    return failure('tls_handshake', 'TLS handshake failed: the server closed the connection');
  }
  const isProtocol = code.startsWith('ERR_SSL') || code === 'EPROTO';
  if (isProtocol) {
    return failure('tls_handshake', `TLS handshake failed: ${reason?.toLowerCase() ?? code}`);
  }
  return failure('tls_untrusted', `TLS certificate is not trusted (${code})`);
}

/** Failure for a connection that closed before the response was complete. */
export function closedEarlyFailure(phase: Phase): Failure {
  if (phase === 'reading') {
    return failure(
      'response_cut_short',
      'The connection was closed before the response was complete',
    );
  }
  if (phase === 'waiting') {
    return failure('connection_reset', 'The connection was closed without a response');
  }
  if (phase === 'handshake') {
    return failure('tls_handshake', 'TLS handshake failed: the server closed the connection');
  }
  return failure('connection_failed', 'The connection was closed before it was made');
}

/** Failure for a server that sent more interim responses (1xx) than this, and no final one. */
export function tooManyInterimFailure(max: number): Failure {
  const text = `The answer is not valid HTTP (more than ${max} interim responses)`;
  return failure('response_invalid', text);
}

/** Failure for a request that timed out or was aborted. */
export function timeoutFailure(
  signal: AbortSignal,
  phase: Phase,
  { host, port, timeoutMs }: Peer & { timeoutMs: number },
): Failure {
  if (signal.reason === 'shutdown') {
    return failure('aborted', 'The request was stopped before it ended');
  }
  const limit = seconds(timeoutMs);
  if (phase === 'connecting') {
    const text = `Connection to ${endpoint(host, port)} timed out after ${limit}`;
    return failure('connection_timeout', text);
  }
  if (phase === 'handshake') {
    return failure('tls_handshake', `TLS handshake not finished within ${limit}`);
  }
  const what = phase === 'waiting' ? 'No response' : 'Response not complete';
  return failure('no_response', `${what} within ${limit}`);
}

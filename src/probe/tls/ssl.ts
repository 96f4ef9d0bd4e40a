import type { SecureContext, TLSSocket } from 'node:tls';
import type { X509Certificate } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Failure } from '../../model/failure.ts';
import type { InspectionResult, SslFacts, SslRequest } from '../../model/inspection.ts';
import { findTarget } from '../../net/host.ts';
import { connect } from '../connect.ts';
import type { Inspector, ProbeContext } from '../contract.ts';
import { failure, probeError, seconds, shutdownFailure } from '../failures.ts';
import type { SystemError } from '../failures.ts';
import { createStop, isShutdown } from '../stop.ts';
import type { Stop } from '../stop.ts';
import { certificateFault, createTlsContexts, handshakeFailure, startTls } from './tls.ts';
import type { TlsContexts } from './tls.ts';
import { createAnchors, readCertificate, readChain } from './certificate.ts';
import type { Anchors } from './certificate.ts';
import { readStaple } from './ocsp.ts';

interface SslContext extends ProbeContext {
  stop: Stop;
  contexts: TlsContexts;
  anchors: Anchors;
}

/** Options of the connection to the server. */
interface HandshakeOptions {
  secureContext: SecureContext;
  /** Application protocols to offer (RFC 7301). */
  protocols: string[];
}

/** Facts from a finished handshake. */
interface HandshakeFacts {
  certificate: X509Certificate;
  protocol: string | null;
  cipher: string | null;
  fault: Failure | null;
  staple: Buffer | null;
}

type Handshake = { ok: true; shown: HandshakeFacts } | { ok: false; failure: Failure };
type Attempt = (Handshake & { address: string }) | { ok: false; failure: Failure; address: null };

/**
 * Inspects the certificate of a server. Reachability is checked separately: without a connection or handshake, and for
 * an address that is not allowed, the result is `unknown`. `authorities` (PEM) replace Node's store.
 */
export function createSslInspector(
  options: { authorities?: string[] } = {},
): Inspector<SslRequest> {
  const contexts = createTlsContexts(options.authorities);
  const anchors = createAnchors(options.authorities);
  return async (request, context) => {
    const stop = createStop(context.signal);
    try {
      return await inspect(request, { ...context, stop, contexts, anchors });
    } catch (error) {
      return unknown(probeError(error));
    } finally {
      stop.release();
    }
  };
}

async function inspect(request: SslRequest, context: SslContext): Promise<InspectionResult<'ssl'>> {
  const deadline = context.clock.monotonic() + request.timeoutMs;
  const target = await findTarget(request.host, context);
  if (!target.ok) return unknown(target.failure);
  const attempt = await attemptWithFallback(
    { ...request, deadline, addresses: target.addresses },
    context,
  );
  if (!attempt.ok) return unknown(attempt.failure);
  const { shown, address } = attempt;
  const certificate = readCertificate(shown.certificate);
  if (certificate === null) {
    return { state: 'unknown', reason: "The dates of the TLS certificate can't be read" };
  }
  const facts: SslFacts = {
    address,
    protocol: shown.protocol,
    cipher: shown.cipher,
    certificate,
    chain: readChain(shown.certificate, {
      isTrusted: shown.fault === null,
      anchors: context.anchors,
      now: context.clock.now(),
    }),
    fault: shown.fault,
    ocsp: shown.staple === null ? null : await readStaple(shown.staple, certificate.serialNumber),
  };
  return { state: 'known', facts };
}

function unknown({ text }: Failure): InspectionResult<'ssl'> {
  return { state: 'unknown', reason: text };
}

interface AttemptRequest extends SslRequest {
  addresses: Parameters<typeof connect>[0]['addresses'];
  /** Monotonic time. */
  deadline: number;
}

/**
 * Connects as an HTTPS check does; if the handshake fails, once more with settings for old servers, whose certificates
 * can expire like any other. Trust is evaluated the same way in both, except for key strength.
 */
async function attemptWithFallback(request: AttemptRequest, context: SslContext): Promise<Attempt> {
  const { contexts, stop } = context;
  const modern = { secureContext: contexts.verified(), protocols: ['http/1.1'] };
  const first = await attemptOnce(request, modern, context);
  if (first.ok || first.address === null || stop.signal.aborted) return first;
  const { address } = first;
  const again = {
    ...request,
    addresses: request.addresses.filter((each) => each.address === address),
  };
  const old = { secureContext: contexts.unverified(), protocols: [] };
  const second = await attemptOnce(again, old, context);
  return second.ok ? second : first;
}

/** Makes one connection and closes it. */
async function attemptOnce(
  request: AttemptRequest,
  manner: HandshakeOptions,
  context: SslContext,
): Promise<Attempt> {
  const connection = await connect(request, context);
  if (!connection.ok) return { ...connection, address: null };
  const { socket, address } = connection;
  try {
    return { ...(await performHandshake(socket, request, manner, context)), address };
  } finally {
    socket.destroy();
  }
}

function performHandshake(
  socket: Socket,
  { host, port, timeoutMs }: SslRequest,
  { secureContext, protocols }: HandshakeOptions,
  { clock, stop }: SslContext,
): Promise<Handshake> {
  if (socket.destroyed) {
    return Promise.resolve({ ok: false, failure: handshakeFailure(socket.errored, port) });
  }
  return new Promise((resolve) => {
    const name = host.endsWith('.') ? host.slice(0, -1) : host;
    let staple: Buffer | null = null;
    let finished: Handshake | null = null;
    let settled = false;
    const secure = startTls(socket, name, {
      secureContext,
      ALPNProtocols: protocols,
      requestOCSP: true,
    });

    const settle = (handshake: Handshake): void => {
      if (settled) return;
      settled = true;
      stop.onAbort(null);
      secure.destroy();
      resolve(handshake);
    };
    // Errors after the handshake don't matter.
    const fail = (reason: Failure): void => settle(finished ?? { ok: false, failure: reason });

    secure.on('error', (error: SystemError) => fail(handshakeFailure(error, port)));
    secure.on('close', () => fail(handshakeFailure(null, port)));
    secure.on('OCSPResponse', (response: Buffer | null) => {
      if (response !== null && response.length > 0) staple = response;
    });
    secure.on('secureConnect', () => {
      try {
        const handshake = readHandshake(secure, name, staple, clock.now());
        finished = handshake;
        // Send close_notify first: without it servers log a broken handshake.
        secure.end(() => settle(handshake));
      } catch (error) {
        fail(probeError(error));
      }
    });
    stop.onAbort(() => fail(endOf(stop, timeoutMs)));
  });
}

/**
 * Called right after the handshake: the server's next message may close the connection, and Node returns the chain only
 * once.
 */
function readHandshake(
  secure: TLSSocket,
  host: string,
  staple: Buffer | null,
  now: number,
): Handshake {
  const certificate = secure.getPeerX509Certificate();
  if (certificate === undefined) {
    return { ok: false, failure: failure('tls_handshake', 'The server sent no TLS certificate') };
  }
  return {
    ok: true,
    shown: {
      certificate,
      protocol: secure.getProtocol(),
      cipher: secure.getCipher()?.standardName ?? null,
      fault: certificateFault(secure, certificate, host, now),
      staple,
    },
  };
}

function endOf(stop: Stop, timeoutMs: number): Failure {
  if (isShutdown(stop.signal)) return shutdownFailure();
  return failure('tls_handshake', `TLS handshake not finished within ${seconds(timeoutMs)}`);
}

import type { Socket } from 'node:net';
import type { Clock } from '../../lib/clock.ts';
import type { Timings } from '../../model/check.ts';
import type { Failure } from '../../model/failure.ts';
import { findTarget } from '../../net/resolver.ts';
import type { LargeBodySlot } from './large-body-slots.ts';
import { connect, createIncoming, type Incoming } from '../connect.ts';
import { isShutdown, type ProbeContext, type Stop } from '../contract.ts';
import {
  endpoint,
  failure,
  ownFault,
  probeError,
  seconds,
  shutdownFailure,
  type SystemError,
} from '../failures.ts';
import type { DualStackCheck } from '../dual-stack.ts';
import { releaseRead } from './body-buffer.ts';
import { LARGE_BODY_BYTES } from './body.ts';
import { serializeRequest, type SentRequest } from './request.ts';
import { ResponseReader, type BodyLimits, type ResponseHead } from './response.ts';
import { handshake, tlsReason, type TlsContexts, type TlsFacts } from '../tls/tls.ts';

/** One request and its response on their own connection, which is closed afterwards. */
export interface Exchange {
  /** Null if the response was received as far as needed. */
  failure: Failure | null;
  head: ResponseHead | null;
  /** Part of the body that was kept, as sent, and whether that is all of it. */
  body: Buffer;
  bodyComplete: boolean;
  remoteAddress: string | null;
  tls: TlsFacts | null;
  /** A certificate fault that was to be reported without ending the exchange. */
  certificateFault: Failure | null;
  phases: Phases;
  /** Milliseconds of a shared name lookup that this check did not wait for; part of the target's time all the same. */
  savedMs: number;
  /** Whether the probe kept the target waiting: then its response time is not its own. */
  hasWaited: boolean;
}

export type Phases = Omit<Timings, 'totalMs'>;

interface ExchangeRequest extends SentRequest {
  acceptsAnyCertificate: boolean;
  /**
   * Request to send instead to a server with an invalid certificate, which is then only reported; null if a fault ends
   * the exchange.
   */
  onCertificateFault: (() => SentRequest) | null;
  bodyLimits: (head: ResponseHead) => BodyLimits;
  /** Slot for a large body, if all of it is needed. */
  slot: Pick<LargeBodySlot, 'acquire' | 'onRevoke'>;
  timeoutMs: number;
  /** Monotonic time of the deadline. */
  deadline: number;
}

export interface ExchangeContext extends ProbeContext {
  stop: Stop;
  families?: DualStackCheck;
  tlsContexts: TlsContexts;
}

const NO_BODY = Buffer.alloc(0);
/** A target that was kept waiting for more than this share of the time limit may have had too little time left. */
const MAX_WAIT_SHARE = 0.1;

/** Never rejects for anything the target does. */
export async function exchange(
  request: ExchangeRequest,
  context: ExchangeContext,
): Promise<Exchange> {
  const { clock, stop } = context;
  const { url, timeoutMs, deadline } = request;
  const isSecure = url.protocol === 'https:';
  const host = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname;
  const port = url.port === '' ? (isSecure ? 443 : 80) : Number(url.port);
  const result: Exchange = {
    failure: null,
    head: null,
    body: NO_BODY,
    bodyComplete: false,
    remoteAddress: null,
    tls: null,
    certificateFault: null,
    phases: { dnsMs: null, tcpMs: null, tlsMs: null, ttfbMs: null },
    savedMs: 0,
    hasWaited: false,
  };

  const startedAt = clock.monotonic();
  const target = await findTarget(host, context);
  if (!target.ok) return { ...result, failure: target.failure };
  const waitedMs = clock.monotonic() - startedAt;
  result.phases.dnsMs = target.lookupMs ?? waitedMs;
  result.savedMs = result.phases.dnsMs - waitedMs;

  const incoming = isSecure ? null : createIncoming();
  const connection = await connect(
    {
      addresses: target.addresses,
      isPartial: target.isPartial === true,
      port,
      timeoutMs,
      deadline,
      ...(incoming !== null && { onread: incoming.onread }),
    },
    context,
  );
  if (!connection.ok) {
    result.phases.tcpMs = connection.resetAfterMs ?? null;
    return { ...result, failure: connection.failure, remoteAddress: connection.address };
  }
  result.phases.tcpMs = connection.milliseconds;
  result.remoteAddress = connection.address;

  let socket: Socket = connection.socket;
  let sent = request;
  // A single small write needs no setting; a second one would wait for the first to be acknowledged.
  if (isSecure || request.body !== null) socket.setNoDelay(true);
  if (isSecure) {
    const verify = !request.acceptsAnyCertificate;
    const secured = await handshake(
      { socket, host, port, verify, timeoutMs },
      context.tlsContexts,
      clock,
      stop,
    );
    if (!secured.ok) return { ...result, failure: secured.failure };
    result.tls = secured.tls;
    socket = secured.socket;
    if (secured.fault !== null) {
      if (request.onCertificateFault === null) {
        socket.destroy();
        return { ...result, failure: secured.fault };
      }
      sent = { ...request, ...request.onCertificateFault() };
    }
    result.certificateFault = secured.fault;
    result.phases.tlsMs = secured.milliseconds;
  }
  const peer = endpoint(connection.address, port);
  return sendAndReceive({ socket, incoming, peer }, sent, result, clock, stop);
}

/** Sends the request and reads the response. Always closes the socket. */
function sendAndReceive(
  { socket, incoming, peer }: { socket: Socket; incoming: Incoming | null; peer: string },
  request: ExchangeRequest,
  result: Exchange,
  clock: Clock,
  stop: Stop,
): Promise<Exchange> {
  return new Promise((resolve) => {
    const { method, bodyLimits } = request;
    const reader = new ResponseReader({ method, bodyLimits, isReused: incoming !== null });
    let sentAt = clock.monotonic();
    let settled = false;
    let waitedMs = 0;
    let waitingSince: number | null = null;

    const settle = (reason: Failure | null): void => {
      if (settled) return;
      settled = true;
      stop.onAbort(null);
      request.slot.onRevoke(null);
      socket.destroy();
      result.failure = reason;
      result.head = reader.head;
      result.body = reader.takeBody(reason === null ? undefined : reader.limits?.keepBrokenBytes);
      result.bodyComplete = reader.state === 'done' && result.body.length === reader.bodyBytes;
      resolve(result);
    };
    /**
     * Fails the exchange when the target stopped sending or disconnected, which is not its fault if the probe paused
     * reading.
     */
    const failUnlessWaited = (reason: Failure): void => {
      const isOurs = waitingSince !== null || waitedMs > request.timeoutMs * MAX_WAIT_SHARE;
      settle(isOurs ? busyFailure() : reason);
    };
    const resumeReading = (): void => {
      waitedMs += clock.monotonic() - (waitingSince ?? clock.monotonic());
      waitingSince = null;
      socket.resume();
    };
    const pauseForSlot = (): void => {
      if (!isLarge(reader) || request.slot.acquire(resumeReading)) return;
      socket.pause();
      waitingSince ??= clock.monotonic();
      result.hasWaited = true;
    };
    const read = (chunk: Buffer): void => {
      result.phases.ttfbMs ??= clock.monotonic() - sentAt;
      const state = reader.push(chunk);
      if (state === 'done' || state === 'enough') settle(null);
      else if (state === 'invalid') settle(failure('response_invalid', invalidText(reader)));
      else if (state === 'too-large') settle(tooLarge());
      else if (state === 'body') pauseForSlot();
    };

    const receive = (chunk: Buffer): void => {
      if (settled) return;
      try {
        read(chunk);
        if (incoming === null) releaseRead(chunk);
      } catch (error) {
        settle(probeError(error));
      }
    };
    if (incoming === null) socket.on('data', receive);
    else incoming.receive(receive);
    socket.on('end', () =>
      reader.end() === 'done' ? settle(null) : failUnlessWaited(closedEarly(reader, peer, null)),
    );
    socket.on('error', (error: SystemError) => failUnlessWaited(closedEarly(reader, peer, error)));
    socket.on('close', () => failUnlessWaited(closedEarly(reader, peer, null)));
    stop.onAbort(() =>
      isShutdown(stop.signal)
        ? settle(shutdownFailure())
        : failUnlessWaited(timeoutFailure(result, request.timeoutMs)),
    );
    request.slot.onRevoke(() => settle(tooSlowFailure()));

    if (socket.destroyed) return settle(closedEarly(reader, peer, socket.errored));
    socket.write(serializeRequest(request), 'utf8');
    sentAt = clock.monotonic();
  });
}

/** Whether the body is kept as a whole and is, or will be, one that needs a slot. */
function isLarge({ limits, bodyBytes, expectedBytes }: ResponseReader): boolean {
  return limits?.needsAll === true && Math.max(bodyBytes, expectedBytes ?? 0) > LARGE_BODY_BYTES;
}

function busyFailure(): Failure {
  return failure(
    'probe_unable',
    'The page could not be read in time: the probe was busy with other large pages',
  );
}

/** Failure of a body whose slot was revoked while other monitors waited. */
export function tooSlowFailure(): Failure {
  return failure('probe_unable', 'The page was too slow to be read while others waited');
}

function tooLarge(): Failure {
  return failure('response_too_large', 'Response too large: a content check reads up to 10 MiB');
}

function invalidText(reader: ResponseReader): string {
  return `The answer is not valid HTTP: ${reader.problem ?? 'unknown reason'}`;
}

function timeoutFailure({ phases }: Exchange, timeoutMs: number): Failure {
  const within = `within ${seconds(timeoutMs)}`;
  return failure(
    'no_response',
    phases.ttfbMs === null ? `No response ${within}` : `Response not complete ${within}`,
  );
}

function closedEarly(reader: ResponseReader, peer: string, error: SystemError | null): Failure {
  const own = ownFault(error?.code);
  if (own !== null) return own;
  const how =
    error === null
      ? ''
      : `: ${error.code === 'ECONNRESET' ? 'connection reset' : tlsOrCode(error)}`;
  if (reader.head !== null) {
    const of = reader.expectedBytes === null ? '' : ` of ${reader.expectedBytes}`;
    return failure(
      'response_cut_short',
      `Response cut short after ${reader.bodyBytes}${of} bytes of body${how}`,
    );
  }
  if (reader.hasBytes)
    return failure('response_cut_short', `Response cut short within its headers${how}`);
  if (error === null)
    return failure('response_cut_short', `Connection closed by ${peer} without a response`);
  if (error.code === 'ECONNRESET' || error.code === 'EPIPE') {
    return failure('connection_reset', `Connection reset by ${peer}`);
  }
  if (error.code === 'ETIMEDOUT')
    return failure('no_response', `No response: connection to ${peer} lost`);
  // TLS 1.3 servers refuse a client without a certificate only after the handshake.
  if (error.code?.startsWith('ERR_SSL') === true) {
    return failure('tls_handshake', `TLS handshake failed${how}`);
  }
  return failure(
    'connection_failed',
    `Connection to ${peer} failed (${error.code ?? error.message})`,
  );
}

function tlsOrCode(error: SystemError): string {
  return error.reason === undefined ? (error.code ?? error.message) : tlsReason(error.reason);
}

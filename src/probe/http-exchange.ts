import type { Socket } from 'node:net';
import type { Clock } from '../lib/clock.ts';
import type { Failure } from '../model/failure.ts';
import { findTarget } from '../net/target.ts';
import { connect } from './connect.ts';
import type { ProbeContext } from './contract.ts';
import { endpoint, failure, probeError, seconds, shutdownFailure } from './failures.ts';
import type { SystemError } from './failures.ts';
import { serializeRequest } from './http-request.ts';
import type { HttpRequest } from './http-request.ts';
import { createResponseReader } from './http-response.ts';
import type { ResponseHead, ResponseReader } from './http-response.ts';
import { isShutdown } from './stop.ts';
import type { Stop } from './stop.ts';
import { handshake } from './tls.ts';
import type { TlsContexts, TlsSeen } from './tls.ts';

/** One request and its answer on a connection of their own, which is closed when this is there. */
export interface Exchange {
  /** Null when the answer came whole, or as far as it was wanted. */
  failure: Failure | null;
  head: ResponseHead | null;
  /** The body as it was sent, and whether that is all of it. */
  body: Buffer;
  bodyComplete: boolean;
  remoteAddress: string | null;
  tls: TlsSeen | null;
  phases: Phases;
}

/** Milliseconds; null where the phase did not happen or did not end. */
export interface Phases {
  dnsMs: number | null;
  tcpMs: number | null;
  tlsMs: number | null;
  ttfbMs: number | null;
}

interface ExchangeRequest extends HttpRequest {
  verifySsl: boolean;
  /** Bytes of body, as sent, after which the rest is not asked for. */
  bodyLimit: number;
  /** Whether the answer's body is of no interest, judged by its head. */
  skipBody: (head: ResponseHead) => boolean;
  timeoutMs: number;
  /** Monotonic time of the deadline. */
  deadline: number;
}

export interface ExchangeContext extends ProbeContext {
  stop: Stop;
  tlsContexts: TlsContexts;
}

const NO_BODY = Buffer.alloc(0);

/** Never rejects for what the target does: each step ends in a failure, or with the next one. */
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
    phases: { dnsMs: null, tcpMs: null, tlsMs: null, ttfbMs: null },
  };

  const startedAt = clock.monotonic();
  const target = await findTarget(host, context);
  if (!target.ok) return { ...result, failure: target.failure };
  result.phases.dnsMs = clock.monotonic() - startedAt;

  const connection = await connect(
    { addresses: target.addresses, port, timeoutMs, deadline },
    context,
  );
  if (!connection.ok) return { ...result, failure: connection.failure };
  result.phases.tcpMs = connection.milliseconds;
  result.remoteAddress = connection.address;

  let socket: Socket = connection.socket;
  // What goes out in one small piece needs no setting; a second piece would wait for the first to be acknowledged.
  if (isSecure || request.body !== null) socket.setNoDelay(true);
  if (isSecure) {
    const { verifySsl: verify } = request;
    const secured = await handshake(
      { socket, host, port, verify, timeoutMs },
      context.tlsContexts,
      clock,
      stop,
    );
    result.tls = secured.tls;
    if (!secured.ok) return { ...result, failure: secured.failure };
    result.phases.tlsMs = secured.milliseconds;
    socket = secured.socket;
  }
  const peer = endpoint(connection.address, port);
  return converse(socket, peer, request, result, clock, stop);
}

/** Sends the request and reads the answer. The socket is closed at the end, whatever the end is. */
function converse(
  socket: Socket,
  peer: string,
  request: ExchangeRequest,
  result: Exchange,
  clock: Clock,
  stop: Stop,
): Promise<Exchange> {
  return new Promise((resolve) => {
    const reader = createResponseReader(request);
    let sentAt = clock.monotonic();
    let settled = false;

    const settle = (reason: Failure | null): void => {
      if (settled) return;
      settled = true;
      stop.watch(null);
      socket.destroy();
      result.failure = reason;
      result.head = reader.head;
      result.body =
        reader.body.length === 1 ? (reader.body[0] as Buffer) : Buffer.concat(reader.body);
      result.bodyComplete = reader.state === 'done';
      resolve(result);
    };
    const read = (chunk: Buffer): void => {
      result.phases.ttfbMs ??= clock.monotonic() - sentAt;
      const state = reader.push(chunk);
      if (state === 'done' || state === 'enough') settle(null);
      else if (state === 'invalid') settle(failure('response_invalid', invalidText(reader)));
      else if (reader.head !== null && request.skipBody(reader.head)) settle(null);
    };

    socket.on('data', (chunk: Buffer) => {
      if (settled) return;
      try {
        read(chunk);
      } catch (error) {
        settle(probeError(error));
      }
    });
    socket.on('end', () =>
      settle(reader.end() === 'done' ? null : closedEarly(reader, peer, null)),
    );
    socket.on('error', (error: SystemError) => settle(closedEarly(reader, peer, error)));
    socket.on('close', () => settle(closedEarly(reader, peer, null)));
    stop.watch(() =>
      settle(isShutdown(stop.signal) ? shutdownFailure() : tooLate(result, request.timeoutMs)),
    );

    if (socket.destroyed) return settle(closedEarly(reader, peer, socket.errored));
    socket.write(serializeRequest(request), 'utf8');
    sentAt = clock.monotonic();
  });
}

function invalidText(reader: ResponseReader): string {
  return `The answer is not valid HTTP: ${reader.problem ?? 'unknown reason'}`;
}

function tooLate({ phases }: Exchange, timeoutMs: number): Failure {
  const within = `within ${seconds(timeoutMs)}`;
  return failure(
    'no_response',
    phases.ttfbMs === null ? `No response ${within}` : `Response not complete ${within}`,
  );
}

/** The connection ended before the answer did. */
function closedEarly(reader: ResponseReader, peer: string, error: SystemError | null): Failure {
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
  return error.reason?.toLowerCase() ?? error.code ?? error.message;
}

import {
  request as requestHttp,
  type Agent,
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import type { Clock } from '../lib/clock.ts';
import type { Failure, FailureCode } from '../model/failure.ts';
import type { AddressGuard } from './address-guard.ts';
import type { ResolvedAddress } from './host.ts';
import { findTarget, type Resolver } from './resolver.ts';
import type { KeepAliveConnections } from './keep-alive.ts';
import { failure, connectFailure, endpoint, seconds, type SystemError } from './connect-failure.ts';

/**
 * HTTP client for all requests other than checks, such as webhooks. The host is looked up once, the guard evaluates
 * each of its addresses, and only those are connected to. Redirects are returned, not followed. Certificates must be
 * valid, by Node's store and NODE_EXTRA_CA_CERTS.
 */
export interface HttpClient {
  /** Sends one request, on a new connection unless `connections` is given. Never rejects: failures are returned. */
  request(request: HttpRequest): Promise<HttpResponse>;
}

export interface HttpRequest {
  /** Absolute http or https URL. Credentials in it are not sent. */
  url: string;
  method: string;
  headers: Record<string, string>;
  body?: string | Buffer;
  /** Time limit of the whole request, including lookup and body. */
  timeoutMs: number;
  /** A longer body fails the request (`response_too_large`), unless `allowTruncated` is set. */
  maxBytes: number;
  /** Accepts a response whose body is too long or doesn't end, with the part of the body received. */
  allowTruncated?: boolean;
  /**
   * Connections to use and keep open. A request written to a connection that the server is closing is sent once more on
   * a new one: use this only for requests that may arrive twice.
   */
  connections?: KeepAliveConnections;
  /** Aborts the request: the reason `'deadline'` means a timeout, any other `aborted`. */
  signal?: AbortSignal;
}

export type HttpResponse =
  | { ok: true; status: number; headers: IncomingHttpHeaders; body: Buffer }
  | { ok: false; failure: Failure };

interface HttpClientDependencies {
  resolver: Resolver;
  guard: AddressGuard;
  clock: Clock;
  /** PEM certificates that replace the trust store. */
  authorities?: string[];
}

/** Time to wait for one of several addresses to connect before trying the next in parallel. */
const NEXT_ADDRESS_DELAY_MS = 2_000;
/** A server that sends more interim responses (1xx) than this is considered broken. */
const MAX_INTERIM_RESPONSES = 20;
/** Limits for reading the rest of a truncated response in order to keep its connection. */
const MAX_DRAIN_BYTES = 64 * 1024;
const MAX_DRAIN_MS = 1_000;

export function createHttpClient(dependencies: HttpClientDependencies): HttpClient {
  return {
    async request(request) {
      const end = createAbort(request, dependencies.clock);
      try {
        return await send(request, end.signal, dependencies);
      } catch (error) {
        const { message } = error as Error;
        return {
          ok: false,
          failure: failure('probe_unable', `The request can't be sent: ${message}`),
        };
      } finally {
        end.release();
      }
    },
  };
}

async function send(
  request: HttpRequest,
  signal: AbortSignal,
  dependencies: HttpClientDependencies,
): Promise<HttpResponse> {
  const url = URL.parse(request.url);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    return {
      ok: false,
      failure: failure('probe_unable', 'The URL is not an http or https address'),
    };
  }
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const find = () => findTarget(host, { ...dependencies, signal });
  if (request.connections === undefined) {
    const target = await find();
    if (!target.ok) return target;
    const { addresses } = target;
    return neverStale(
      await exchange({ ...request, url, host, addresses, agent: null }, signal, dependencies),
    );
  }
  const found = await request.connections.find(url, dependencies.clock.monotonic(), find);
  if (!found.ok) return found;
  const fullRequest = { ...request, url, host, ...found.kept };
  const answer = await exchange(fullRequest, signal, dependencies);
  if (answer !== STALE) return answer;
  return neverStale(await exchange({ ...fullRequest, agent: null }, signal, dependencies));
}

/** Result of a request written to a kept connection that the server had closed. */
const STALE = Symbol('stale');
const STALE_CODES = ['ECONNRESET', 'EPIPE'];

function neverStale(answer: HttpResponse | typeof STALE): HttpResponse {
  if (answer === STALE) throw new Error('A new connection is never stale.');
  return answer;
}

interface Exchange extends Omit<HttpRequest, 'url'> {
  url: URL;
  /** Without brackets. */
  host: string;
  addresses: ResolvedAddress[];
  /** Agent that keeps the connection; null for a new one. */
  agent: Agent | null;
}

function exchange(
  request: Exchange,
  signal: AbortSignal,
  dependencies: HttpClientDependencies,
): Promise<HttpResponse | typeof STALE> {
  const { host, url, timeoutMs, agent } = request;
  const { clock } = dependencies;
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  return new Promise((resolve) => {
    const outgoing = open(request, port, dependencies);
    let phase: Phase = 'connecting';
    let settled = false;

    const settle = (answer: HttpResponse | typeof STALE, isKept = false): void => {
      if (settled) return;
      settled = true;
      signal.removeEventListener('abort', stop);
      resolve(answer);
      if (!isKept || agent === null) outgoing.destroy();
    };
    let truncated: (() => HttpResponse) | null = null;
    const fail = (reason: Failure): void => settle(truncated?.() ?? { ok: false, failure: reason });
    const stop = (): void => fail(timeoutFailure(signal, phase, { host, port, timeoutMs }));

    outgoing.on('socket', (socket: Socket) => {
      if (outgoing.reusedSocket) {
        phase = 'waiting';
        return;
      }
      socket.once('connect', () => (phase = url.protocol === 'https:' ? 'handshake' : 'waiting'));
      socket.once('secureConnect', () => (phase = 'waiting'));
    });
    let interimCount = 0;
    // Never removed: an error without a listener would end the process.
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      const isWithoutResponse = outgoing.reusedSocket && phase === 'waiting' && interimCount === 0;
      if (isWithoutResponse && STALE_CODES.includes(error.code ?? '')) return settle(STALE);
      fail(
        requestFailure(error, phase, { host, port, hasNetwork: dependencies.resolver.hasNetwork }),
      );
    });
    outgoing.on('close', () => fail(closedEarlyFailure(phase)));
    outgoing.on('information', () => {
      interimCount += 1;
      if (interimCount > MAX_INTERIM_RESPONSES) {
        const text = `The answer is not valid HTTP (more than ${MAX_INTERIM_RESPONSES} interim responses)`;
        fail(failure('response_invalid', text));
      }
    });
    outgoing.on('response', (response: IncomingMessage) => {
      phase = 'reading';
      const drain = (): void => {
        const timer = clock.after(MAX_DRAIN_MS, () => outgoing.destroy());
        response.once('close', () => clock.clear(timer));
      };
      const allowTruncated = request.allowTruncated === true;
      const drains = allowTruncated && agent !== null;
      const received = read(response, request.maxBytes, {
        settle,
        fail,
        drain: drains ? drain : null,
      });
      if (allowTruncated) truncated = received;
    });

    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop);
    outgoing.end(request.body);
  });
}

/** Throws if HTTP doesn't allow the method or a header. */
function open(
  { url, host, method, headers, body, addresses, agent }: Exchange,
  port: number,
  { authorities }: HttpClientDependencies,
): ClientRequest {
  const options = {
    host,
    port,
    method,
    path: `${url.pathname}${url.search}`,
    headers: {
      ...headers,
      ...(body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) }),
    },
    agent: agent ?? false,
    lookup: pinned(addresses),
    autoSelectFamily: addresses.length > 1,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_DELAY_MS,
  } as const;
  if (url.protocol === 'http:') return requestHttp(options);
  const name = host.replace(/\.$/, '');
  return requestHttps({
    ...options,
    // Server Name Indication is for names only (RFC 6066, section 3).
    servername: isIP(name) === 0 ? name : '',
    rejectUnauthorized: true,
    ...(authorities === undefined ? {} : { ca: authorities }),
  });
}

/** Returns only the evaluated addresses. Not called for an address literal, which was evaluated itself. */
function pinned(addresses: ResolvedAddress[]): LookupFunction {
  return (_host, options, callback) => {
    const [first] = addresses;
    if (options.all === true) callback(null, addresses);
    else callback(null, first?.address ?? '', first?.family);
  };
}

interface Reading {
  settle(answer: HttpResponse, isKept?: boolean): void;
  fail(reason: Failure): void;
  /** Reads the rest of a truncated response, to keep the connection; null if it is not kept. */
  drain: (() => void) | null;
}

/** @returns a function that returns the response received so far. */
function read(response: IncomingMessage, maxBytes: number, { settle, fail, drain }: Reading) {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const received = (): HttpResponse => {
    const { statusCode: status = 0, headers } = response;
    return { ok: true, status, headers, body: Buffer.concat(chunks).subarray(0, maxBytes) };
  };
  response.on('data', (chunk: Buffer) => {
    const before = bytes;
    bytes += chunk.length;
    // Of one huge chunk only what fits is kept.
    if (before <= maxBytes) chunks.push(bytes <= maxBytes ? chunk : chunk.subarray(0, maxBytes));
    if (bytes <= maxBytes) return;
    if (drain === null)
      return fail(failure('response_too_large', `The response is longer than ${maxBytes} bytes`));
    if (before <= maxBytes) {
      settle(received(), true);
      drain();
    }
    if (bytes > maxBytes + MAX_DRAIN_BYTES) response.destroy();
  });
  response.on('error', () => fail(closedEarlyFailure('reading')));
  response.on('end', () => settle(received(), true));
  return received;
}

/** Signal that aborts with `'deadline'` at the time limit, or with the caller's signal. */
function createAbort({ timeoutMs, signal }: HttpRequest, clock: Clock) {
  const controller = new AbortController();
  const timer = clock.after(timeoutMs, () => controller.abort('deadline'));
  const pass = () => controller.abort(signal?.reason === 'deadline' ? 'deadline' : 'shutdown');
  if (signal?.aborted) pass();
  else signal?.addEventListener('abort', pass, { once: true });
  return {
    signal: controller.signal,
    release() {
      clock.clear(timer);
      signal?.removeEventListener('abort', pass);
    },
  };
}

type Phase = 'connecting' | 'handshake' | 'waiting' | 'reading';

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

function requestFailure(
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

function closedEarlyFailure(phase: Phase): Failure {
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

import { request as requestHttp } from 'node:http';
import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import type { LookupFunction, Socket } from 'node:net';
import type { Clock } from '../lib/clock.ts';
import type { Failure } from '../model/failure.ts';
import type { AddressGuard } from './address-guard.ts';
import type { ResolvedAddress } from './host.ts';
import { cutShort, endlessInterim, failure, requestFailure, tooLate } from './outgoing-failure.ts';
import type { Phase } from './outgoing-failure.ts';
import type { Resolver } from './resolver.ts';
import { findTarget } from './target.ts';

/**
 * HTTP requests to outside parties by anything that is no probe. The host is looked up once, each of its addresses is
 * judged by the guard, and only these are connected to. Redirects are answers like others: whoever follows one makes
 * another request. Certificates must hold, by Node's store and NODE_EXTRA_CA_CERTS.
 */
export interface OutgoingHttp {
  /** One request on a connection of its own. Never rejects: what goes wrong is a failure with a sentence. */
  request(request: OutgoingRequest): Promise<OutgoingAnswer>;
}

export interface OutgoingRequest {
  /** Absolute http or https URL. Credentials in it are not sent. */
  url: string;
  method: string;
  headers: Record<string, string>;
  body?: string | Buffer;
  /** All of it, look-up and body included, ends within this many milliseconds. */
  timeoutMs: number;
  /** An answer with a longer body is a failure (`response_too_large`), unless its beginning is enough. */
  maxBytes: number;
  /** The status tells all: an answer whose body is longer, or never ends, is its status and what came of the body. */
  beginningIsEnough?: boolean;
  /** Ends it early: a reason of `'deadline'` is a time-out, any other is `aborted`. */
  signal?: AbortSignal;
}

export type OutgoingAnswer =
  | { ok: true; status: number; headers: IncomingHttpHeaders; body: Buffer }
  | { ok: false; failure: Failure };

interface OutgoingDependencies {
  resolver: Resolver;
  guard: AddressGuard;
  clock: Clock;
  /** PEM; they replace the store of trusted authorities. */
  authorities?: string[];
}

/** How long one of several addresses may take to connect before the next is tried as well. */
const NEXT_ADDRESS_MS = 2_000;
/** A server that has more to announce (1xx) before it answers never does. */
const MOST_INTERIM = 20;

export function createOutgoingHttp(dependencies: OutgoingDependencies): OutgoingHttp {
  return {
    async request(request) {
      const end = createEnd(request, dependencies.clock);
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
  request: OutgoingRequest,
  signal: AbortSignal,
  dependencies: OutgoingDependencies,
): Promise<OutgoingAnswer> {
  const url = URL.parse(request.url);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    return {
      ok: false,
      failure: failure('probe_unable', 'The URL is not an http or https address'),
    };
  }
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const target = await findTarget(host, { ...dependencies, signal });
  if (!target.ok) return target;
  return exchange({ ...request, url, host, addresses: target.addresses }, signal, dependencies);
}

interface Exchange extends Omit<OutgoingRequest, 'url'> {
  url: URL;
  /** Without brackets. */
  host: string;
  addresses: ResolvedAddress[];
}

function exchange(
  request: Exchange,
  signal: AbortSignal,
  dependencies: OutgoingDependencies,
): Promise<OutgoingAnswer> {
  const { host, url, timeoutMs } = request;
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  return new Promise((resolve) => {
    const outgoing = open(request, port, dependencies);
    let phase: Phase = 'connecting';
    let settled = false;

    const settle = (answer: OutgoingAnswer): void => {
      if (settled) return;
      settled = true;
      signal.removeEventListener('abort', stop);
      resolve(answer);
      outgoing.destroy();
    };
    let beginning: (() => OutgoingAnswer) | null = null;
    const fail = (reason: Failure): void => settle(beginning?.() ?? { ok: false, failure: reason });
    const stop = (): void => fail(tooLate(signal, phase, { host, port, timeoutMs }));

    outgoing.on('socket', (socket: Socket) => {
      socket.on('connect', () => (phase = url.protocol === 'https:' ? 'handshake' : 'waiting'));
      socket.on('secureConnect', () => (phase = 'waiting'));
    });
    // These stay for good: without them an error after the end would end the process.
    outgoing.on('error', (error) =>
      fail(
        requestFailure(error, phase, { host, port, hasNetwork: dependencies.resolver.hasNetwork }),
      ),
    );
    outgoing.on('close', () => fail(cutShort(phase)));
    let interim = 0;
    outgoing.on('information', () => {
      interim += 1;
      if (interim > MOST_INTERIM) fail(endlessInterim(MOST_INTERIM));
    });
    outgoing.on('response', (response: IncomingMessage) => {
      phase = 'reading';
      const soFar = read(response, request.maxBytes, { settle, fail });
      if (request.beginningIsEnough === true) beginning = soFar;
    });

    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop);
    outgoing.end(request.body);
  });
}

/** Throws for a method or a header that HTTP does not allow. */
function open(
  { url, host, method, headers, body, addresses }: Exchange,
  port: number,
  { authorities }: OutgoingDependencies,
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
    agent: false,
    lookup: pinned(addresses),
    autoSelectFamily: addresses.length > 1,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
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

/** Answers the addresses that were judged. It is not asked for a literal, which is the one that was judged itself. */
function pinned(addresses: ResolvedAddress[]): LookupFunction {
  return (_host, options, callback) => {
    const [first] = addresses;
    if (options.all === true) callback(null, addresses);
    else callback(null, first?.address ?? '', first?.family);
  };
}

/** @returns the answer as far as it has come. */
function read(
  response: IncomingMessage,
  maxBytes: number,
  { settle, fail }: { settle(answer: OutgoingAnswer): void; fail(reason: Failure): void },
): () => OutgoingAnswer {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const soFar = (): OutgoingAnswer => {
    const { statusCode: status = 0, headers } = response;
    return { ok: true, status, headers, body: Buffer.concat(chunks).subarray(0, maxBytes) };
  };
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    // Of one huge chunk only what fits is kept.
    chunks.push(bytes <= maxBytes ? chunk : chunk.subarray(0, maxBytes));
    if (bytes <= maxBytes) return;
    fail(failure('response_too_large', `The response is longer than ${maxBytes} bytes`));
  });
  response.on('error', () => fail(cutShort('reading')));
  response.on('end', () => settle(soFar()));
  return soFar;
}

/** Aborted at the time limit with `'deadline'`, or as the caller's signal is. */
function createEnd(
  { timeoutMs, signal }: OutgoingRequest,
  clock: Clock,
): { signal: AbortSignal; release(): void } {
  const controller = new AbortController();
  const timer = clock.after(timeoutMs, () => controller.abort('deadline'));
  const pass = (): void =>
    controller.abort(signal?.reason === 'deadline' ? 'deadline' : 'shutdown');
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

import { request as requestHttp } from 'node:http';
import type { Agent, ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import type { LookupFunction, Socket } from 'node:net';
import type { Clock } from '../lib/clock.ts';
import type { Failure } from '../model/failure.ts';
import type { AddressGuard } from './address-guard.ts';
import type { ResolvedAddress } from './host.ts';
import type { KeptConnections } from './kept-connections.ts';
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
  /**
   * One request, on a connection of its own unless `connections` are given. Never rejects: what goes wrong is a failure
   * with a sentence.
   */
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
  /**
   * Connections to use and to leave open. A request that is written to one which the server closes just then is sent once
   * more, on a connection of its own: give them only for requests that may arrive twice.
   */
  connections?: KeptConnections;
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
/** What follows the beginning of an answer is read to its end, to keep the connection, if it is as short and as quick. */
const DRAIN_BYTES = 64 * 1024;
const DRAIN_MS = 1_000;

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
  const find = () => findTarget(host, { ...dependencies, signal });
  if (request.connections === undefined) {
    const target = await find();
    if (!target.ok) return target;
    const { addresses } = target;
    return answered(
      await exchange({ ...request, url, host, addresses, agent: null }, signal, dependencies),
    );
  }
  const found = await request.connections.find(url, dependencies.clock.monotonic(), find);
  if (!found.ok) return found;
  const asked = { ...request, url, host, ...found.kept };
  const answer = await exchange(asked, signal, dependencies);
  if (answer !== STALE) return answer;
  return answered(await exchange({ ...asked, agent: null }, signal, dependencies));
}

/** In place of an answer: the server had closed the kept connection that the request was written to. */
const STALE = Symbol('stale');
const STALE_CODES = ['ECONNRESET', 'EPIPE'];

function answered(answer: OutgoingAnswer | typeof STALE): OutgoingAnswer {
  if (answer === STALE) throw new Error('A new connection is never stale.');
  return answer;
}

interface Exchange extends Omit<OutgoingRequest, 'url'> {
  url: URL;
  /** Without brackets. */
  host: string;
  addresses: ResolvedAddress[];
  /** Keeps the connection; null for one of its own. */
  agent: Agent | null;
}

function exchange(
  request: Exchange,
  signal: AbortSignal,
  dependencies: OutgoingDependencies,
): Promise<OutgoingAnswer | typeof STALE> {
  const { host, url, timeoutMs, agent } = request;
  const { clock } = dependencies;
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  return new Promise((resolve) => {
    const outgoing = open(request, port, dependencies);
    let phase: Phase = 'connecting';
    let settled = false;

    const settle = (answer: OutgoingAnswer | typeof STALE, isKept = false): void => {
      if (settled) return;
      settled = true;
      signal.removeEventListener('abort', stop);
      resolve(answer);
      if (!isKept || agent === null) outgoing.destroy();
    };
    let beginning: (() => OutgoingAnswer) | null = null;
    const fail = (reason: Failure): void => settle(beginning?.() ?? { ok: false, failure: reason });
    const stop = (): void => fail(tooLate(signal, phase, { host, port, timeoutMs }));

    outgoing.on('socket', (socket: Socket) => {
      if (outgoing.reusedSocket) {
        phase = 'waiting';
        return;
      }
      socket.once('connect', () => (phase = url.protocol === 'https:' ? 'handshake' : 'waiting'));
      socket.once('secureConnect', () => (phase = 'waiting'));
    });
    let interim = 0;
    // These stay for good: without them an error after the end would end the process.
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      const isUnanswered = outgoing.reusedSocket && phase === 'waiting' && interim === 0;
      if (isUnanswered && STALE_CODES.includes(error.code ?? '')) return settle(STALE);
      fail(
        requestFailure(error, phase, { host, port, hasNetwork: dependencies.resolver.hasNetwork }),
      );
    });
    outgoing.on('close', () => fail(cutShort(phase)));
    outgoing.on('information', () => {
      interim += 1;
      if (interim > MOST_INTERIM) fail(endlessInterim(MOST_INTERIM));
    });
    outgoing.on('response', (response: IncomingMessage) => {
      phase = 'reading';
      const drain = (): void => {
        const timer = clock.after(DRAIN_MS, () => outgoing.destroy());
        response.once('close', () => clock.clear(timer));
      };
      const isEnough = request.beginningIsEnough === true;
      const drains = isEnough && agent !== null;
      const soFar = read(response, request.maxBytes, {
        settle,
        fail,
        drain: drains ? drain : null,
      });
      if (isEnough) beginning = soFar;
    });

    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop);
    outgoing.end(request.body);
  });
}

/** Throws for a method or a header that HTTP does not allow. */
function open(
  { url, host, method, headers, body, addresses, agent }: Exchange,
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
    agent: agent ?? false,
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

interface Reading {
  settle(answer: OutgoingAnswer, isKept?: boolean): void;
  fail(reason: Failure): void;
  /** What is beyond the bound is read, too, to keep the connection; null where the connection is not kept. */
  drain: (() => void) | null;
}

/** @returns the answer as far as it has come. */
function read(
  response: IncomingMessage,
  maxBytes: number,
  { settle, fail, drain }: Reading,
): () => OutgoingAnswer {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const soFar = (): OutgoingAnswer => {
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
      settle(soFar(), true);
      drain();
    }
    if (bytes > maxBytes + DRAIN_BYTES) response.destroy();
  });
  response.on('error', () => fail(cutShort('reading')));
  response.on('end', () => settle(soFar(), true));
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

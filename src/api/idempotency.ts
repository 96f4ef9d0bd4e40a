import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ClaimedKey } from '../identity/caller.ts';
import type { Log } from '../lib/log.ts';
import { Problem } from '../resources/common/errors.ts';
import type {
  IdempotentRequests,
  KeptAnswer,
  KeyedRequest,
} from '../resources/common/idempotency.ts';
import type { Route } from '../resources/common/operation.ts';

/** 1 to 255 visible characters; quotes, as the draft of the standard has them, belong to the key. */
const KEY = /^[!-~]{1,255}$/;
/** Headers that are kept with an answer. */
const KEPT_HEADERS = ['x-ignored-fields'];

/** An answer to be sent: its status and its body. */
export interface Answered {
  status: number;
  body: object | void;
}

/** What changed when a request was carried out. */
type Target = { type: string; id: number | null } | null;

export interface OnceDeps {
  requests: IdempotentRequests;
  /** All routes, of which some read what a request created. */
  routes: readonly Route[];
  log: Pick<Log, 'warn'>;
}

/** How a request is handled. */
interface Handling {
  route: Route;
  handle: () => Promise<object | void>;
  /** Reads the resource with this id by another route. */
  read: (route: Route, id: number) => object | Promise<object | void>;
}

/**
 * Makes a function that handles a POST with an `Idempotency-Key` at most once (contract 1.23 to 1.28): a repetition gets
 * the first answer. Other requests are handled as they are.
 */
export function createOnce({ requests, routes, log }: OnceDeps) {
  const readers = new Map(
    routes.filter(({ method }) => method === 'GET').map((route) => [route.path, route]),
  );

  return async function once(
    request: FastifyRequest,
    reply: FastifyReply,
    { route, handle, read }: Handling,
  ): Promise<Answered> {
    const { status = 200 } = route;
    const key = route.method === 'POST' ? keyOf(request) : null;
    if (key === null) return { status, body: await handle() };
    const claim = await requests.claim(keyedRequest(request, key));
    if (claim.is === 'new')
      return { status, body: await carryOut(request, reply, { route, handle, key: claim.key }) };
    if (claim.is === 'unanswered') {
      const body = await readTarget(route, claim.target, read);
      void reply.header('idempotency-replayed', 'true');
      return { status, body };
    }
    const { headers, status: first, body } = claim.answer;
    reply.headers({ ...headers, 'idempotency-replayed': 'true' });
    return { status: first, body: body as object | undefined };
  };

  async function carryOut(
    request: FastifyRequest,
    reply: FastifyReply,
    { route, handle, key }: Pick<Handling, 'route' | 'handle'> & { key: ClaimedKey },
  ): Promise<object | void> {
    const warn = (error: unknown) =>
      // Log: The request was answered. A repetition with its key finds out what it changed, after
      // 30 seconds.
      log.warn({ error, request_id: request.id }, 'An idempotency key could not be updated.');
    // A copy, as callers are cached.
    if (request.principal !== null)
      request.principal = { ...request.principal, idempotencyKey: key };
    let body: object | void;
    try {
      body = await handle();
    } catch (error) {
      await requests.release(key).catch(warn);
      throw error;
    }
    // The request has succeeded, whether its answer can be kept or not.
    const { status = 200 } = route;
    await requests.keep(key, { status, body, headers: keptHeaders(reply) }).catch(warn);
    return body;
  }

  /** The resource that a request created whose answer was lost. Throws a Problem where it can't be read. */
  async function readTarget(route: Route, target: Target, read: Handling['read']) {
    const reader = readers.get(`/${target?.type.replaceAll('_', '-')}s/:id`);
    if (route.status !== 201 || target?.id == null || reader === undefined)
      throw answerLost(target);
    try {
      return withoutHistory(await read(reader, target.id));
    } catch (error) {
      throw error instanceof Problem && error.code === 'not_found' ? answerLost(target) : error;
    }
  }
}

/** Keys that only reading a resource shows, and creating it does not. */
const READ_ONLY = new Set(['incidents', 'response_times', 'activities', 'evidence']);

function withoutHistory(body: object | void): object {
  return Object.fromEntries(Object.entries(body ?? {}).filter(([name]) => !READ_ONLY.has(name)));
}

function keyedRequest(request: FastifyRequest, key: string): KeyedRequest {
  const [path = '', query = ''] = request.url.split('?', 2);
  return {
    principal: request.principal,
    clientAddress: request.ip,
    method: request.method,
    path: path.replace(/\/$/, ''),
    key,
    query,
    body: request.body ?? undefined,
  };
}

function keptHeaders(reply: FastifyReply): KeptAnswer['headers'] {
  const kept = KEPT_HEADERS.flatMap((name) => {
    const value = reply.getHeader(name);
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  return Object.fromEntries(kept);
}

/** The key of a request; null without one. Throws a Problem for one that is malformed. */
function keyOf(request: FastifyRequest): string | null {
  const sent = request.headers['idempotency-key'];
  if (sent === undefined) return null;
  if (typeof sent === 'string' && KEY.test(sent)) return sent;
  throw new Problem(
    'malformed',
    'Idempotency-Key must be one value of 1 to 255 visible ASCII characters, such as a UUID.',
  );
}

function answerLost(target: Target): Problem {
  const what =
    target === null || target.id === null
      ? ''
      : ` It changed ${target.type.replaceAll('_', ' ')} ${target.id}.`;
  return new Problem(
    'conflict',
    `The first request with this Idempotency-Key was carried out, and its answer is no longer known.${what} Read what it changed; to do it again, take a new key.`,
  );
}

import type { PingAllowance, IncomingPing } from '../engine/heartbeat/ingest.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { AliasCall } from '../engine/heartbeat/aliases.ts';
import { hashToken } from '../identity/token.ts';
import { Problem, RateLimited } from '../resources/common/errors.ts';
import type { BodyMemory } from './body-memory.ts';
import { createClientAddress, displayAddress } from './client-address.ts';
import type { ApiDeps } from './deps.ts';
import { errorAnswer, methodNotAllowed } from './errors.ts';
import {
  aliasRequest,
  MAX_KEPT_BYTES,
  readPingBody,
  type PingBodyReader,
  parsePingTarget,
  truncated,
} from './ping-request.ts';

/**
 * Route `{BASE_URL}/ping/{token}…`, and the ping addresses of other services. It bypasses the framework, since pings are
 * many and must be cheap.
 */
export type PingRoute = ReturnType<typeof createPingRoute>;

/** Values of the rate limit headers. */
interface Budget {
  limit: number;
  remaining: number;
  /** Unix seconds, rounded up. */
  resetAt: number;
}

interface PingAnswer {
  status: number;
  /** Alternating names and values. */
  headers: string[];
  body: object;
  budget: Budget;
}

const METHODS = ['GET', 'POST', 'HEAD'];
const ALIAS_METHODS = [...METHODS, 'PUT'];
const MAX_USER_AGENT_LENGTH = 300;
const NO_BODY = { text: null, isCut: false };

const NO_SUCH_PATH = new Problem(
  'not_found',
  'There is no such path. A ping URL may be followed by /start, /log, /fail or an exit code from 0 to 255.',
);
const NO_SUCH_TOKEN = new Problem(
  'not_found',
  'No monitor has this ping URL. Copy it again from the monitor.',
);
const UNAVAILABLE = new Problem(
  'database_unavailable',
  "It can't be told whether this ping was recorded: the database does not answer. Send it again in a few seconds.",
);
const TOO_MANY_UNKNOWN = new Problem(
  'database_unavailable',
  'This ping was not recorded: too many calls of unknown ping URLs come from this address. Send it again in a few seconds.',
);

const KUMA_UNKNOWN = 'Monitor not found or not active.';
/** Healthchecks accepts pings from web pages, and its clients cut logs at this limit. */
const HEALTHCHECKS_HEADERS = [
  'access-control-allow-origin',
  '*',
  'ping-body-limit',
  String(MAX_KEPT_BYTES),
];

export function createPingRoute(
  deps: Pick<ApiDeps, 'pings' | 'rateLimits' | 'clientKeys' | 'clock' | 'log'> &
    Required<Pick<ApiDeps, 'trustProxy' | 'newRequestId'>> & { bodyMemory: BodyMemory },
) {
  const { pings, rateLimits, clientKeys, clock, bodyMemory, newRequestId, log } = deps;
  const addressOf = createClientAddress(deps.trustProxy);
  const readings = new Map<Socket, PingBodyReader>();
  let isClosing = false;

  async function serve(
    request: IncomingMessage,
    response: ServerResponse,
    alias: AliasCall | null,
  ): Promise<void> {
    // Node emits the request when its head is complete.
    const receivedAt = clock.now();
    const requestId = newRequestId();
    const address = addressOf(request);
    const reading = readPingBody(request, { clock, memory: bodyMemory, address });
    const arrival = { alias, reading, receivedAt };
    if (reading === null) {
      // Keeps the order of pings on a connection: an earlier body may still be arriving.
      await readings.get(request.socket)?.kept;
      send(response, requestId, await answerPing(request, address, arrival, requestId), alias);
      return;
    }
    readings.set(request.socket, reading);
    if (isClosing) reading.finishNow();
    const answer = await answerPing(request, address, arrival, requestId);
    await reading.finished;
    if (readings.get(request.socket) === reading) readings.delete(request.socket);
    send(response, requestId, answer, alias);
  }

  async function answerPing(
    request: IncomingMessage,
    address: string,
    {
      alias,
      reading,
      receivedAt,
    }: {
      /** Null for a ping URL of ours. */
      alias: AliasCall | null;
      /** Null without a body. */
      reading: PingBodyReader | null;
      /** Epoch milliseconds. */
      receivedAt: number;
    },
    requestId: string,
  ): Promise<PingAnswer> {
    const { method = '', url = '', headers } = request;
    const methods = alias === null ? METHODS : ALIAS_METHODS;
    if (!methods.includes(method))
      return refuse(address, methodNotAllowed(method, methods), ['allow', methods.join(', ')]);
    const asked = alias === null ? parsePingTarget(url) : aliasRequest(alias);
    if (asked === null) return refuse(address, NO_SUCH_PATH);
    const { token, kind, exitCode, runId, message, reportedMs, isStatusUnknown } = asked;
    const tokenHash = hashToken(token);
    const arrived = reading === null ? null : pings.announce(tokenHash, receivedAt);
    const { text, isCut } = reading === null ? NO_BODY : await reading.kept;
    const ping: IncomingPing = {
      kind,
      exitCode,
      runId,
      tokenHash,
      receivedAt,
      sourceAddress: displayAddress(address),
      userAgent: truncated(headers['user-agent'] ?? '', MAX_USER_AGENT_LENGTH),
      body: message ?? text,
      isBodyCut: isCut && message == null,
      ...(reportedMs !== undefined && { reportedMs }),
    };
    try {
      return await take(ping, address, isStatusUnknown);
    } catch (error) {
      // Log: A fault of Tocsin, answered with 500 or 503. Ping URLs are not logged.
      log.error(
        { error, request_id: requestId, method, route: '/ping/{token}', kind: ping.kind },
        'A ping failed.',
      );
      const { limit, remaining, resetAt } = await rateLimits.show(
        'ping',
        clientKeys.client(address),
      );
      return errorAnswerOf(error, { limit, remaining, resetAt }, requestId);
    } finally {
      arrived?.();
    }
  }

  async function take(ping: IncomingPing, address: string, isStatusUnknown: boolean) {
    const outcome = await pings.take(ping);
    if (outcome.kind === 'unknown') return refuse(address, NO_SUCH_TOKEN);
    if (outcome.kind === 'crowded') return refuse(address, TOO_MANY_UNKNOWN);
    const budget = budgetOf(outcome.allowance);
    switch (outcome.kind) {
      case 'recorded':
        return successAnswer(messageOf(ping, isStatusUnknown), budget);
      case 'ignored':
        return successAnswer('The ping was ignored: its monitor is paused.', budget);
      case 'limited': {
        const waitMs = outcome.allowance.resetAt - clock.now();
        const seconds = Math.max(1, Math.ceil(waitMs / 1000));
        return errorAnswerOf(new RateLimited(budget.limit, seconds), budget);
      }
      case 'unavailable':
        return errorAnswerOf(UNAVAILABLE, budget);
    }
  }

  /** Refuses a call; calls that match no monitor are counted by client address. */
  async function refuse(address: string, why: Problem, headers: string[] = []) {
    const spent = await rateLimits.spend('ping', clientKeys.client(address));
    const { allowed, limit, remaining, resetAt, retryAfter } = spent;
    const budget = { limit, remaining, resetAt };
    if (!allowed) return errorAnswerOf(new RateLimited(limit, retryAfter), budget);
    const answer = errorAnswerOf(why, budget);
    answer.headers.push(...headers);
    return answer;
  }

  function send(
    response: ServerResponse,
    requestId: string,
    answer: PingAnswer,
    alias: AliasCall | null,
  ): void {
    const { limit, remaining, resetAt } = answer.budget;
    const { type, text, added } =
      alias === null ? jsonOf(answer.body) : answerOfService(alias, answer);
    const headers = [
      'content-type',
      type,
      'content-length',
      String(Buffer.byteLength(text)),
      'x-request-id',
      requestId,
      'x-ratelimit-limit',
      String(limit),
      'x-ratelimit-remaining',
      String(remaining),
      'x-ratelimit-reset',
      String(resetAt),
      'cache-control',
      'no-store',
      'x-content-type-options',
      'nosniff',
      ...answer.headers,
      ...added,
    ];
    if (isClosing) headers.push('connection', 'close');
    response.writeHead(answer.status, headers);
    // Node omits the body for HEAD.
    response.end(text);
  }

  return {
    /** Handles a request, whose target `alias` is read from; null for a ping URL of ours. Never throws. */
    handle(request: IncomingMessage, response: ServerResponse, alias: AliasCall | null) {
      serve(request, response, alias).catch((error: unknown) => {
        log.error({ error, method: request.method, route: '/ping/{token}' }, 'A ping failed.');
        response.destroy();
      });
    },
    /** Prepares for shutdown: stops waiting for bodies, and closes connections with the answer. */
    drain() {
      isClosing = true;
      for (const reading of readings.values()) reading.finishNow();
    },
  };
}

/**
 * Our answer to a ping in the form of the service that the address is from. The status stays.
 *
 * @returns `added`: alternating names and values of headers.
 */
function answerOfService(
  { service }: Pick<AliasCall, 'service'>,
  { status, body }: { status: number; body: { message?: string } },
): { type: string; text: string; added: string[] } {
  const { message = '' } = body;
  if (service === 'uptime_kuma') {
    const answer =
      status === 200 ? { ok: true } : { ok: false, msg: status === 404 ? KUMA_UNKNOWN : message };
    const text = JSON.stringify(answer);
    return { type: 'application/json; charset=utf-8', text, added: [] };
  }
  const text = status === 200 ? 'OK' : status === 404 ? 'not found' : message;
  const added = service === 'healthchecks' ? HEALTHCHECKS_HEADERS : [];
  return { type: 'text/plain; charset=utf-8', text, added };
}

function jsonOf(body: object) {
  return { type: 'application/json; charset=utf-8', text: JSON.stringify(body), added: [] };
}

function successAnswer(message: string, budget: Budget): PingAnswer {
  return { status: 200, headers: [], body: { success: true, message }, budget };
}

function errorAnswerOf(why: unknown, budget: Budget, requestId = ''): PingAnswer {
  const { status, headers, body } = errorAnswer(why, requestId);
  return { status, headers: Object.entries(headers).flat(), body, budget };
}

function messageOf({ kind, exitCode }: IncomingPing, isStatusUnknown: boolean): string {
  switch (kind) {
    case 'success':
      return isStatusUnknown
        ? 'The ping was recorded: its status is unknown, and counted as a success. Send status=fail for a failure.'
        : 'The ping was recorded: the job went well.';
    case 'failure':
      return exitCode === null
        ? 'The ping was recorded: the job failed.'
        : `The ping was recorded: the job failed with exit code ${exitCode}.`;
    case 'start':
      return 'The ping was recorded: a run has started.';
    case 'log':
      return 'The ping was recorded in the list of pings, and changes nothing else.';
  }
}

function budgetOf({ limit, remaining, resetAt }: PingAllowance): Budget {
  return { limit, remaining, resetAt: Math.ceil(resetAt / 1000) };
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../identity/caller.ts';
import type { Log } from '../lib/log.ts';

/** A request that was answered. */
export interface AnsweredRequest {
  /** Of those that HTTP defines; `OTHER` for any other. */
  method: string;
  /** Pattern of the path, such as `/api/v1/monitors/:id`; `unmatched` where there is no such route. */
  route: string;
  status: number;
  durationMs: number;
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Requests whose answer is a stream of events, with the time (ms) until it was open. */
const opened = new WeakMap<FastifyRequest, number>();

/** Notes that a stream of events is open: its request counts as answered, however long the stream lasts. */
export function noteOpened(request: FastifyRequest, reply: FastifyReply): void {
  opened.set(request, reply.elapsedTime);
}

/** Reports each answered request, and logs it at `debug`. Pings don't pass the framework and are counted apart. */
export function reportAnswers(
  app: FastifyInstance,
  { log, onAnswered }: { log: Log; onAnswered?: (answered: AnsweredRequest) => void },
): void {
  app.addHook('onResponse', async (request, reply) => {
    const method = METHODS.has(request.method) ? request.method : 'OTHER';
    const route = request.is404 ? 'unmatched' : (request.routeOptions.url ?? 'unmatched');
    const status = reply.statusCode;
    const durationMs = opened.get(request) ?? reply.elapsedTime;
    onAnswered?.({ method, route, status, durationMs });
    const fields = {
      request_id: request.id,
      method,
      route,
      status,
      duration_ms: Math.round(durationMs * 10) / 10,
      ...callerFields(request),
    };
    // Log: Each request but pings. The route is its pattern: neither ids nor query strings are
    // logged.
    log.debug(fields, 'A request was answered.');
  });
}

function callerFields({ principal }: FastifyRequest) {
  if (principal === null) return null;
  const { person, team, credential } = principal as Principal;
  return {
    person_id: person.id,
    team_id: team?.id,
    ...(credential.kind === 'token' && { token_id: credential.id }),
    ...(credential.kind === 'session' && { session_id: credential.id }),
    ...(credential.kind === 'grant' && { grant_id: credential.id }),
  };
}

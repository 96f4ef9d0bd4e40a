import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticator } from '../identity/authenticate.ts';
import type { Caller } from '../identity/caller.ts';
import { accountKey, addressKey } from '../identity/rate-limits.ts';
import type { AccountBudget, Allowance, RateLimits } from '../identity/rate-limits.ts';
import { authorise, Problem, RateLimited } from '../service/errors.ts';
import type { PathTable } from './path-table.ts';
import type { Route } from './routes.ts';
import { isApiPath, pathOf } from './url.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on every route of the API. */
    caller: Caller | null;
  }
  interface FastifyContextConfig {
    /** Undefined on routes that anybody may call. */
    needs?: Route['needs'];
    budget?: AccountBudget;
  }
}

export interface AdmissionDeps {
  authenticator: Pick<Authenticator, 'authenticate'>;
  rateLimits: RateLimits;
  paths: Pick<PathTable, 'methodsOf'>;
}

/**
 * What is judged before a request is read, in this order: who calls, whether their budget lasts, whether there is such
 * a route, whether they may (completions, section 1). Throws the refusal.
 */
export function createAdmission({ authenticator, rateLimits, paths }: AdmissionDeps) {
  return async function admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    reply.headers({
      'x-request-id': request.id,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    const { needs } = request.routeOptions.config;
    const path = pathOf(request.url);
    if (request.is404 ? isApiPath(path) : needs !== undefined) await identify(request, reply);
    if (request.is404) throw refuseRoute(path, request.method, reply);
    if (request.caller !== null && needs !== undefined && needs !== 'token')
      authorise(request.caller, needs);
  };

  async function identify(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const caller = await authenticate(request, reply);
    const { budget = 'standard' } = request.routeOptions.config;
    const allowance =
      caller === null
        ? await rateLimits.spend('anonymous', addressKey(request.ip))
        : await rateLimits.spend(budget, accountKey(caller.person.id));
    reply.headers(rateLimitHeaders(allowance));
    if (caller === null && allowance.allowed)
      throw new Problem('unauthenticated', 'Unauthenticated.');
    if (!allowance.allowed) throw new RateLimited(allowance.limit, allowance.retryAfter);
    request.caller = caller;
  }

  /** When it can't be told who calls, nobody's budget is touched: the fault is ours. */
  async function authenticate(request: FastifyRequest, reply: FastifyReply) {
    try {
      return await authenticator.authenticate(request.headers.authorization);
    } catch (error) {
      const allowance = await rateLimits.show('anonymous', addressKey(request.ip));
      reply.headers(rateLimitHeaders(allowance));
      throw error;
    }
  }

  function refuseRoute(path: string, method: string, reply: FastifyReply): Problem {
    const allowed = paths.methodsOf(path);
    if (allowed.length === 0 || allowed.includes(method)) {
      return new Problem('not_found', 'There is no such path. Those there are stand at /docs.');
    }
    void reply.header('allow', allowed.join(', '));
    return new Problem(
      'method_not_allowed',
      `${method} is not possible here: use ${allowed.join(', ')}.`,
    );
  }
}

function rateLimitHeaders({ limit, remaining, resetAt }: Allowance): Record<string, number> {
  return {
    'x-ratelimit-limit': limit,
    'x-ratelimit-remaining': remaining,
    'x-ratelimit-reset': resetAt,
  };
}

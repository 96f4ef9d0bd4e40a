import type { ApiDeps } from './deps.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Credentials } from '../identity/authenticate.ts';
import type { Principal } from '../identity/caller.ts';
import { accountKey, type AccountBudget, type Allowance } from '../identity/rate-limits.ts';
import { Problem, RateLimited } from '../resources/common/errors.ts';
import { authorizeRoute, type Route } from '../resources/common/operation.ts';
import { methodNotAllowed } from './errors.ts';
import { wantsPage } from './pages/routes.ts';
import type { PathTable } from './path-table.ts';
import { securityHeaders } from './security-headers.ts';
import { isApiPath, pathOf } from './url.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Authenticated caller; null for an anonymous call of an open route. */
    principal: Principal | null;
  }
  interface FastifyContextConfig {
    /** Undefined outside the API. */
    access?: Pick<Route, 'needs' | 'role'>;
    budget?: AccountBudget;
    /** True for routes that authenticate and count their callers themselves. */
    hasOwnAdmission?: boolean;
  }
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Creates the checks that precede reading a request, in this order: authentication, rate limit, existence of the route,
 * permission (contract 2.16 to 2.19). Throws a Problem for a refused request.
 */
export function createAdmission(
  deps: Pick<ApiDeps, 'authenticator' | 'rateLimits' | 'clientKeys' | 'plans' | 'baseUrl'> & {
    paths: Pick<PathTable, 'methodsOf' | 'belongsToOther'>;
  },
) {
  const { rateLimits, clientKeys, plans, baseUrl, paths } = deps;

  return async function admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    reply.headers({
      ...securityHeaders(baseUrl()),
      'x-request-id': request.id,
      'cache-control': 'no-store',
    });
    const { access, hasOwnAdmission: isSelfAdmitted } = request.routeOptions.config;
    const path = pathOf(request.url);
    const isOfApi = request.is404 ? isApiPath(path) : access !== undefined;
    if (isSelfAdmitted !== true) await (isOfApi ? identify(request, reply) : countVisit(request));
    if (request.is404 && wantsPage(request) && paths.methodsOf(path).length === 0) return;
    if (request.is404 || matchesOtherRoute(request, path))
      throw routeProblem(path, request.method, reply);
    if (request.principal === null || access === undefined) return;
    if (request.principal.credential.kind === 'session') requireSameOrigin(request, baseUrl());
    authorizeRoute(access, request.principal, plans);
  };

  async function identify(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { authorization, cookie } = request.headers;
    const principal = await authenticate(deps, { authorization, cookie }, request, reply);
    const allowance = await spend(request, principal);
    applyAllowance(reply, allowance);
    const isOpen = request.routeOptions.config.access?.needs === 'nobody';
    if (principal === null && !isOpen) throw new Problem('unauthenticated', 'Unauthenticated.');
    request.principal = principal;
  }

  /** Counts a request outside the API by client address (contract 5.22). */
  async function countVisit({ ip }: FastifyRequest): Promise<void> {
    const { allowed, limit, retryAfter } = await rateLimits.spend('web', clientKeys.client(ip));
    if (!allowed) throw new RateLimited(limit, retryAfter);
  }

  function spend(request: FastifyRequest, principal: Principal | null): Promise<Allowance> {
    const { budget = 'standard' } = request.routeOptions.config;
    if (principal === null) return rateLimits.spend('anonymous', clientKeys.client(request.ip));
    const { credential, person } = principal;
    const isBySession = credential.kind === 'session' && budget === 'standard';
    return rateLimits.spend(isBySession ? 'session' : budget, accountKey(person.id));
  }

  /** True when the router matched a pattern that another one precedes, as `/users/:id` for `/users/invitations`. */
  function matchesOtherRoute({ routeOptions: { url } }: FastifyRequest, path: string): boolean {
    return url !== undefined && paths.belongsToOther(url, path);
  }

  function routeProblem(path: string, method: string, reply: FastifyReply): Problem {
    const allowed = paths.methodsOf(path);
    if (allowed.length === 0 || allowed.includes(method)) {
      return new Problem('not_found', 'There is no such path: /docs lists all paths.');
    }
    void reply.header('allow', allowed.join(', '));
    return methodNotAllowed(method, allowed);
  }
}

/**
 * Throws if a request comes from a page of another site (contract 36.5), since browsers send the cookie with links and
 * redirects of other sites too: a check of a URL sends requests, a report takes work. Changes need proof of the origin;
 * other requests may come from a browser that does not send it. The cookie's SameSite attribute is a second protection.
 */
function requireSameOrigin({ method, headers }: FastifyRequest, baseUrl: string): void {
  const site = headers['sec-fetch-site'];
  if (site === 'same-origin') return;
  if (SAFE_METHODS.has(method) && (site === undefined || site === 'none')) return;
  const origin = URL.parse(baseUrl)?.origin;
  if (headers.origin !== undefined && headers.origin === origin) return;
  throw new Problem(
    'forbidden',
    `Requests by a session are accepted only from pages of ${origin}. Open the dashboard under that address, or set BASE_URL to the one you use; scripts use an API token.`,
  );
}

/** Authenticates the caller. When that fails internally, the answer shows a budget of which nothing is spent. */
export async function authenticate(
  {
    authenticator,
    rateLimits,
    clientKeys,
  }: Pick<ApiDeps, 'authenticator' | 'rateLimits' | 'clientKeys'>,
  credentials: Credentials,
  { ip: address }: FastifyRequest,
  reply: FastifyReply,
) {
  try {
    return await authenticator.authenticate({ ...credentials, address });
  } catch (error) {
    const allowance = await rateLimits.show('anonymous', clientKeys.client(address));
    void reply.headers(rateLimitHeaders(allowance));
    throw error;
  }
}

/** Sets the rate limit headers. Throws RateLimited when the budget is used up; `what` says what is too much. */
export function applyAllowance(reply: FastifyReply, allowance: Allowance, what?: string): void {
  void reply.headers(rateLimitHeaders(allowance));
  if (!allowance.allowed) throw new RateLimited(allowance.limit, allowance.retryAfter, what);
}

export function rateLimitHeaders({ limit, remaining, resetAt }: Allowance): Record<string, number> {
  return {
    'x-ratelimit-limit': limit,
    'x-ratelimit-remaining': remaining,
    'x-ratelimit-reset': resetAt,
  };
}

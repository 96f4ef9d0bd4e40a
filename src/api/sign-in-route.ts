import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticator } from '../identity/authenticate.ts';
import {
  addressKey,
  emailKey,
  sessionKey,
  type Allowance,
  type RateLimits,
} from '../identity/rate-limits.ts';
import type { SignIn } from '../identity/sign-in.ts';
import { findSignInRoute, SIGN_IN_ROUTES, type SignInRoute } from '../identity/sign-in-routes.ts';
import { Problem, RateLimited } from '../resources/common/errors.ts';
import { rateLimitHeaders } from './admission.ts';
import { methodNotAllowed } from './errors.ts';

export interface SignInRouteDeps {
  signIn: Pick<SignIn, 'handle'>;
  authenticator: Pick<Authenticator, 'authenticate'>;
  rateLimits: RateLimits;
}

const PREFIX = '/api/v1/auth';
const MAX_BODY_BYTES = 64 * 1024;

/**
 * Adds the sign-in routes at `/api/auth` (`identity/sign-in-routes.ts` has the table). They count requests by client
 * address and by the e-mail address used, since callers are not authenticated yet.
 */
export function signInRoutes(app: FastifyInstance, deps: SignInRouteDeps): void {
  const { signIn, authenticator, rateLimits } = deps;

  app.register(async (scope) => {
    scope.setErrorHandler((error) => {
      throw isTooLarge(error)
        ? new Problem('too_large', 'The body is larger than 64 KiB. Send less.')
        : error;
    });
    for (const route of SIGN_IN_ROUTES) addRoute(scope, route);
    scope.all(`${PREFIX}/*`, { config: { hasOwnAdmission: true }, onRequest: count }, refuse);
  });

  function addRoute(scope: FastifyInstance, route: SignInRoute): void {
    scope.route({
      method: route.method,
      url: PREFIX + route.path,
      bodyLimit: MAX_BODY_BYTES,
      // Mail scanners request links by HEAD, which would use up one-time links.
      exposeHeadRoute: false,
      config: { hasOwnAdmission: true },
      onRequest: route.testsNoSecret ? countSession : count,
      handler: (request, reply) => answer(route, request, reply),
    });
  }

  /** Counts a request before its body is read. */
  async function count(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    applyAllowance(reply, await rateLimits.spend('auth', addressKey(request.ip)));
  }

  /** Counts a request by session, so that signed-in people do not use up the budget of a shared address. */
  async function countSession(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { cookie } = request.headers;
    const principal = await authenticator.authenticate({ cookie });
    if (principal === null) return count(request, reply);
    applyAllowance(reply, await rateLimits.spend('session', sessionKey(principal.credential.id)));
  }

  async function answer(route: SignInRoute, request: FastifyRequest, reply: FastifyReply) {
    const body = bodyOf(request);
    if (typeof body['email'] === 'string') await countEmail(body['email'], reply);
    const {
      status,
      headers,
      body: answered,
    } = await signIn.handle({
      route,
      path: pathOf(request),
      query: firstValues(request.query),
      headers: request.headers,
      body,
      address: request.ip,
    });
    for (const [name, value] of headers) void reply.header(name, value);
    void reply.code(status);
    return answered === null && status >= 300
      ? reply.send()
      : reply.type('application/json; charset=utf-8').send(JSON.stringify(answered));
  }

  /** Counts a request by e-mail address, against guessing one person's password from many addresses. */
  async function countEmail(email: string, reply: FastifyReply): Promise<void> {
    const key = emailKey(email);
    const allowances = [
      await rateLimits.spend('auth', key),
      await rateLimits.spend('auth_hour', key),
    ];
    const used = Number(reply.getHeader('x-ratelimit-remaining'));
    for (const allowance of allowances) {
      if (!allowance.allowed || allowance.remaining < used) applyAllowance(reply, allowance);
    }
  }
}

/** Sets the rate limit headers; throws RateLimited when the budget is used up. */
function applyAllowance(reply: FastifyReply, allowance: Allowance): void {
  void reply.headers(rateLimitHeaders(allowance));
  if (!allowance.allowed) throw new RateLimited(allowance.limit, allowance.retryAfter);
}

function refuse(request: FastifyRequest, reply: FastifyReply): never {
  const path = pathOf(request);
  const methods = ['GET', 'POST'].filter((method) => findSignInRoute(method, path) !== undefined);
  if (methods.length === 0) {
    throw new Problem('not_found', 'There is no such path. docs/sign-in.md has those there are.');
  }
  void reply.header('allow', methods.join(', '));
  throw methodNotAllowed(request.method, methods);
}

function bodyOf(request: FastifyRequest): Record<string, unknown> {
  const { body } = request;
  if (body === undefined || body === null) return {};
  if (typeof body !== 'object' || Array.isArray(body)) {
    throw new Problem('malformed', 'The body must be a JSON object.');
  }
  return body as Record<string, unknown>;
}

/** Path below `/api/auth`. */
function pathOf(request: FastifyRequest): string {
  const [path = ''] = request.url.split('?', 1);
  return path.slice(PREFIX.length).replace(/\/+$/, '');
}

/** First value of each query parameter. */
function firstValues(query: unknown): Record<string, string> {
  const entries = Object.entries(query as Record<string, string | string[]>);
  return Object.fromEntries(entries.map(([name, value]) => [name, [value].flat()[0] ?? '']));
}

function isTooLarge(error: unknown): boolean {
  return (error as { code?: string }).code === 'FST_ERR_CTP_BODY_TOO_LARGE';
}

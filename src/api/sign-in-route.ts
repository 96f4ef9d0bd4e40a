import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { accountKey, beginSignIn, type Budget } from '../identity/rate-limits.ts';
import { TooManyPasswords } from '../identity/password.ts';
import type { SignInAnswer } from '../identity/sign-in-request.ts';
import { findSignInRoute, SIGN_IN_ROUTES, type SignInRoute } from '../identity/sign-in-routes.ts';
import { Problem } from '../resources/common/errors.ts';
import { applyAllowance, rateLimitHeaders } from './admission.ts';
import type { ApiDeps } from './deps.ts';
import { methodNotAllowed } from './errors.ts';
import { OAUTH_ROUTES, sendAnswer } from './oauth-routes.ts';

const PREFIX = '/api/v1/auth';
const MAX_BODY_BYTES = 64 * 1024;

/** What better-auth takes for an e-mail address and a password. Others are refused before a password is hashed. */
const signInBody = z.object({ email: z.email(), password: z.string() });

/**
 * Adds the sign-in routes at `/api/auth` (`identity/sign-in-routes.ts` has the table). They count requests by client
 * address, since callers are not authenticated yet, and never by e-mail address alone: otherwise anyone who knows one could
 * lock its owner out.
 */
export function signInRoutes(
  app: FastifyInstance,
  deps: Pick<ApiDeps, 'authenticator' | 'rateLimits' | 'clientKeys'> &
    Required<Pick<ApiDeps, 'signIn'>>,
): void {
  const { signIn, authenticator, rateLimits, clientKeys } = deps;

  app.register(async (scope) => {
    for (const route of SIGN_IN_ROUTES) addRoute(scope, route);
    scope.all(
      `${PREFIX}/*`,
      {
        config: { hasOwnAdmission: true },
        onRequest: (request, reply) => admit(null, request, reply),
      },
      refuse,
    );
  });

  function addRoute(scope: FastifyInstance, route: SignInRoute): void {
    scope.route({
      method: route.method,
      url: PREFIX + route.path,
      bodyLimit: MAX_BODY_BYTES,
      // Mail scanners request links by HEAD, which would use up one-time links.
      exposeHeadRoute: false,
      config: { hasOwnAdmission: true },
      onRequest: (request, reply) => admit(route, request, reply),
      handler: (request, reply) => answer(route, request, reply),
    });
  }

  /** Counts a request before its body is read. */
  async function admit(route: SignInRoute | null, request: FastifyRequest, reply: FastifyReply) {
    const asker = route?.testsNoSecret || route?.testsOwnSecret ? await holderOf(request) : null;
    if (asker !== null && route?.testsNoSecret) {
      // By person, so that signed-in people do not use up the budget of a shared address.
      return applyAllowance(reply, await rateLimits.spend('session', accountKey(asker.person.id)));
    }
    const client = clientKeys.client(request.ip);
    // A count of its own: other requests from a shared address must not keep its people from signing in.
    const key = route?.makes === undefined ? client : `sign-in ${client}`;
    applyAllowance(reply, await rateLimits.spend(budgetOf(route), key));
    if (asker === null) return;
    // Against guesses of the password from many addresses, with a stolen session.
    const session = `session ${asker.credential.id}`;
    applyAllowance(reply, await rateLimits.spend('auth', session));
  }

  function holderOf({ headers: { cookie } }: FastifyRequest) {
    return authenticator.authenticate({ cookie });
  }

  async function answer(route: SignInRoute, request: FastifyRequest, reply: FastifyReply) {
    const body = bodyOf(request);
    const answered =
      route.countsFailures && signInBody.safeParse(body).success
        ? await countFailure(String(body['email']), request, reply, () =>
            forward(route, request, body),
          )
        : await forward(route, request, body);
    return sendAnswer(reply, answered);
  }

  function forward(route: SignInRoute, request: FastifyRequest, body: Record<string, unknown>) {
    return signIn.handle({
      route,
      path: pathOf(request),
      query: firstValues(request.query),
      headers: request.headers,
      body,
      address: request.ip,
    });
  }

  /** Counts a sign-in by password until its password proves right; refuses it when too many have failed. */
  async function countFailure(
    email: string,
    request: FastifyRequest,
    reply: FastifyReply,
    work: () => Promise<SignInAnswer>,
  ): Promise<SignInAnswer> {
    // Before it is counted, so that memory for counts grows no faster than passwords are hashed.
    if (signIn.isBusy(request.ip)) throw new TooManyPasswords();
    const attempt = await beginSignIn(deps, { address: request.ip, email });
    applyAllowance(reply, attempt.allowance, TOO_MANY_FAILURES);
    const answered = await work();
    if (isRightPassword(answered)) void reply.headers(rateLimitHeaders(await attempt.giveBack()));
    else if (answered.status === 401) void reply.headers(rateLimitHeaders(await attempt.fail()));
    return answered;
  }
}

const TOO_MANY_FAILURES = 'Too many sign-ins with a wrong password came from your network';

/** Budget of a request by client address, before its body is read. Sign-ins are counted after it is. */
function budgetOf(route: SignInRoute | null): Budget {
  if (route?.countsFailures) return 'anonymous';
  return route?.concernsMail ? 'auth_mail' : 'auth';
}

/** True also when a second factor is missing, or the address is not confirmed. */
function isRightPassword({ status, body }: SignInAnswer): boolean {
  return status < 400 || (body as { code?: string } | null)?.code === 'EMAIL_NOT_VERIFIED';
}

function refuse(request: FastifyRequest, reply: FastifyReply): never {
  const path = pathOf(request);
  const methods = ['GET', 'POST'].filter(
    (method) =>
      findSignInRoute(method, path) !== undefined ||
      OAUTH_ROUTES.some((route) => route.method === method && route.path === path),
  );
  if (methods.length === 0) {
    throw new Problem('not_found', 'There is no such path. docs/sign-in.md has those there are.');
  }
  void reply.header('allow', methods.join(', '));
  throw methodNotAllowed(request.method, methods);
}

function bodyOf({ body }: FastifyRequest): Record<string, unknown> {
  if (body === undefined || body === null) return {};
  if (typeof body !== 'object' || Array.isArray(body)) {
    throw new Problem('malformed', 'The body must be a JSON object.');
  }
  return body as Record<string, unknown>;
}

function pathOf(request: FastifyRequest): string {
  const [path = ''] = request.url.split('?', 1);
  return path.slice(PREFIX.length).replace(/\/+$/, '');
}

function firstValues(query: unknown): Record<string, string> {
  const entries = Object.entries(query as Record<string, string | string[]>);
  return Object.fromEntries(entries.map(([name, value]) => [name, [value].flat()[0] ?? '']));
}

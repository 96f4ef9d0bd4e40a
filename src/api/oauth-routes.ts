import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { accountKey, type Budget } from '../identity/rate-limits.ts';
import {
  RESOURCE_DOCUMENT,
  SERVER_DOCUMENT,
  wellKnownDocument,
} from '../identity/oauth-metadata.ts';
import type { Oauth, OauthRequest } from '../identity/oauth.ts';
import { oauthRefusal } from '../identity/oauth-request.ts';
import type { SignInAnswer } from '../identity/sign-in-request.ts';
import type { Log } from '../lib/log.ts';
import { Problem } from '../resources/common/errors.ts';
import { applyAllowance } from './admission.ts';
import type { ApiDeps } from './deps.ts';
import type { BodyMemory } from './body-memory.ts';
import { errorAnswer, logFault } from './errors.ts';
import { takeForms } from './status/form.ts';
import { pathOf } from './url.ts';

interface OauthRoute {
  method: 'GET' | 'POST';
  /** Below `/api/auth`. */
  path: string;
  handle: Exclude<keyof Oauth, 'refreshedGrant'>;
  /** Budget by client address; `person` for the budget of the signed-in person. */
  budget: 'register_client' | 'anonymous' | 'person';
  /** What the body is; by default nothing is read. */
  takes?: 'form' | 'json';
}

export const OAUTH_ROUTES: readonly OauthRoute[] = [
  {
    method: 'POST',
    path: '/oauth2/register',
    handle: 'register',
    budget: 'register_client',
    takes: 'json',
  },
  { method: 'GET', path: '/oauth2/authorize', handle: 'authorize', budget: 'anonymous' },
  { method: 'POST', path: '/oauth2/token', handle: 'token', budget: 'anonymous', takes: 'form' },
  { method: 'POST', path: '/oauth2/revoke', handle: 'revoke', budget: 'anonymous', takes: 'form' },
  { method: 'GET', path: '/oauth2/consent-request', handle: 'consentRequest', budget: 'person' },
  {
    method: 'POST',
    path: '/oauth2/consent',
    handle: 'consent',
    budget: 'person',
    takes: 'json',
  },
];

/** What is too much, for budgets that are not of a minute. */
const HOURLY_LIMITS: Partial<Record<Budget, (limit: number) => string>> = {
  register_client: (limit) =>
    `The limit of ${limit} registrations an hour from your network is reached`,
  refresh_token: (limit) => `The limit of ${limit} refreshes an hour of a connection is reached`,
};

const PREFIX = '/api/v1/auth';
const MAX_BODY_BYTES = 64 * 1024;

/** What scripts of other sites may send to what has no cookies (Fetch, "CORS protocol"). */
const PREFLIGHT = {
  'access-control-allow-methods': 'GET, POST',
  'access-control-allow-headers': 'Content-Type, Authorization, MCP-Protocol-Version',
  'access-control-max-age': '86400',
};

/**
 * Adds the endpoints of OAuth 2.1 at `/api/auth/oauth2`, and the documents by which clients find them. Those of clients
 * read no cookies, so that pages of any site may call them; those of the consent page belong to this site alone.
 */
export function oauthRoutes(
  app: FastifyInstance,
  deps: Pick<ApiDeps, 'authenticator' | 'rateLimits' | 'clientKeys' | 'baseUrl' | 'log'> & {
    oauth: Oauth;
    bodyMemory: BodyMemory;
  },
): void {
  const { oauth, authenticator, rateLimits, clientKeys, bodyMemory, baseUrl, log } = deps;

  void app.register(async (scope) => {
    scope.addHook('onRequest', async (_request, reply) => allowAnyOrigin(reply));
    scope.setErrorHandler(oauthErrorHandler(log));
    takeForms(scope, bodyMemory);
    for (const route of OAUTH_ROUTES.filter(({ budget }) => budget !== 'person')) {
      addRoute(scope, route);
      if (route.method === 'POST') addPreflight(scope, PREFIX + route.path);
    }
    const sendDocument = (request: FastifyRequest, reply: FastifyReply) => {
      const path = pathOf(request.url).replace(PREFIX, '/api/auth').replace(/\/$/, '');
      const document = wellKnownDocument(path, baseUrl());
      if (document === null) throw new Problem('not_found', 'There is no such document.');
      return reply.header('cache-control', 'public, max-age=300').send(document);
    };
    for (const path of [SERVER_DOCUMENT, RESOURCE_DOCUMENT].flatMap((name) => [
      name,
      `${name}/*`,
    ])) {
      scope.get(path, sendDocument);
      addPreflight(scope, path);
    }
    scope.get(PREFIX + SERVER_DOCUMENT, { config: { hasOwnAdmission: true } }, sendDocument);
  });
  void app.register(async (scope) => {
    for (const route of OAUTH_ROUTES.filter(({ budget }) => budget === 'person'))
      addRoute(scope, route);
  });

  function addRoute(scope: FastifyInstance, route: OauthRoute): void {
    scope.route({
      method: route.method,
      url: PREFIX + route.path,
      bodyLimit: MAX_BODY_BYTES,
      exposeHeadRoute: false,
      config: { hasOwnAdmission: true },
      onRequest: (request, reply) => admit(route, request, reply),
      handler: async (request, reply) => {
        const asked = {
          query: new URLSearchParams(/\?(.*)/s.exec(request.url)?.[1]),
          headers: request.headers,
          form: formOf(route, request),
          body: objectOf(route, request),
          address: request.ip,
        };
        if (route.handle === 'token') await admitRefresh(asked, reply);
        return sendAnswer(reply, await oauth[route.handle](asked));
      },
    });
  }

  /** Counts a request before its body is read. */
  async function admit({ budget }: OauthRoute, request: FastifyRequest, reply: FastifyReply) {
    const { cookie } = request.headers;
    const asker = budget === 'person' ? await authenticator.authenticate({ cookie }) : null;
    if (asker !== null) return spend(reply, 'session', accountKey(asker.person.id));
    const client = clientKeys.client(request.ip);
    // A count of its own, so that other requests without a token end no connection.
    await spend(reply, budget === 'person' ? 'auth' : budget, `oauth ${client}`);
  }

  /** Counts a refresh: each stores a row, and an application decides how often it comes. */
  async function admitRefresh(asked: OauthRequest, reply: FastifyReply): Promise<void> {
    const grantId = await oauth.refreshedGrant(asked);
    if (grantId !== null) await spend(reply, 'refresh_token', String(grantId));
  }

  async function spend(reply: FastifyReply, budget: Budget, key: string): Promise<void> {
    const allowance = await rateLimits.spend(budget, key);
    applyAllowance(reply, allowance, HOURLY_LIMITS[budget]?.(allowance.limit));
  }
}

function allowAnyOrigin(reply: FastifyReply): void {
  void reply.headers({
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'Retry-After, WWW-Authenticate',
  });
}

function addPreflight(scope: FastifyInstance, url: string): void {
  scope.options(url, { config: { hasOwnAdmission: true } }, (_request, reply) =>
    reply.code(204).headers(PREFLIGHT).send(),
  );
}

/** Sends an answer of sign-in or OAuth; a redirect or a refusal may have no body. */
export function sendAnswer(reply: FastifyReply, { status, headers, body }: SignInAnswer) {
  for (const [name, value] of headers) void reply.header(name, value);
  void reply.code(status);
  return body === null && status >= 300
    ? reply.send()
    : reply.type('application/json; charset=utf-8').send(JSON.stringify(body));
}

/** Handles errors: sends them as OAuth has it (RFC 6749, section 5.2), and logs internal ones. */
function oauthErrorHandler(log: Log) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const { status, headers, body, isFault } = errorAnswer(error, request.id);
    if (isFault) logFault(log, error, request);
    void reply.headers({ 'x-request-id': request.id, ...headers });
    return sendAnswer(reply, oauthRefusal(status, errorCode(status), String(body['message'])));
  };
}

function errorCode(status: number): string {
  if (status === 429 || status === 503) return 'temporarily_unavailable';
  return status < 500 ? 'invalid_request' : 'server_error';
}

function formOf({ takes }: OauthRoute, { body }: FastifyRequest): URLSearchParams {
  if (takes !== 'form') return new URLSearchParams();
  if (body instanceof URLSearchParams) return body;
  throw new Problem(
    'malformed',
    'The fields must be sent as a form: with Content-Type: application/x-www-form-urlencoded.',
  );
}

function objectOf({ takes }: OauthRoute, { body }: FastifyRequest): Record<string, unknown> {
  if (takes !== 'json') return {};
  if (typeof body === 'object' && body !== null && !Array.isArray(body))
    return body as Record<string, unknown>;
  throw new Problem('malformed', 'The body must be a JSON object.');
}
